/**
 * How many storage operations each request and each piece of work costs, and whether they grow with what is stored.
 *
 *   npm run load:operations -- [--write] [--only requests|growth|imagery|work|idle] [--most 100] [--least 100]
 *
 * `--most` adds columns of imagery with more customers than 10, `--least` leaves out those with fewer: each is printed as it
 * ends, and those of 100 and of 1000 take the emulator many minutes. Counts hold on a busy machine too; the CPU beside them is that of the functions host and is worth little there.
 * `--write` puts the tables into docs/measurements.md.
 */
import { parseArgs } from 'node:util';
import { growthTable } from './growth.js';
import { idleTable } from './idleDay.js';
import { imageryGrowthTable } from './imageryGrowth.js';
import { provenance } from './machine.js';
import { loadavg } from 'node:os';
import { requestTable } from './requestCosts.js';
import { workTable } from './workCosts.js';
import { writeSection } from './writeSection.js';

const { values } = parseArgs({
  options: {
    write: { type: 'boolean', default: false },
    only: { type: 'string' },
    most: { type: 'string' },
    least: { type: 'string' },
  },
});
const range = { most: Number(values.most ?? 10), least: Number(values.least ?? 1) };
const tables = {
  requests: requestTable,
  growth: growthTable,
  imagery: () => imageryGrowthTable(range),
  work: workTable,
  idle: idleTable,
} as const;

for (const [name, table] of Object.entries(tables)) {
  if (values.only !== undefined && values.only !== name) continue;
  const [least, most] = [values.least, values.most].map((value) => (name === 'imagery' ? value : undefined));
  const limited = `${least === undefined ? '' : ` --least ${least}`}${most === undefined ? '' : ` --most ${most}`}`;
  const command = `npm run load:operations -- --only ${name}${limited}`;
  const text = `${await table()}\n\n\`${command}\`, ${provenance(loadavg()[0] ?? 0)}.`;
  console.log(`\n${text}`);
  if (values.write) writeSection(`operations-${name}`, text);
}
