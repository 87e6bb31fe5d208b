import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

const program = resolve('tools/deploy/settingsGrow.mjs');
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'settings-'));
  mkdirSync(join(folder, 'infra/azure/modules'), { recursive: true });
  mkdirSync(join(folder, 'shared/wiring/settings'), { recursive: true });
  git(['init', '--quiet']);
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const git = (args: readonly string[], daysAgo = 0): void => {
  const date = new Date(Date.now() - daysAgo * 86_400_000).toISOString();
  const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false'];
  const env = { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  const { status, stderr } = spawnSync('git', [...who, ...args], { cwd: folder, env, encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
};

/** A commit whose infrastructure sets some settings and whose code reads some. */
function committed(daysAgo: number, set: readonly string[], read: readonly string[]): void {
  const settings = set.map((name) => `  ${name}: 'x'\n`).join('');
  writeFileSync(join(folder, 'infra/azure/modules/settings.bicep'), `func settingsOf() object => {\n${settings}}\n`);
  writeFileSync(join(folder, 'shared/wiring/settings/config.ts'), read.map((name) => `${name}: 1\n`).join(''));
  git(['add', '-A']);
  git(['commit', '--quiet', '--allow-empty', '-m', 'x'], daysAgo);
}
/** Age in days, settings that are set, settings that are read. */
type Version = readonly [daysAgo: number, set: readonly string[], read: readonly string[]];

const compared = (): { status: number | null; said: string } => {
  const { status, stderr } = spawnSync(process.execPath, [program], { cwd: folder, encoding: 'utf8' });
  return { status, said: stderr };
};

test.each<{ what: string; commits: readonly Version[] }>([
  {
    what: 'come',
    commits: [
      [30, ['A_A'], ['A_A']],
      [0, ['A_A', 'B_B'], ['A_A', 'B_B']],
    ],
  },
  {
    what: 'are read no more and stay',
    commits: [
      [30, ['A_A'], ['A_A']],
      [0, ['A_A'], []],
    ],
  },
  {
    what: 'go when the last code that read them is older than packages are kept',
    commits: [
      [200, ['A_A'], ['A_A']],
      [100, ['A_A', 'B_B'], []],
      [0, ['B_B'], []],
    ],
  },
])('settings may $what', ({ commits }) => {
  for (const commit of commits) committed(...commit);
  expect(compared()).toEqual({ status: 0, said: '' });
});

test.each<{ when: string; commits: readonly Version[] }>([
  {
    when: 'with the code that reads them',
    commits: [
      [30, ['A_A'], ['A_A']],
      [0, [], []],
    ],
  },
  {
    when: 'with the last version before the 90 days still in use',
    commits: [
      [200, ['A_A'], ['A_A']],
      [0, [], []],
    ],
  },
])('settings may not go $when', ({ commits }) => {
  for (const commit of commits) committed(...commit);
  const { status, said } = compared();
  expect(status).toBe(1);
  expect(said).toMatch(
    /^A_A is gone from .*, and the package of [0-9a-f]{12}, which may still come back, reads it\.\n$/,
  );
});
