import { describe, expect, test } from '@jest/globals';
import { customersByUrl, jobsByUrl, operateByUrl, tenantsByUrl, backupByUrl } from '../../infra/local/operate/byUrl.js';
import { noticesByUrl } from '../../infra/local/notices/noticeCommand.js';
import { operatorArguments } from '../../infra/local/operate/operatorArguments.js';
import { operatorToken, tokenArguments } from '../../infra/local/operate/operatorToken.js';
import { remoteCommand, remoteState } from '../../infra/local/operate/remoteCommand.js';
import { audited } from '../../infra/local/operate/audited.js';
import { AuditStore } from '../../shared/operate/audit/auditStore.js';
import { CustomerRefusal } from '../../shared/access/customers/manageCustomers.js';
import { CommandBody, commandFaults } from '../../shared/operate/commands/commandBody.js';
import { faultsOf } from '../../shared/kit/validation/validator.js';
import { ManualClock } from '../support/manualClock.js';
import { MemoryRows } from '../support/memoryRows.js';

const TENANT = '11111111-1111-4111-8111-111111111111';

describe('the arguments of every program', () => {
  test('have address and reason taken out, wherever and however they stand', () => {
    const argv = ['--reason', 'Because of a leak', 'revoke', '--url=https://x.test', 'key1'];
    const given = { url: 'https://x.test', reason: 'Because of a leak', own: ['revoke', 'key1'], isDryRun: false };
    expect(operatorArguments(argv)).toEqual(given);
    expect(operatorArguments([...argv, '--dry-run'])).toEqual({ ...given, isDryRun: true });
    expect(() => operatorArguments(['--url'])).toThrow('--url takes a value');
  });
});

describe('what the service carries out for a program', () => {
  test.each([
    { by: customersByUrl, own: ['list', 'acres'], command: 'keys.list' },
    { by: customersByUrl, own: ['revoke', 'key1'], command: 'keys.revoke' },
    { by: customersByUrl, own: ['purge', 'acres', '--yes'], command: 'customers.purge' },
    { by: tenantsByUrl, own: ['hold', TENANT], command: 'tenants.hold' },
    { by: tenantsByUrl, own: ['release', TENANT], command: 'tenants.release' },
    { by: tenantsByUrl, own: ['purge', TENANT], command: 'tenants.purge' },
    { by: jobsByUrl, own: ['redrive', TENANT, 'gdd', 'corn'], command: 'jobs.redrive' },
    { by: backupByUrl, own: ['now'], command: 'backup.now' },
    { by: noticesByUrl, own: ['list', 'c_acres'], command: 'notices.list' },
    { by: noticesByUrl, own: ['disable', 'c_acres', 'wh_1'], command: 'notices.disable' },
    { by: noticesByUrl, own: ['drop', `t_${TENANT}`, '--yes'], command: 'notices.drop' },
    { by: operateByUrl, own: ['drain.start', 'minutes=10'], command: 'drain.start' },
    { by: operateByUrl, own: ['work.drop', 'kind=backfill', 'id=a|b=c'], command: 'work.drop' },
    { by: operateByUrl, own: ['who', 'a24f793be785'], command: 'who' },
  ])('$own is $command, in a form that it takes', ({ by, own, command }) => {
    const asked = { ...by(own), reason: 'Because of a leak' };
    expect(asked).toMatchObject({ command });
    expect([...faultsOf(CommandBody, asked), ...commandFaults(asked)]).toEqual([]);
  });

  test('is a purge only with --yes, else a dry run', () => {
    expect(tenantsByUrl(['purge', TENANT])).toMatchObject({ dryRun: true });
    expect(tenantsByUrl(['purge', TENANT, '--yes'])).not.toHaveProperty('dryRun');
  });

  // What is not understood might have been meant to keep the command from being carried out.
  test.each([
    { by: customersByUrl, own: ['revoke', 'key1', '--dryrun'] },
    { by: customersByUrl, own: ['purge', 'acres', '--yes', '--grace'] },
    { by: tenantsByUrl, own: ['hold', TENANT, '--yes'] },
    { by: jobsByUrl, own: ['redrive', TENANT, 'gdd', 'corn', 'wheat'] },
    { by: backupByUrl, own: ['now', '2026-11-20T0210'] },
  ])('is refused where a word is left over: $own', ({ by, own }) => {
    expect(() => by(own)).toThrow(`${own.at(-1) ?? ''} is nothing that`);
  });

  test.each([
    { by: customersByUrl, own: ['create', 'acres'] },
    { by: customersByUrl, own: ['list'] },
    { by: tenantsByUrl, own: ['add', TENANT] },
    { by: tenantsByUrl, own: ['enable', TENANT] },
    { by: backupByUrl, own: ['restore', 'latest'] },
  ])('is nothing that widens: $own', ({ by, own }) => {
    expect(by(own)).toBeUndefined();
  });
});

describe('a token of an operator', () => {
  test('comes from az for the scope Operate of the service, with its audience written either way', () => {
    const scope = ['--scope', 'api://1b2c/Operate'];
    expect([tokenArguments('api://1b2c'), tokenArguments('1b2c')]).toEqual([
      expect.arrayContaining(scope),
      expect.arrayContaining(scope),
    ]);
    const environment = { TOKEN_AUDIENCE: '1b2c' };
    expect(operatorToken('https://x.test', environment, () => 'token\n')).toBe('token');
    expect(() => operatorToken('https://x.test', environment, () => undefined)).toThrow('az login');
    expect(() => operatorToken('https://x.test', {})).toThrow('TOKEN_AUDIENCE is missing');
  });
});

describe('a command by address', () => {
  function service(answers: readonly { readonly status: number; readonly json: unknown }[]) {
    const asked: string[] = [];
    const left = [...answers];
    const send = (url: URL, init: { method: string }) => {
      asked.push(`${init.method} ${url.pathname}`);
      const { status, json } = left.shift()!;
      return Promise.resolve(new Response(JSON.stringify(json), { status }));
    };
    const remote = { url: 'https://x.test', token: 't', say: () => undefined, fetch: send as typeof fetch, pauseMs: 1 };
    return { asked, remote };
  }
  const operation = { operationId: 'op', result: { rows: 3 }, message: null };

  test('is waited for until it has ended', async () => {
    const { asked, remote } = service([
      { status: 202, json: { ...operation, status: 'Running' } },
      { status: 200, json: { ...operation, status: 'Running' } },
      { status: 200, json: { ...operation, status: 'Done' } },
    ]);
    expect(await remoteCommand(remote, { command: 'backup.now' }, 'Before a change.')).toEqual({ rows: 3 });
    expect(asked).toEqual(['POST /operate/v1/commands', ...Array<string>(2).fill('GET /operate/v1/operations/op')]);
  });

  test('that fails or is refused says so in the words of the service', async () => {
    const failed = service([{ status: 200, json: { ...operation, status: 'Failed', message: 'No room.' } }]);
    await expect(remoteCommand(failed.remote, { command: 'backup.now' }, 'x')).rejects.toThrow('Failed: No room.');
    const refused = service([{ status: 403, json: { error: { code: 'Forbidden', message: 'No role.' } } }]);
    await expect(remoteState(refused.remote)).rejects.toThrow('403: No role.');
  });
});

describe('a program that works on storage', () => {
  async function run(own: readonly string[], command: () => Promise<unknown>) {
    const lines: unknown[] = [];
    const rows = new MemoryRows();
    const ports = {
      audit: new AuditStore(rows),
      by: () => Promise.resolve('ada@contoso.com'),
      clock: new ManualClock(),
      log: (event: string, facts: object) => void lines.push({ event, ...facts }),
    };
    const end = await audited('customers', ['revoke'], command, () => ports)(own, 'Because of a leak').catch(String);
    return { end, lines, rows: rows.all() };
  }

  test('writes the line and the row of a change, with who and why', async () => {
    const { lines, rows } = await run(['revoke', 'key1'], () => Promise.resolve('done'));
    const said = { by: 'ada@contoso.com', reason: 'Because of a leak', command: 'customers revoke' };
    expect(lines).toMatchObject([{ event: 'Operate:Done', outcome: 'Done', target: '{"arguments":"key1"}', ...said }]);
    expect(rows).toMatchObject([{ status: 'Done', ...said }]);
  });

  test('writes those that were refused, and nothing of a look', async () => {
    const { end, lines } = await run(['revoke', 'none'], () => Promise.reject(new CustomerRefusal('No such key.')));
    expect([end, lines]).toMatchObject(['Error: No such key.', [{ outcome: 'Refused', message: 'No such key.' }]]);
    expect(await run(['list'], () => Promise.resolve([]))).toEqual({ end: [], lines: [], rows: [] });
  });
});
