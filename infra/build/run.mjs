// Runs one TypeScript program of the checkout (a bench, a tool): `node infra/build/run.mjs tests/bench/jobs.ts [arguments]`.
import { spawnSync } from 'node:child_process';
import { basename } from 'node:path';
import { buildPrograms } from './app.mjs';

const [program, ...rest] = process.argv.slice(2);
if (program === undefined) throw new Error('Name the program to run.');
const name = basename(program, '.ts');
await buildPrograms(`build/run/${name}`, [program]);
const { status } = spawnSync(process.execPath, ['--enable-source-maps', `build/run/${name}/${name}.mjs`, ...rest], {
  stdio: 'inherit',
});
process.exit(status ?? 1);
