// Checks infra/azure: the compiler, then the checks of tests/infra. `--with-compiler` fails where there is no compiler.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { compileBicep } from './compileBicep.mjs';

const compiles = compileBicep();
const jest = spawnSync(
  process.execPath,
  [
    '--experimental-vm-modules',
    '--disable-warning=ExperimentalWarning',
    'node_modules/jest/bin/jest.js',
    '--selectProjects=unit',
    '--testPathPatterns=tests/infra/',
  ],
  { cwd: fileURLToPath(new URL('../../', import.meta.url)), stdio: 'inherit' },
);
process.exit(compiles && jest.status === 0 ? 0 : 1);
