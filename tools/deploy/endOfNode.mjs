// Warns 180 days before the version of Node that production runs (.nvmrc) gets no corrections any more, and fails in the
// last 60: node tools/deploy/endOfNode.mjs [today as YYYY-MM-DD]
import { readFileSync } from 'node:fs';

/** Last day of each version, by the schedule of the Node.js release working group. */
const ends = { 20: '2026-04-30', 22: '2027-04-30', 24: '2028-04-30' };

const version = readFileSync(new URL('../../.nvmrc', import.meta.url), 'utf8').trim();
const end = ends[version];
if (end === undefined) throw new Error(`When Node ${version} ends is not known: add it to tools/deploy/endOfNode.mjs.`);
const days = Math.floor((Date.parse(end) - Date.parse(process.argv[2] ?? new Date().toISOString())) / 86_400_000);
const where =
  '.nvmrc, infra/azure/modules/functionApp.bicep and CI move to the next version that Flex Consumption offers';
const line = `Node ${version} ends on ${end}, in ${days} days: ${where}.`;
console.log(days < 180 ? `::${days < 60 ? 'error' : 'warning'}::${line}` : line);
if (days < 60) process.exitCode = 1;
