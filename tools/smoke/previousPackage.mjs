// Fetches the package that an environment runs now, so that it can go back: node tools/smoke/previousPackage.mjs <base
// url> <folder>. Runs in a GitHub workflow with GH_TOKEN; prints `package=<path>`, or nothing when there is none to
// fetch: at the first deployment, or when the package is older than its 90 days.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const [baseUrl, folder] = process.argv.slice(2);
const repository = process.env.GITHUB_REPOSITORY;

async function runningCommit() {
  try {
    const response = await fetch(`${baseUrl}/health`, { signal: AbortSignal.timeout(30_000) });
    const { commit } = await response.json();
    return /^[0-9a-f]{40}$/.test(commit) ? commit : undefined;
  } catch {
    return undefined; // Nothing runs there yet.
  }
}

function gh(...args) {
  const { status, stdout } = spawnSync('gh', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
  return status === 0 ? stdout.trim() : undefined;
}

const commit = await runningCommit();
const name = `package-${commit}`;
const query = '[.artifacts[] | select(.expired | not)][0].workflow_run.id // empty';
const run =
  commit === undefined ? undefined : gh('api', `repos/${repository}/actions/artifacts?name=${name}`, '--jq', query);
if (run) {
  gh('run', 'download', run, '--repo', repository, '--name', name, '--dir', folder);
  const file = join(folder, 'package.zip');
  if (existsSync(file)) console.log(`package=${file}`);
}
