// Runs a program of a package that has its own dependencies, and installs them first when they are missing:
// `node infra/build/tool.mjs tools/check eslint .`
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ensureDependencies } from './ensureDependencies.mjs';

const [folder, program, ...rest] = process.argv.slice(2);
if (program === undefined) throw new Error('Name the folder of the package and the program to run.');
await ensureDependencies();
await ensureDependencies(folder);
const isWindows = process.platform === 'win32';
const file = join(folder, 'node_modules/.bin', isWindows ? `${program}.cmd` : program);
process.exit(spawnSync(file, rest, { stdio: 'inherit', shell: isWindows }).status ?? 1);
