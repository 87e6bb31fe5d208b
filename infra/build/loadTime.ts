/**
 * Measures how long the host's worker takes to load a bundle: a fresh process each time, the median of several.
 *
 * `node build/local/loadTime.mjs dist/main.mjs [other.mjs …]` prints milliseconds for each file.
 */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadableSettings } from './loadableSettings.js';

/** One for `bench:load -- --smoke`. */
const RUNS = process.env['BENCH_SMOKE'] === undefined ? 11 : 1;

function loadMs(file: string): number {
  const url = pathToFileURL(resolve(file)).href;
  const code = `const t = performance.now(); await import(${JSON.stringify(url)}); console.log(performance.now() - t);`;
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    encoding: 'utf8',
    env: { ...process.env, ...loadableSettings },
  });
  const last = stdout.trim().split('\n').at(-1);
  if (status !== 0 || !Number.isFinite(Number(last))) throw new Error(`${file} does not load: ${stderr}`);
  return Number(last);
}

for (const file of process.argv.slice(2)) {
  const times = Array.from({ length: RUNS }, () => loadMs(file)).sort((a, b) => a - b);
  console.log(`${file}: loads in ${(times[(RUNS - 1) / 2] ?? 0).toFixed(1)} ms (median of ${RUNS} cold processes)`);
}
