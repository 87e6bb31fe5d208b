// Settings of the app only grow, as long as a package that reads them may come back: the way back brings the code before and
// leaves the settings. Compares infra/azure/modules/settings.bicep with every version of it in the 90 days for which packages
// are kept: node tools/deploy/settingsGrow.mjs. A setting goes in two steps: first the code that reads it, then, 90 days later,
// the setting.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const FILE = 'infra/azure/modules/settings.bicep';
const DAYS = 90;

const git = (...args) => {
  const { status, stdout, stderr } = spawnSync('git', args, { encoding: 'utf8', maxBuffer: 64 << 20 });
  if (status > 1) throw new Error(`git ${args[0]}: ${stderr}`);
  return stdout.trim();
};
const lines = (text) => text.split('\n').filter((line) => line !== '');
const namesIn = (text) => [...text.matchAll(/^ {2}([A-Z]\w+): /gm)].map(([, name]) => name);

if (git('rev-parse', '--is-shallow-repository') === 'true') throw new Error('The history is needed: fetch-depth: 0.');
const since = `--since=${DAYS}.days`;
const before = `--before=${DAYS}.days`;
const versions = [
  ...lines(git('log', since, '--format=%H', '--', FILE)),
  git('log', '-1', before, '--format=%H', '--', FILE),
];
const now = new Set(namesIn(readFileSync(FILE, 'utf8')));
const gone = new Map();
for (const version of versions.filter((commit) => commit !== '')) {
  for (const name of namesIn(git('show', `${version}:${FILE}`))) {
    const isRead = !now.has(name) && !gone.has(name) && git('grep', '-lw', name, version, '--', 'shared') !== '';
    if (isRead) gone.set(name, version.slice(0, 12));
  }
}
for (const [name, version] of gone) {
  console.error(`${name} is gone from ${FILE}, and the package of ${version}, which may still come back, reads it.`);
}
if (gone.size > 0) process.exitCode = 1;
