// Finds a package that CI has tested, and fetches it: node tools/deploy/findPackage.mjs <which> [--into <folder>]
//   --run <id>         the one of a run of CI
//   --hash <sha256>    the one of this hash
//   --running <url>    the one that this service runs now; nothing when there is none to fetch: at the first deployment,
//                      or when it is older than the 90 days for which packages are kept
// Only of a run of CI on main in which everything passed. Prints `hash=`, `run=`, `commit=` and, with --into, `package=`,
// as a step of a workflow hands them on; a file whose hash is another is refused. Runs with GH_TOKEN and GITHUB_REPOSITORY.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

const text = { type: 'string' };
const { values } = parseArgs({ options: { run: text, hash: text, running: text, into: text } });
const repository = process.env.GITHUB_REPOSITORY;

function gh(...args) {
  const { status, stdout, stderr } = spawnSync('gh', args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`gh ${args[0]} ${args[1]} failed: ${stderr}`);
  return stdout;
}
const api = (path) => JSON.parse(gh('api', `repos/${repository}/actions/${path}`));

function requireSuccess(id) {
  const { conclusion, head_branch: branch, event, path, head_sha: commit } = api(`runs/${id}`);
  const isGood = conclusion === 'success' && branch === 'main' && event === 'push';
  if (isGood && path === '.github/workflows/ci.yml') return commit;
  throw new Error(`Run ${id} is ${conclusion} (${event} to ${branch}, ${path}): only what CI has passed is deployed.`);
}

const isKept = ({ name, expired }) => /^package-[0-9a-f]{64}$/.test(name) && !expired;

function ofRun(id) {
  const commit = requireSuccess(id);
  const artifact = api(`runs/${id}/artifacts`).artifacts.find(isKept);
  if (artifact === undefined) throw new Error(`Run ${id} has no package, or no longer.`);
  return { hash: artifact.name.slice('package-'.length), run: String(id), commit };
}

function ofHash(hash) {
  if (!/^[0-9a-f]{64}$/.test(hash)) throw new Error('A package is named by the 64 digits of its SHA-256.');
  const artifact = api(`artifacts?name=package-${hash}`).artifacts.find(isKept);
  if (artifact === undefined) throw new Error(`No package has the hash ${hash}, or it is older than 90 days.`);
  return ofRun(artifact.workflow_run.id);
}

async function ofRunning(url) {
  const commit = await runningCommit(url);
  if (commit === undefined) return undefined;
  const runs = api(`workflows/ci.yml/runs?branch=main&event=push&status=success&head_sha=${commit}`).workflow_runs;
  for (const { id } of runs) if (api(`runs/${id}/artifacts`).artifacts.some(isKept)) return ofRun(id);
  return undefined;
}

async function runningCommit(url) {
  try {
    const response = await fetch(`${url}/health`, { signal: AbortSignal.timeout(30_000) });
    const { commit } = await response.json();
    return /^[0-9a-f]{40}$/.test(commit) ? commit : undefined;
  } catch {
    return undefined; // Nothing runs there yet.
  }
}

function fetched({ hash, run }, folder) {
  gh('run', 'download', run, '--repo', repository, '--name', `package-${hash}`, '--dir', folder);
  const file = join(folder, 'package.zip');
  const found = createHash('sha256').update(readFileSync(file)).digest('hex');
  if (found !== hash) throw new Error(`${file} has the hash ${found}, not ${hash}.`);
  return file;
}

async function wanted() {
  if (values.run !== undefined) return ofRun(values.run);
  if (values.hash !== undefined) return ofHash(values.hash);
  if (values.running !== undefined) return ofRunning(values.running);
  throw new Error('Name the package: --run, --hash or --running.');
}

try {
  const found = await wanted();
  if (found !== undefined) {
    const file = values.into === undefined ? {} : { package: fetched(found, values.into) };
    for (const [name, value] of Object.entries({ ...found, ...file })) console.log(`${name}=${value}`);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
