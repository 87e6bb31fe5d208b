/**
 * How many storage operations each request and each piece of work costs, and whether they grow with what is stored.
 *
 *   npm run load:operations -- [--write] [--only requests|growth|work]
 *
 * Counts hold on a busy machine too; the CPU beside them is that of the functions host and is worth little there.
 * `--write` puts the tables into docs/measurements.md.
 */
import { parseArgs } from 'node:util';
import { growthTable } from './growth.js';
import { provenance } from './machine.js';
import { loadavg } from 'node:os';
import { requestTable } from './requestCosts.js';
import { workTable } from './workCosts.js';
import { writeSection } from './writeSection.js';

const { values } = parseArgs({
  options: { write: { type: 'boolean', default: false }, only: { type: 'string' } },
});
const tables = { requests: requestTable, growth: growthTable, work: workTable } as const;

for (const [name, table] of Object.entries(tables)) {
  if (values.only !== undefined && values.only !== name) continue;
  const command = `npm run load:operations -- --only ${name}`;
  const text = `${await table()}\n\n\`${command}\`, ${provenance(loadavg()[0] ?? 0)}.`;
  console.log(`\n${text}`);
  if (values.write) writeSection(`operations-${name}`, text);
}
