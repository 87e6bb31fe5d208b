import { beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { ended, jobKinds, solutionOf, type Job } from '../../shared/jobs/job.js';
import { JobStore } from '../../shared/jobs/jobStore.js';
import { workOfJob } from '../jobs/aJob.js';
import { call, cancelGdd, createGdd, fetchGdd, newJobId, service, tokenOf, untilEnded, type Reply } from './service.js';
import { rowsOf } from './storage.js';

const list = (query: string, token?: string): Promise<Reply> =>
  call(`/v1/jobs${query}`, token === undefined ? {} : { token });

/** A tenant that the service knows, without jobs of its own. */
const store = new JobStore(rowsOf('work'));
const own = tokenOf('demo', '--roles', 'Jobs.Read');

/** Made in the past and ended, so that nobody works on them; a run of the tests finds those of runs before. */
const RUN = randomUUID().slice(0, 8);
const COUNT = 60;
let tenant: string;
/** Newest first. */
let all: Job[];

beforeAll(async () => {
  tenant = (JSON.parse(Buffer.from(own.split('.')[1] ?? '', 'base64url').toString('utf8')) as { tid: string }).tid;
  all = Array.from({ length: COUNT }, (_, index): Job => {
    const createdAt = Date.parse('2031-01-01T00:00:00Z') - index;
    const solution = solutionOf(jobKinds[index % 3 === 0 ? 1 : 0]);
    const common = { tenant, solution, jobId: `listed-${RUN}-${index}`, e2eId: randomUUID(), parameters: {} };
    return { ...common, status: 'WAITING', createdAt, lastActionAt: createdAt, epoch: 0 };
  });
  await Promise.all(
    all.map(async (job) => {
      await store.insert(job, workOfJob(job));
      const end = ended(job, { status: 'FAILED', failure: 'GDD-05000: x' }, job.createdAt);
      await store.replace((await store.find(job))!, end, await store.findWork(job));
    }),
  );
});

interface Page {
  readonly items: readonly { readonly requestPath: string; readonly kind: string; readonly status: string }[];
  readonly cursor: string | null;
}

/** The items of a list, page by page, until so many of this run were shown or the list is over. */
async function walk(query: string, most = Infinity): Promise<Page['items']> {
  const items: Page['items'][number][] = [];
  const isShort = (): boolean => items.filter(({ requestPath }) => requestPath.includes(RUN)).length < most;
  for (let cursor: string | null | undefined; cursor !== null && isShort();) {
    const reply = await list(`?${query}${cursor === undefined ? '' : `&cursor=${cursor}`}`);
    expect(reply.status).toBe(200);
    const page = reply.json as Page;
    items.push(...page.items);
    cursor = page.cursor;
  }
  return items;
}

describe('the list of jobs', () => {
  const idOf = ({ requestPath }: { readonly requestPath: string }): string => requestPath.split('/').at(-1) ?? '';

  test.each([200, 25, 7])('shows them newest first in pages of %i, each once', async (limit) => {
    const items = (await walk(`limit=${limit}`, COUNT)).filter((item) => idOf(item).includes(RUN));
    expect(items.map(idOf)).toEqual(all.map(({ jobId }) => jobId));
  });

  test('shows those of a kind and status alone', async () => {
    const items = await walk('kind=smartBoundary&status=FAILED&limit=9', COUNT / 3);
    const ours = items.filter((item) => idOf(item).includes(RUN));
    const wanted = all.filter(({ solution }) => solution === solutionOf('smartBoundary'));
    expect(ours.map(idOf)).toEqual(wanted.map(({ jobId }) => jobId));
    expect(ours[0]).toEqual({
      requestPath: `/v1/smart-boundary/${wanted[0]?.jobId}`,
      kind: 'smartBoundary',
      status: 'FAILED',
      jobCreatedDateTime: new Date(wanted[0]?.createdAt ?? 0).toISOString(),
    });
  });

  test('names what it shows of a job as a fetch of it does', async () => {
    const jobId = newJobId();
    await createGdd(jobId);
    const { json: fetched } = await untilEnded(() => fetchGdd(jobId));
    const items = await walk('kind=gdd&status=SUCCEEDED&limit=200');
    const found = items.find((item) => idOf(item) === jobId);
    const { status, jobCreatedDateTime, jobProcessingEndDateTime, insightId, partnerRequestBody } = fetched;
    const { crop, partyId, resourceId } = partnerRequestBody as Readonly<Record<string, string>>;
    const shared = { status, jobCreatedDateTime, jobProcessingEndDateTime, insightId, crop, partyId, resourceId };
    expect(found).toEqual({ requestPath: `/v1/gdd/${jobId}`, kind: 'gdd', ...shared });
  });

  test('shows a cancelled job as such at once, and under no other status', async () => {
    const jobId = newJobId();
    await createGdd(jobId);
    // Whoever comes first: the job is cancelled, or it has succeeded.
    const { status } = (await cancelGdd(jobId)).status === 200 ? { status: 'CANCELLED' } : { status: 'SUCCEEDED' };
    for (const each of ['WAITING', 'RUNNING', 'SUCCEEDED', 'FAILED', 'CANCELLED']) {
      const items = await walk(`kind=gdd&status=${each}&limit=200`);
      expect([each, items.some((item) => idOf(item) === jobId)]).toEqual([each, each === status]);
    }
  });

  test("is another tenant's own", async () => {
    const reply = await list('', tokenOf('unlicensed'));
    expect(reply.status).toBe(200);
    expect(reply.text).not.toContain(RUN);
  });
});

describe('what a list of jobs refuses, in the form of job errors', () => {
  const cursorOf = async (query: string): Promise<string> => {
    const { cursor } = (await list(`?limit=1&${query}`)).json as Page;
    return cursor ?? '';
  };

  const refused = (reply: Reply, text: string): void => {
    expect(reply.status).toBe(400);
    expect(reply.json).toMatchObject({ error: { code: 'BadRequest' } });
    expect(reply.json.error.message).toContain(text);
    expect(reply.json.traceId).toMatch(/^[0-9a-f]{32}$/);
  };

  test("another tenant's cursor", async () => {
    refused(
      await list(`?cursor=${await cursorOf('')}`, tokenOf('unlicensed')),
      'query.cursor is not a cursor of this list',
    );
  });

  test.each(['kind=gdd', 'status=FAILED', 'kind=gdd&status=FAILED'])(
    'a cursor with another filter: %s',
    async (query) => {
      refused(await list(`?cursor=${await cursorOf('')}&${query}`), 'query.cursor');
      expect((await list(`?cursor=${await cursorOf(query)}&${query}`)).status).toBe(200);
    },
  );

  test('a cursor of the list of enrollments, a changed one and none at all', async () => {
    const cursor = await cursorOf('');
    const changed = `${cursor.slice(0, -2)}${cursor.at(-2) === 'A' ? 'B' : 'A'}${cursor.slice(-1)}`;
    for (const hostile of [changed, '', 'AAAA', '%00', encodeURIComponent("' or PartitionKey ne '"), '..%2F..']) {
      refused(await list(`?cursor=${hostile}`), 'query.cursor');
    }
    refused(await list(`?cursor=${'A'.repeat(600)}`), 'query.cursor must have at most 512 characters');
  });

  test.each([
    ['kind=soil', 'query.kind must be one of gdd, smartBoundary'],
    ['status=waiting', 'query.status must be one of WAITING'],
    ['limit=0', 'query.limit must be 1 or more'],
    ['limit=ten', 'query.limit must be an integer'],
    ['kind=gdd&kind=gdd', 'query.kind must be'],
  ])('%s', async (query, text) => {
    refused(await list(`?${query}`), text);
  });

  test('a key of a customer', async () => {
    const reply = await call('/v1/jobs', { token: null, headers: { 'api-key': service.apiKey } });
    expect(reply.status).toBe(401);
  });
});
