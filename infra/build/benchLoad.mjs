// Cold module load of the bundle against an app with one empty function: `npm run bench:load`; `-- --smoke` loads each once.
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';

mkdirSync('build/run', { recursive: true });
writeFileSync(
  'build/run/emptyApp.mjs.ts',
  "import { app } from '@azure/functions';\napp.http('empty', { methods: ['GET'], authLevel: 'anonymous', route: 'empty', handler: () => ({ status: 200 }) });\n",
);
await build({
  entryPoints: ['build/run/emptyApp.mjs.ts'],
  outfile: 'build/run/emptyApp.mjs',
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  external: ['@azure/functions-core'],
  banner: {
    js: "import { createRequire as createRequireForBundle } from 'node:module'; const require = createRequireForBundle(import.meta.url);",
  },
});
const env = { ...process.env, ...(process.argv.includes('--smoke') ? { BENCH_SMOKE: '1' } : {}) };
const measure = (file) => {
  const { stdout, status } = spawnSync(process.execPath, ['build/local/loadTime.mjs', file], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    env,
  });
  const figure = Number(/([\d.]+) ms/.exec(stdout)?.[1]);
  if (status !== 0 || !Number.isFinite(figure)) throw new Error(`There is no figure for ${file}.`);
  console.log(stdout.trim());
  return figure;
};
// Ours between two of the baseline, so that a change of the machine's mood shows.
const before = measure('build/run/emptyApp.mjs');
const ours = measure('dist/main.mjs');
const after = measure('build/run/emptyApp.mjs');
console.log(`ratio ${(ours / ((before + after) / 2)).toFixed(2)} (goal ≤ 1.3)`);
