import { beforeAll, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { farmOf, newTenants, square, VERSION, withVersion, type FarmCalls } from './farmCalls.js';
import { call, service, tokenOf } from './service.js';

let tid: string;
let calls: FarmCalls;

/** A party of its own with a farm and a field. */
async function aParty({ patch }: Pick<FarmCalls, 'patch'> = calls): Promise<string> {
  const party = `party-${randomUUID()}`;
  await patch(`/parties/${party}`);
  await patch(`/parties/${party}/farms/farm`);
  await patch(`/parties/${party}/fields/field`, { farmId: 'farm', geometry: square });
  return party;
}

const targets = [
  { kind: 'Party', folder: 'parties', below: '', parameter: '' },
  { kind: 'Farm', folder: 'farms', below: '/farms/farm', parameter: '&farmId=farm' },
  { kind: 'Field', folder: 'fields', below: '/fields/field', parameter: '&fieldId=field' },
] as const;
type Target = (typeof targets)[number];

const queryOf = ({ parameter }: Target, party: string): string => `partyId=${party}${parameter}`;
const newJobOf = ({ folder }: Target): string => `/${folder}/cascade-delete/job-${randomUUID()}`;

/** The cascade delete of a target by a tenant that has no other. */
async function aDeletion(target: Target, tenant: string) {
  const own = farmOf(tenant);
  const [party, job] = [await aParty(own), newJobOf(target)];
  return { ...own, party, job, started: await own.farm('PUT', job, { query: queryOf(target, party) }) };
}

type Deletion = Awaited<ReturnType<typeof aDeletion>>;
/** They wait for late writers most of the time: all do at once, and meanwhile the other tests run. */
let deletions: ReadonlyMap<Target, Deletion>;
beforeAll(async () => {
  const [first = '', ...others] = await newTenants(1 + targets.length);
  tid = first;
  calls = farmOf(tid);
  const begun = targets.map(async (target, index) => [target, await aDeletion(target, others[index]!)] as const);
  deletions = new Map(await Promise.all(begun));
});

describe.each(targets)('the cascade delete of a $kind', (target) => {
  const newJob = (): string => newJobOf(target);
  const put = (job: string, query: string) => calls.farm('PUT', job, { query });

  test('is one of its id: 202 again for the same resource, 409 for another', async () => {
    const [party, other, job] = [await aParty(), await aParty(), newJob()];
    const started = await put(job, queryOf(target, party));
    expect((await put(job, queryOf(target, party))).json.createdDateTime).toBe(started.json.createdDateTime);
    const refused = await put(job, queryOf(target, other));
    expect([refused.status, refused.json.error.code]).toEqual([409, 'Conflict']);
  });

  test('names a resource that is there by ids that are some: 400, 404', async () => {
    const party = await aParty();
    const statusOf = async (job: string, query: string) => (await put(job, query)).status;
    expect(await statusOf(newJob(), queryOf(target, 'nobody'))).toBe(404);
    expect(await statusOf(newJob(), '')).toBe(400);
    expect(await statusOf(newJob(), `${queryOf(target, party)}&x=1`)).toBe(400);
    expect(await statusOf(newJob(), queryOf(target, 'a|b'))).toBe(400);
    expect(await statusOf(`/${target.folder}/cascade-delete/a|b`, queryOf(target, party))).toBe(400);
    expect((await calls.get(newJob())).status).toBe(404);
  });

  test('is for those who may write: 401, 403', async () => {
    const address = withVersion(newJob(), queryOf(target, 'party'));
    const statusFor = async (token: string | null) => (await call(address, { method: 'PUT', token })).status;
    expect(await statusFor(null)).toBe(401);
    expect(await statusFor(tokenOf(tid, '--roles', 'Farm.Read'))).toBe(403);
    expect(await statusFor(tokenOf(tid, '--roles', 'Jobs.ReadWrite'))).toBe(403);
  });
});

describe('a path with the id of a cascade delete', () => {
  test.each(['farms', 'fields'])('that is called `%s` is the cascade delete, no list of a party', async (jobId) => {
    const party = await aParty();
    expect((await calls.farm('PUT', `/parties/cascade-delete/${jobId}`, { query: `partyId=${party}` })).status).toBe(
      202,
    );
    expect((await calls.get(`/parties/cascade-delete/${jobId}`)).json).toMatchObject({
      id: jobId,
      resourceType: 'Party',
    });
  });

  test.each(['PATCH', 'DELETE', 'GET'])('%s without the id is a party of a reserved name: 400', async (method) => {
    const headers = { 'content-type': 'application/merge-patch+json' };
    const body = method === 'PATCH' ? { body: '{}', headers } : {};
    const { status, json } = await calls.farm(method, '/parties/cascade-delete', body);
    expect([status, json.error.code]).toEqual([400, 'InvalidRequest']);
  });
});

describe.each(targets)('a cascade delete of a $kind that has ended', (target) => {
  const { kind, below } = target;

  test('has deleted it with all that lies below it', async () => {
    const { party, job, started, get, patch } = deletions.get(target)!;
    expect(started.status).toBe(202);
    const resourceId = kind === 'Party' ? party : kind.toLowerCase();
    expect(started.json).toMatchObject({ partyId: party, resourceId, resourceType: kind, status: 'Waiting' });
    const link = `${service.baseUrl}${job}?api-version=${VERSION}`;
    expect(started.headers.get('operation-location')).toBe(link);
    expect(started.headers.get('location')).toBe(link);
    let looked = await get(job);
    while (['Waiting', 'Running'].includes(looked.json.status as string)) {
      await new Promise((done) => setTimeout(done, 1_000));
      looked = await get(job);
    }
    // Pollers end with the address of their PUT.
    expect((await get(job, queryOf(target, party))).json).toEqual(looked.json);
    expect(looked.json).toMatchObject({
      status: 'Succeeded',
      message: expect.any(String),
      endTime: expect.any(String),
    });
    expect((await get(`/parties/${party}${below}`)).status).toBe(404);
    expect((await get(`/parties/${party}/fields/field`)).status).toBe(404);
    expect((await get('/parties', `ids=${party}`)).json.value).toHaveLength(kind === 'Party' ? 0 : 1);
    expect((await patch(`/parties/${party}${below}`)).status).toBe(201);
  });
});
