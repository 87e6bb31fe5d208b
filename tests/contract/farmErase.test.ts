import { expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describeInFull } from '../support/fullRun.js';
import { service } from './service.js';

const directory = dirname(process.env['SERVICE_FILE'] ?? '');

/** Runs a command of operators on the service of all tests. @returns what it prints */
async function operate(command: string, ...args: readonly string[]): Promise<string> {
  const env = { ...process.env, LOCAL_DIR: directory };
  const { stdout } = await promisify(execFile)(process.execPath, [`build/local/${command}.mjs`, ...args], { env });
  return stdout;
}

const VERSION = 'api-version=2023-11-01-preview';

// The service gives the work its slot within a minute or so, and pauses twice.
describeInFull('a party of a tenant whose farm data the service keeps', () => {
  const tid = randomUUID();
  const folder = mkdtempSync(join(tmpdir(), 'party-'));

  test('is exported and erased by commands, while the service runs', async () => {
    await operate('tenants', 'add', tid);
    const jwt = (await operate('token', '--tenant', tid, '--roles', 'Farm.ReadWrite')).trim();
    const call = (method: string, path: string, body?: object): Promise<Response> =>
      fetch(`${service.baseUrl}/${path}?${VERSION}`, {
        method,
        headers: { authorization: `Bearer ${jwt}`, 'content-type': 'application/merge-patch+json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    // The service may have read its register a moment ago.
    while ((await call('GET', 'parties/party')).status === 401) await new Promise((done) => setTimeout(done, 250));
    expect((await call('PATCH', 'parties/party', { name: 'Party' })).status).toBe(201);
    expect((await call('PATCH', 'parties/party/fields/field', { name: 'Field' })).status).toBe(201);
    await operate('farm', 'export', tid, 'party', '-o', folder);
    const lines = readFileSync(join(folder, 'resources.ndjson'), 'utf8').trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { path: string }).path)).toEqual([
      ...['/parties/party', '/parties/party/fields/field'],
    ]);
    expect(JSON.parse(await operate('farm', 'erase', tid, 'party', '--yes'))).toMatchObject({ erased: { fields: 1 } });
    expect((await call('GET', 'parties/party')).status).toBe(404);
    expect((await call('GET', 'parties/party/fields/field')).status).toBe(404);
    expect((await call('PATCH', 'parties/party', { name: 'New' })).status).toBe(201);
    rmSync(folder, { recursive: true });
  });
});
