// Runs unit tests on the other Node versions that are supported, with `--contract` contract tests instead, as every night;
// `npm test` has run on the one at hand.
// The npm package `node` brings each. Chosen is what hangs on the version: memory, streams, compression, JSON and
// cryptography; arithmetic and the pages of the repository are the same everywhere.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** The oldest that is supported, the one of production, the next. */
export const nodeVersions = ['20.19', '22', '24'];

const tests = process.argv.includes('--contract')
  ? 'tests/contract/(gdd|http|imagery|sasToken)\\.test'
  : 'tests/(access/auth|http|kit|raster|storage|wiring/beside)/';
const jest = ['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js'];

function runAll() {
  const own = process.versions.node.split('.')[0];
  for (const version of nodeVersions.filter((other) => other.split('.')[0] !== own)) {
    console.error(`Tests on Node ${version} …`);
    const npx = ['--yes', '--package', `node@${version}`, '--', 'node', ...jest, tests];
    const options = { cwd: fileURLToPath(new URL('../../', import.meta.url)), stdio: 'inherit' };
    const { status } = spawnSync('npx', npx, options);
    if (status !== 0) process.exit(status ?? 1);
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) runAll();
