import { beforeEach, describe, expect, test } from '@jest/globals';
import { commonFaults } from '../../shared/kit/errors/catalogue.js';
import { ServiceError } from '../../shared/kit/errors/serviceError.js';
import { ownDataManager } from '../../shared/farm/operations/ownDataManager.js';
import { farmService } from './farmService.js';
import { aParty, anInsight, FarmWorld } from './farmWorld.js';
import { OTHER_TENANT as ATTACKER, TENANT as VICTIM } from './landInMemory.js';
import { Mortal } from './mortal.js';

/** Writes down every partition and blob that is asked for. */
class Recorder extends Mortal {
  readonly touched: string[] = [];

  constructor() {
    super(Infinity, false);
  }

  override uses<T extends object>(target: T): T {
    return new Proxy(super.uses(target), {
      get: (inner, name) => {
        const method: unknown = Reflect.get(inner, name);
        if (typeof method !== 'function') return method;
        return (...given: unknown[]) => {
          this.touched.push(JSON.stringify([name, ...given]));
          return method.apply(inner, given) as unknown;
        };
      },
    });
  }

  /** What was asked for of a tenant. */
  of(tenant: string): readonly string[] {
    return this.touched.filter((call) => call.includes(tenant));
  }
}

const version = 'api-version=2023-11-01-preview';
const SECRET = 'secret';
/** What the victim has: a party with the same id as the attacker's, and one of its own. */
async function twoTenants() {
  const world = new FarmWorld();
  const process = world.process();
  for (const party of ['party', SECRET]) {
    await aParty(process, { party });
    await process.put({ kind: 'farm', tenant: VICTIM, partyId: party, id: SECRET }, { name: SECRET });
    await process.put({ kind: 'field', tenant: VICTIM, partyId: party, id: SECRET }, { name: SECRET, farmId: SECRET });
    await anInsight(process, 'Field', SECRET, party);
  }
  const call = farmService(world);
  await process.startCascade(SECRET, { kind: 'field', tenant: VICTIM, partyId: 'party', id: SECRET });
  await call({ tenant: ATTACKER }, 'PATCH', `/parties/party?${version}`, { body: {} });
  await call({ tenant: ATTACKER }, 'PATCH', `/parties/party/farms/farm-0?${version}`, { body: {} });
  return world;
}

let world: FarmWorld;
let recorder: Recorder;
let attack: (method: string, path: string, body?: unknown) => ReturnType<ReturnType<typeof farmService>>;
beforeEach(async () => {
  world = await twoTenants();
  recorder = new Recorder();
  const call = farmService(world, { between: recorder });
  attack = (method, path, body) => {
    const separator = path.includes('?') ? '&' : '?';
    return call({ tenant: ATTACKER }, method, `${path}${separator}${version}`, body === undefined ? {} : { body });
  };
});

const owner = (party: string, resource: string): string =>
  `/parties/${party}/models/gdd/resource-types/Field/resources/${resource}`;

describe('what another tenant has', () => {
  test.each<[string, string, object?]>([
    ['GET', `/parties/${SECRET}`],
    ['DELETE', `/parties/${SECRET}`],
    ['GET', `/parties/party/farms/${SECRET}`],
    ['DELETE', `/parties/party/farms/${SECRET}`],
    ['GET', `/parties/party/fields/${SECRET}`],
    ['GET', `/parties/${SECRET}/fields/${SECRET}`],
    ['DELETE', `/parties/party/fields/${SECRET}`],
    ['PATCH', `/parties/${SECRET}/farms/mine`, {}],
    ['PATCH', `/parties/${SECRET}/fields/mine`, {}],
    ['GET', `${owner('party', SECRET)}/insights`],
    ['GET', `${owner(SECRET, SECRET)}/insights`],
    ['GET', `${owner('party', SECRET)}/insights/insight`],
    ['GET', `${owner('party', SECRET)}/insight-attachments`],
    ['GET', `${owner('party', SECRET)}/insight-attachments/file`],
    ['GET', `${owner('party', SECRET)}/insight-attachments/file/file`],
    ['GET', `/fields/cascade-delete/${SECRET}`],
    ['PUT', `/parties/cascade-delete/mine?partyId=${SECRET}`],
    ['PUT', `/farms/cascade-delete/mine?partyId=party&farmId=${SECRET}`],
    ['PUT', `/fields/cascade-delete/mine?partyId=party&fieldId=${SECRET}`],
  ])('is not there: %s %s is 404, and nothing of it is read', async (...[method, path, body]) => {
    const before = await world.stored();
    const { status, json } = await attack(method, path, body);
    expect([status, json.error.code]).toEqual([404, 'ResourceNotFound']);
    expect(recorder.touched.length).toBeGreaterThan(0);
    expect(recorder.of(VICTIM)).toEqual([]);
    expect(await world.stored()).toEqual(before);
  });

  test('answers as what nobody has: word for word', async () => {
    for (const path of [`/parties/X`, `/parties/party/fields/X`, `${owner('party', 'X')}/insights`]) {
      const [theirs, nobodys] = [
        await attack('GET', path.replace('X', SECRET)),
        await attack('GET', path.replace('X', 'nobody')),
      ];
      expect(theirs.json.error.message.replaceAll(SECRET, 'nobody')).toBe(nobodys.json.error.message);
    }
  });

  test.each([
    '/parties',
    '/farms',
    '/fields',
    `/parties/${SECRET}/farms`,
    `/parties/${SECRET}/fields`,
    '/parties/party/fields',
  ])('is in no list: GET %s', async (path) => {
    const { status, json } = await attack('GET', path);
    expect(status).toBe(200);
    expect(JSON.stringify(json)).not.toContain(`"${SECRET}"`);
    expect(recorder.of(VICTIM)).toEqual([]);
  });

  test.each([
    [{}],
    [{ partyId: SECRET }],
    [{ partyId: 'party', ids: [SECRET] }],
    [{ names: [SECRET] }],
    [{ farmIds: [SECRET] }],
  ])('is not found by a search for %j', async (body) => {
    const { status, json } = await attack('POST', '/fields:search', body);
    expect([status, json.value]).toEqual([200, []]);
    expect(recorder.of(VICTIM)).toEqual([]);
  });

  test('is nobody’s farm for a field: 400', async () => {
    const { status, json } = await attack('PATCH', '/parties/party/fields/mine', { farmId: SECRET });
    expect([status, json.error.message]).toEqual([400, `farmId: the party party has no farm ${SECRET}.`]);
    expect(recorder.of(VICTIM)).toEqual([]);
  });

  test('does not keep its id from anybody: a cascade delete of the same id is another', async () => {
    await attack('PATCH', `/parties/party/fields/${SECRET}`, { name: 'Mine' });
    const started = await attack('PUT', `/fields/cascade-delete/${SECRET}?partyId=party&fieldId=${SECRET}`);
    expect([started.status, started.json.status]).toEqual([202, 'Waiting']);
    expect((await attack('GET', `/fields/cascade-delete/${SECRET}`)).json).toEqual(started.json);
    const jobs = world
      .rows('work')
      .all()
      .filter(({ rowKey }) => rowKey.startsWith('FARM|') && rowKey.endsWith(SECRET));
    expect(jobs).toHaveLength(2);
    expect(recorder.of(VICTIM)).toEqual([]);
  });

  test('is not reached by a token of its lists: the pages are those of whoever calls', async () => {
    const call = farmService(world, { between: recorder });
    for (let k = 10; k < 25; k += 1) await call({ tenant: VICTIM }, 'PATCH', `/parties/v${k}?${version}`, { body: {} });
    const { json } = await call({ tenant: VICTIM }, 'GET', `/parties?maxPageSize=10&${version}`);
    recorder.touched.length = 0;
    const stolen = await attack('GET', `/parties?skipToken=${json.skipToken}`);
    expect([stolen.status, stolen.json.value]).toEqual([200, []]);
    expect(Buffer.from(json.skipToken, 'base64url').toString()).not.toContain(VICTIM);
    expect(recorder.of(VICTIM)).toEqual([]);
  });

  test('is not reached by a token that was made by hand', async () => {
    const listOf = async (path: string) => (await attack('GET', path)).json;
    for (let k = 10; k < 25; k += 1) await attack('PATCH', `/parties/party/fields/a${k}`, {});
    const { skipToken } = await listOf('/fields?maxPageSize=10');
    const [own, mark] = JSON.parse(Buffer.from(skipToken, 'base64url').toString()) as unknown[];
    recorder.touched.length = 0;
    for (const position of [
      [`../${VICTIM}|party`, ''],
      [`|${VICTIM}`, 'a'],
      ["' or PartitionKey gt '", 'a'],
      ['party', "a' or RowKey ne '"],
      ['\u0000', 'a'],
      ['~'.repeat(100), ''],
    ]) {
      const forged = Buffer.from(JSON.stringify([own, mark, ...position])).toString('base64url');
      const { status, json } = await attack('GET', `/fields?skipToken=${forged}`);
      expect([200, 400]).toContain(status);
      expect(JSON.stringify(json)).not.toContain(`"${SECRET}"`);
    }
    // A position names a partition of the caller, whatever it holds; storage is asked for none of the victim's.
    const partitions = recorder.touched.map((call) => (JSON.parse(call) as readonly unknown[])[1]);
    expect(partitions.filter((partition) => typeof partition === 'string' && !partition.startsWith(ATTACKER))).toEqual(
      [],
    );
  });

  test.each(['a|b', 'a}b', "a'b", 'a%2Fb', `..%2F${VICTIM}`, 'x'.repeat(101), `${VICTIM}|party`])(
    'is not reached by an id that is none: %s',
    async (id) => {
      for (const path of [`/parties/${id}`, `/parties/party/fields/${id}`, `${owner(id, SECRET)}/insights`]) {
        expect((await attack('GET', path)).status).toBe(400);
      }
      expect(recorder.touched).toEqual([]);
    },
  );

  test('is not reached by a path that climbs', async () => {
    const { status } = await attack('GET', `/parties/x/../${SECRET}`);
    expect(status).toBe(404);
    expect(recorder.of(VICTIM)).toEqual([]);
  });

  test('is no concern of jobs: they are told that there is none', async () => {
    const process = world.process(recorder);
    const manager = ownDataManager(ATTACKER, process);
    const key = {
      partyId: 'party',
      modelId: 'gdd',
      resourceType: 'Field' as const,
      resourceId: SECRET,
      insightId: 'i',
    };
    const insight = { modelVersion: '1', from: new Date(), to: new Date(), measurements: {} };
    for (const ask of [
      () => manager.getParty(SECRET),
      () => manager.getFarm('party', SECRET),
      () => manager.getField('party', SECRET),
      () => manager.putField(SECRET, 'mine', { name: 'mine', farmId: SECRET } as never),
      () => manager.putInsight(key, insight),
      () => manager.putInsightAttachment(key, { id: 'a', name: 'a', contentType: 'a', data: new Uint8Array() }),
    ]) {
      await expect(ask()).rejects.toMatchObject({ kind: expect.stringMatching(/not_found|bad_request/) });
    }
    expect(recorder.of(VICTIM)).toEqual([]);
  });
});

describe('a role', () => {
  test.each<[string, string, 'Jobs.ReadWrite' | 'Jobs.Read' | 'Farm.Read', number]>([
    ['GET', '/parties', 'Jobs.ReadWrite', 403],
    ['POST', '/fields:search', 'Jobs.ReadWrite', 403],
    ['GET', '/parties', 'Jobs.Read', 403],
    ['PATCH', '/parties/mine', 'Farm.Read', 403],
    ['DELETE', '/parties/party', 'Farm.Read', 403],
    ['PUT', '/parties/cascade-delete/j?partyId=party', 'Farm.Read', 403],
    ['GET', '/parties', 'Farm.Read', 200],
    ['POST', '/fields:search', 'Farm.Read', 200],
  ])('%s %s with %s is %i', async (method, path, role, expected) => {
    const call = farmService(world, { between: recorder });
    const target = `${path}${path.includes('?') ? '&' : '?'}${version}`;
    const { status } = await call(
      { tenant: ATTACKER, roles: [role] },
      method,
      target,
      method === 'GET' ? {} : { body: {} },
    );
    expect(status).toBe(expected);
    if (expected === 403) expect(recorder.touched).toEqual([]);
  });
});

describe('a link', () => {
  const hostile = {
    host: 'evil.example',
    'x-forwarded-host': 'evil.example',
    'x-forwarded-proto': 'http',
    forwarded: 'host=evil.example',
  };

  test('leads to the address of the settings, whatever host the request names', async () => {
    const call = farmService(world, { publicUrl: 'https://fields.example' });
    for (let k = 10; k < 25; k += 1) await call({ tenant: VICTIM }, 'PATCH', `/parties/v${k}?${version}`, { body: {} });
    const sent = { headers: hostile, origin: 'http://evil.example' };
    const page = await call({ tenant: VICTIM }, 'GET', `/parties?maxPageSize=10&${version}`, sent);
    expect(page.json.nextLink).toMatch(/^https:\/\/fields\.example\/parties\?/);
    const job = await call({ tenant: VICTIM }, 'PUT', `/parties/cascade-delete/j?partyId=v10&${version}`, sent);
    expect(job.headers['operation-location']).toMatch(/^https:\/\/fields\.example\/parties\/cascade-delete\/j\?/);
    const insight = await call({ tenant: VICTIM }, 'GET', `${owner(SECRET, SECRET)}/insights/insight?${version}`, sent);
    expect(insight.json.attachmentsLink).toMatch(/^https:\/\/fields\.example\/parties\/secret\//);
  });

  test('leads to the host that the request has come in at where the settings name none', async () => {
    const call = farmService(world);
    const { json } = await call({ tenant: VICTIM }, 'GET', `${owner(SECRET, SECRET)}/insights/insight?${version}`, {
      headers: hostile,
    });
    expect(json.attachmentsLink).toMatch(/^https:\/\/host\//);
  });
});

describe('a rate', () => {
  test('that is used up is 429 with the time to wait', async () => {
    const call = farmService(world, {
      limitRate: () =>
        Promise.reject(new ServiceError(commonFaults.tooManyRequests, 'Wait.', { retryAfterSeconds: 7 })),
      between: recorder,
    });
    const { status, json, headers } = await call({ tenant: VICTIM }, 'GET', `/parties?${version}`);
    expect([status, json.error.code, headers['retry-after']]).toEqual([429, 'TooManyRequests', '7']);
    expect(headers['api-supported-versions']).toContain('2023-11-01-preview');
    expect(recorder.touched).toEqual([]);
  });

  test('is that of reading or of writing farm data', async () => {
    const asked: string[] = [];
    const call = farmService(world, {
      limitRate: (caller, rate) => {
        asked.push(`${JSON.stringify(caller)} ${rate}`);
        return Promise.resolve();
      },
    });
    await call({ tenant: VICTIM }, 'GET', `/parties?${version}`);
    await call({ tenant: VICTIM }, 'POST', `/fields:search?${version}`, { body: {} });
    await call({ tenant: VICTIM }, 'PATCH', `/parties/x?${version}`, { body: {} });
    await call({ tenant: VICTIM }, 'PUT', `/parties/cascade-delete/x?partyId=x&${version}`);
    await call({ tenant: VICTIM }, 'DELETE', `/parties/y?${version}`);
    const names = ['farmRead', 'farmRead', 'farmWrite', 'farmWrite', 'farmWrite'];
    expect(asked).toEqual(names.map((name) => `${JSON.stringify({ tenant: VICTIM })} ${name}`));
  });
});
