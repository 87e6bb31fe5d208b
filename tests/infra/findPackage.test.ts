import { spawnSync, execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

const bytes = 'the package';
const hash = createHash('sha256').update(bytes).digest('hex');
const commit = 'c'.repeat(40);
const passed = {
  conclusion: 'success',
  head_branch: 'main',
  event: 'push',
  path: '.github/workflows/ci.yml',
  head_sha: commit,
};
const artifacts = [{ name: `package-${hash}`, expired: false, workflow_run: { id: 7 } }];

/** What GitHub answers, by the end of the path. */
const answers: Record<string, unknown> = {
  'runs/7': passed,
  'runs/7/artifacts': { artifacts },
  'runs/8': { ...passed, conclusion: 'failure' },
  'runs/9': { ...passed, path: '.github/workflows/other.yml' },
  'runs/10': { ...passed, head_branch: 'feature' },
  'runs/11/artifacts': { artifacts: [{ ...artifacts[0], expired: true }] },
  'runs/11': passed,
  [`artifacts?name=package-${hash}`]: { artifacts },
  [`artifacts?name=package-${'0'.repeat(64)}`]: { artifacts: [] },
  [`workflows/ci.yml/runs?branch=main&event=push&status=success&head_sha=${commit}`]: {
    workflow_runs: [{ id: 11 }, { id: 7 }],
  },
};

/** Stands for `gh`: answers from the list, and writes what is downloaded. */
const gh = `#!${process.execPath}
  const { mkdirSync, writeFileSync } = require('node:fs');
  const [command, ...rest] = process.argv.slice(2);
  if (command === 'api') {
    const answer = JSON.parse(process.env.ANSWERS)[rest[0].replace('repos/o/r/actions/', '')];
    if (answer === undefined) { console.error('HTTP 404'); process.exit(1); }
    console.log(JSON.stringify(answer));
  } else {
    const folder = rest[rest.indexOf('--dir') + 1];
    mkdirSync(folder, { recursive: true });
    writeFileSync(folder + '/package.zip', process.env.BYTES);
  }`;

let folder = '';
const environment = (changes: object = {}): NodeJS.ProcessEnv => ({
  ...process.env,
  PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}`,
  GITHUB_REPOSITORY: 'o/r',
  ANSWERS: JSON.stringify(answers),
  BYTES: bytes,
  ...changes,
});
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'gh-'));
  writeFileSync(join(folder, 'gh'), gh, { mode: 0o755 });
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const find = (args: readonly string[], changes: object = {}) =>
  spawnSync(process.execPath, ['tools/deploy/findPackage.mjs', ...args], {
    env: environment(changes),
    encoding: 'utf8',
  });
const found = `hash=${hash}\nrun=7\ncommit=${commit}\n`;

describe('the package of a deployment', () => {
  test('is the one of the run of CI that has passed', () => {
    expect(find(['--run', '7']).stdout).toBe(found);
  });
  test('is found by its hash, fetched, and compared with it', () => {
    const into = join(folder, 'by-hash');
    expect(find(['--hash', hash, '--into', into]).stdout).toBe(`${found}package=${join(into, 'package.zip')}\n`);
    expect(readFileSync(join(into, 'package.zip'), 'utf8')).toBe(bytes);
  });
  test.each([
    { why: 'CI has not passed', args: ['--run', '8'], says: 'is failure' },
    { why: 'another workflow made it', args: ['--run', '9'], says: 'other.yml' },
    { why: 'it is not of main', args: ['--run', '10'], says: 'feature' },
    { why: 'it is no longer kept', args: ['--run', '11'], says: 'no longer' },
    { why: 'nobody knows the hash', args: ['--hash', '0'.repeat(64)], says: 'No package has the hash' },
    { why: 'the hash is none', args: ['--hash', 'latest'], says: '64 digits' },
  ])('is refused when $why', ({ args, says }) => {
    const { status, stdout, stderr } = find(args);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain(says);
  });
  test('is refused when what comes has another hash', () => {
    const { status, stderr } = find(['--run', '7', '--into', join(folder, 'changed')], { BYTES: 'another' });
    expect(status).toBe(1);
    expect(stderr).toContain(`not ${hash}`);
  });
});

describe('the way back', () => {
  async function whenRunning(answer: object): Promise<string> {
    const server = createServer((_request, response) => {
      response.setHeader('content-type', 'application/json').end(JSON.stringify(answer));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const args = ['tools/deploy/findPackage.mjs', '--running', url];
    try {
      return (await promisify(execFile)(process.execPath, args, { env: environment() })).stdout;
    } finally {
      server.close();
    }
  }

  test('is the package of the commit that runs', async () => {
    expect(await whenRunning({ commit })).toBe(found);
  });
  test('is none where nothing of ours runs yet', async () => {
    expect(await whenRunning({ commit: 'unknown' })).toBe('');
    expect(find(['--running', 'http://127.0.0.1:1'])).toMatchObject({ status: 0, stdout: '' });
  });
});
