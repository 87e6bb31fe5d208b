// Runs in full what `npm test` leaves out or tries in part: the files that tests/support/longTests.mjs names, and those
// that take `tries`, `testInFull` or `describeInFull` from tests/support/fullRun.ts. Arguments choose other files.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onlyInFullRun } from '../../tests/support/longTests.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const isInPart = (file) => file.endsWith('.test.ts') && readFileSync(join(root, file), 'utf8').includes('/fullRun.js');
const inPart = readdirSync(join(root, 'tests'), { recursive: true })
  .map((name) => `tests/${name.replaceAll('\\', '/')}`)
  .filter((file) => !file.includes('node_modules') && isInPart(file));
const given = process.argv.slice(2);
const chosen = given.length > 0 ? given : [...onlyInFullRun.map((name) => `${name}.test.ts`), ...inPart];
const jest = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];
const options = { cwd: root, stdio: 'inherit', env: { ...process.env, TEST_RUN: 'full' } };
process.exit(spawnSync(process.execPath, [...jest, ...chosen], options).status ?? 1);
