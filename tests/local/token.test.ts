import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const directory = mkdtempSync(join(tmpdir(), 'token-'));
const program = join(directory, 'token.mjs');

beforeAll(async () => {
  await build({
    entryPoints: ['infra/local/token.ts'],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
  });
});
afterAll(() => {
  rmSync(directory, { recursive: true });
});

function run(...args: readonly string[]): {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
} {
  const env = { ...process.env, LOCAL_DIR: join(directory, 'local') };
  return spawnSync(process.execPath, [program, ...args], { encoding: 'utf8', env });
}

describe('the program behind npm run token', () => {
  test('prints the token and nothing else, with no service running', () => {
    const { status, stdout, stderr } = run('--tenant', 'demo', '--expires', '2h');
    expect(stdout).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+\n$/);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  test('says on standard error what is wrong, prints no token and ends with 1', () => {
    const { status, stdout, stderr } = run('--expires', 'soon');
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/--expires soon is no lifetime[^]*Usage: npm run --silent token/);
  });
});
