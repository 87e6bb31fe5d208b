// Runs one TypeScript program of the checkout (a bench, a tool, an example): `node infra/build/run.mjs tests/bench/jobs.ts
// [arguments]`. It trusts the storage of the local service, whose certificate Node must be told at its start.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { buildPrograms } from './app.mjs';

const [program, ...rest] = process.argv.slice(2);
if (program === undefined) throw new Error('Name the program to run.');
const name = basename(program, '.ts');
const folder = `build/run/${name}`;
await buildPrograms(folder, [program]);
const { LOCAL_DIR = '.local', NODE_EXTRA_CA_CERTS: others = '' } = process.env;
const certificates = [join(LOCAL_DIR, 'certificates/local.crt'), others].filter(existsSync);
writeFileSync(`${folder}/trusted.pem`, certificates.map((file) => readFileSync(file, 'utf8')).join('\n'));
const { status } = spawnSync(process.execPath, ['--enable-source-maps', `${folder}/${name}.mjs`, ...rest], {
  env: { ...process.env, NODE_EXTRA_CA_CERTS: `${folder}/trusted.pem` },
  stdio: 'inherit',
});
process.exit(status ?? 1);
