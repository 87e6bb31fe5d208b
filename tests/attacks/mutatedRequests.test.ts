import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { functionTable } from '../../functions/functionTable.js';
import { methodsOf } from '../../shared/http/route.js';
import { expectDocumented, service, type Reply } from '../contract/service.js';
import { mutatedRequest, type MutatedRequest } from './mutations.js';
import { closeConnections, sendRaw, type RawReply } from './rawRequest.js';
import { tries } from '../support/fullRun.js';

afterAll(closeConnections);

/** ATTACK_REQUESTS and ATTACK_SEED make it more, or others. */
const COUNT = Number(process.env['ATTACK_REQUESTS'] ?? tries(1_000));
const SEED = Number(process.env['ATTACK_SEED'] ?? 20_260_501);
const CALLERS = 8;
/** 70 % of the 2,048 MB that an instance has. */
const MOST_MEMORY_KB = 1_434 * 1024;

const directory = dirname(process.env['SERVICE_FILE'] ?? '');
const hostPid = (): string => readFileSync(join(directory, 'host.pid'), 'utf8').trim();

/** Memory of the host in KB; undefined where the system has no /proc. */
function hostMemoryKb(): number | undefined {
  const file = `/proc/${hostPid()}/status`;
  if (!existsSync(file)) return undefined;
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(file, 'utf8'))?.[1]);
}

/** What no answer may hold: traces of the code, of where it lies, or anybody's credential. */
const TOLD_TOO_MUCH =
  /\bat (async )?[\w.<>]+ ?\(|node_modules|node:internal|\.m?[jt]s:\d+|\/dist\/|Ajv|TypeError|RangeError/;

/** What the host itself answers before a function is reached: without a word. */
const isHostAnswer = ({ status, text }: RawReply): boolean => text === '' && [400, 404, 414, 431].includes(status);

/** What no answer may be or say; undefined when it is well. */
function leakIn({ status, text }: RawReply): string | undefined {
  if (status === 500) return `500: ${text.slice(0, 300)}`;
  if (status >= 400 && TOLD_TOO_MUCH.test(text)) return `tells too much: ${text.slice(0, 300)}`;
  return text.includes(service.apiKey) || text.includes(service.jwt) ? 'shows a credential' : undefined;
}

/** Whether an operation has this method and path. */
const hasOperation = (method: string, pathname: string): boolean =>
  functionTable.routes.some((route) => {
    const pattern = route.path.replaceAll('.', '\\.').replaceAll(/\{[^}]+\}/g, '[^/]+');
    return methodsOf(route).includes(method) && new RegExp(`^/${pattern}$`).test(pathname);
  });

/** What is wrong with an answer; undefined when it is one of those the document describes. */
async function complaintAbout(request: MutatedRequest, reply: RawReply): Promise<string | undefined> {
  const leak = leakIn(reply);
  const { pathname } = new URL(`http://x${request.path}`);
  // The host folds dots away, and a changed part may make another path: one that no operation has.
  const isElsewhere = !hasOperation(request.method, pathname) || pathname !== request.path.replace(/\?.*/, '');
  const isUnknownPath =
    [404, ...(isElsewhere ? [400, 405, 413] : [])].includes(reply.status) && reply.text.includes('"code"');
  if (leak !== undefined || isHostAnswer(reply) || isUnknownPath) return leak;
  const isJson = reply.headers['content-type']?.includes('application/json') === true;
  const json: unknown = isJson ? JSON.parse(reply.text) : undefined;
  const seen: Reply = { status: reply.status, headers: new Headers(), text: reply.text, json };
  return expectDocumented(request.method, pathname, seen).then(
    () => undefined,
    (error: unknown) => String(error),
  );
}

describe(`${COUNT} requests with something wrong in them (seed ${SEED})`, () => {
  const complaints: string[] = [];
  const statuses = new Map<number, number>();
  let pidBefore: string;
  let mostMemoryKb: number | undefined;

  beforeAll(async () => {
    pidBefore = hostPid();
    const waiting = fc.sample(mutatedRequest, { seed: SEED, numRuns: COUNT }).entries();
    const caller = async (): Promise<void> => {
      for (const [number, request] of waiting) {
        const reply = await sendRaw(request);
        statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
        const complaint = await complaintAbout(request, reply);
        if (complaint !== undefined) {
          complaints.push(
            `${number} ${request.method} ${request.path.slice(0, 80)} [${request.what.join('; ')}]: ${complaint}`,
          );
        }
      }
    };
    await Promise.all(Array.from({ length: CALLERS }, caller));
    mostMemoryKb = hostMemoryKb();
  });

  test('are answered as the OpenAPI document says, never with 500, and tell nothing about the code', () => {
    expect(complaints.slice(0, 10)).toEqual([]);
  });

  test('are mostly refused, for many different reasons', () => {
    const refused = [...statuses].filter(([status]) => status >= 400).reduce((sum, [, count]) => sum + count, 0);
    expect(refused).toBeGreaterThan(COUNT / 3);
    // Too large, or of another type, is one of some hundred.
    const rare = COUNT < 1_000 ? [] : [413, 415];
    expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 202, 400, 401, 404, ...rare, 422]));
  });

  test('leave the host alive, within its memory, and as good as before', async () => {
    expect(hostPid()).toBe(pidBefore);
    expect(mostMemoryKb ?? 0).toBeLessThan(MOST_MEMORY_KB);
    expect((await sendRaw({ method: 'GET', path: '/ready' })).status).toBe(200);
  });
});
