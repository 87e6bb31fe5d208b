// Runs every bench once in its smallest size, and names those that don't print their figures: `npm run bench:smoke`. What each
// has printed goes into build/benches.json.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
const benches = Object.keys(scripts).filter((name) => name.startsWith('bench:') && name !== 'bench:smoke');
const chosen = process.argv.slice(2);
const failed = [];
const printed = {};
for (const name of benches.filter((each) => chosen.length === 0 || chosen.includes(each.slice('bench:'.length)))) {
  const startedAt = performance.now();
  const { stdout, stderr, status } = spawnSync('npm', ['run', '-s', name, '--', '--smoke'], { encoding: 'utf8' });
  const hasFigures = status === 0 && /\d/.test(stdout) && !/\b(?:NaN|Infinity|undefined)\b/.test(stdout);
  console.log(`${hasFigures ? 'ok  ' : 'FAIL'} ${name}: ${((performance.now() - startedAt) / 1000).toFixed(0)} s`);
  printed[name] = stdout.trim().split('\n');
  if (hasFigures) continue;
  failed.push(name);
  console.log(`${stdout}${stderr}`.trimEnd());
}
mkdirSync('build', { recursive: true });
writeFileSync('build/benches.json', `${JSON.stringify(printed, undefined, 2)}\n`);
console.log(
  failed.length === 0 ? 'every bench prints its figures' : `${failed.length} without figures: ${failed.join(', ')}`,
);
process.exitCode = failed.length === 0 ? 0 : 1;
