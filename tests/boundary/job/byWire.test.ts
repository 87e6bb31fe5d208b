import { afterEach, describe, expect, test } from '@jest/globals';
import type { Polygon } from '../../../shared/geo/shapes/geoJson.js';
import { deterministicId } from '../../../shared/kit/ids.js';
import { ringHolds } from '../../../shared/geo/shapes/rings.js';
import type { WorkKey } from '../../../shared/work/item/workItem.js';
import { testInFull } from '../../support/fullRun.js';
import { finds, found, square } from './findings.js';
import { boundaryWorld, INGESTS_LANE, type BoundaryWorld } from './jobUnderTest.js';

let world: BoundaryWorld;
afterEach(() => world.close());

/** A job of somebody else at the same data manager. */
const otherJob = (jobId: string): WorkKey => ({ kind: 'smartBoundary', id: `other|${jobId}` });

/** Paths of the requests that the data manager has seen, without their version. */
const requestsOf = ({ dataManager }: BoundaryWorld): string[] =>
  dataManager.script.requests().map(({ method, path }) => `${method} ${path.split('?')[0]!}`);

/** What the data manager says at an address. */
async function read(path: string): Promise<Record<string, unknown>> {
  const headers = { authorization: 'Bearer canary.token-that.must-not-leak' };
  const response = await fetch(`${path}?api-version=2023-11-01-preview`, { headers });
  return (await response.json()) as Record<string, unknown>;
}

describe('a Smart Boundary job on a data manager by wire', () => {
  test('leaves measurements and the outline under the farm in the data manager', async () => {
    world = await boundaryWorld(finds());
    await world.create();
    await world.drain();
    const { partyId, farmId } = world.dataManager.seed;
    const owner = `${world.dataManager.url}/parties/${partyId}/models/partnerAgPowered.smartBoundary/resource-types/Farm/resources/${farmId}`;
    const { insightId } = world.record();
    expect(await read(`${owner}/insights/${insightId}`)).toMatchObject({
      measurements: { area: { unit: 'ha', value: 370 }, confidence: { value: 0.8 } },
      insightStartDateTime: '2026-06-01T00:00:00Z',
    });
    const attachment = deterministicId(insightId, 'boundary.geojson');
    expect(await read(`${owner}/insight-attachments/${attachment}/file`)).toMatchObject({
      type: 'Feature',
      geometry: square,
    });
  });

  test('leaves the search field as it was when the scenes were asked for', async () => {
    world = await boundaryWorld(finds());
    await world.create();
    await world.step();
    const path = requestsOf(world)
      .find((request) => /^PATCH .*\/fields\//.test(request))!
      .slice('PATCH '.length);
    const field = `${world.dataManager.url}${path}`;
    const asked = await read(field);
    expect(asked).toMatchObject({ farmId: world.dataManager.seed.farmId, name: 'Smart Boundary search region' });
    expect((asked['geometry'] as Polygon).coordinates[0]).toHaveLength(5);
    await world.drain();
    expect(await world.job()).toMatchObject({ status: 'SUCCEEDED' });
    // The data manager's own marks (eTag, time of change) are equal only if nobody has written since.
    expect(await read(field)).toEqual(asked);
  });

  test('waits for the ingest without keeping a worker: each look is short, and none is an attempt', async () => {
    world = await boundaryWorld(finds());
    await world.create();
    await world.step();
    expect(await world.job()).toMatchObject({ status: 'RUNNING' });
    expect(await world.item()).toMatchObject({ place: { step: 'ingest' }, attempts: 0 });
    expect(await world.item()).not.toHaveProperty('claim');
    const started = world.clock.now().getTime();
    await world.drain();
    expect(world.clock.now().getTime() - started).toBeLessThan(10_000);
    expect(await world.ended()).toMatchObject({ status: 'SUCCEEDED', attempt: 1 });
  });

  test('looks every 2 s at first, later after a tenth of the time waited, at most 15 s, and fails after 30 minutes with what to do', async () => {
    world = await boundaryWorld(finds());
    world.dataManager.scenes.add('slow');
    await world.create();
    const times: number[] = [];
    // What comes behind the end, when the lease is over, takes back what may have been published.
    while ((await world.job()).status !== 'FAILED' && (await world.step())) times.push(world.clock.now().getTime());
    const pauses = times.slice(1).map((time, k) => time - times[k]!);
    expect(pauses[0]).toBe(2_000);
    expect(Math.max(...pauses)).toBe(15_000);
    expect(pauses.reduce((sum, pause) => sum + pause, 0)).toBeGreaterThan(29.5 * 60_000);
    expect(await world.ended()).toMatchObject({
      status: 'FAILED',
      attempt: 1,
      failure: expect.stringMatching(/^IMG-05008: .* Create the job again later/),
    });
  });

  test('that is repeated after every request finds what it has made: one field, one ingest, one insight', async () => {
    world = await boundaryWorld(finds());
    for (const path of ['/fields/', '/ingest-data/', '/insights/', '/insight-attachments/']) {
      world.dataManager.script.add({ kind: 'lose', path, method: path === '/ingest-data/' ? 'PUT' : 'PATCH' });
    }
    await world.create();
    await world.drain();
    expect(await world.job()).toMatchObject({ status: 'SUCCEEDED' });
    const puts = world.dataManager.script.requests().filter(({ method, status }) => method === 'PUT' && status === 202);
    expect(puts).toHaveLength(0); // The answer to the one that counted was lost; the repetition met 409.
    const paths = new Set(requestsOf(world).filter((line) => line.startsWith('PATCH') || line.startsWith('PUT')));
    expect(paths.size).toBe(4);
  });

  test('goes on after an outage of the data manager in the middle', async () => {
    world = await boundaryWorld(finds());
    await world.create();
    await world.step();
    world.dataManager.script.add({ kind: 'status', status: 503, times: 12 });
    await world.drain();
    expect(await world.ended()).toMatchObject({ status: 'SUCCEEDED', attempt: 1 });
  });
});

describe('slots for ingests', () => {
  test('are five at a data manager: the sixth job stands in the lane and succeeds when one has ended', async () => {
    world = await boundaryWorld(finds());
    const ids = ['1', '2', '3', '4', '5', '6', '7'];
    for (const id of ids) await world.create(id);
    for (let step = 0; step < 7; step += 1) await world.step();
    const steps = await Promise.all(ids.map(async (id) => (await world.item(id))?.place?.step));
    expect(steps.filter((step) => step === 'ingest')).toHaveLength(5);
    expect(steps.filter((step) => step === 'slot')).toHaveLength(2);
    await world.drain();
    for (const id of ids) expect(await world.ended(id)).toMatchObject({ status: 'SUCCEEDED', attempt: 1 });
    expect(world.dataManager.script.requests().filter(({ status }) => status === 429)).toHaveLength(0);
  });

  test('that the data manager itself refuses are waited for too', async () => {
    world = await boundaryWorld(finds());
    const throttled = { kind: 'status', status: 429, retryAfter: '40', method: 'PUT', path: 'ingest-data' } as const;
    world.dataManager.script.add({ ...throttled, times: 6 });
    await world.create();
    await world.step();
    expect(await world.item()).toMatchObject({ place: { step: 'slot' } });
    const begun = world.clock.now().getTime();
    await world.drain();
    expect(await world.ended()).toMatchObject({ status: 'SUCCEEDED', attempt: 1 });
    // Six times 40 s, as it asked, and no worker kept meanwhile: one order a look.
    expect(world.clock.now().getTime() - begun).toBeGreaterThanOrEqual(6 * 40_000);
    expect(requestsOf(world).filter((line) => line.startsWith('PUT'))).toHaveLength(7);
  });

  test('that others keep for two hours fail nobody: the job has no message until it is its turn', async () => {
    world = await boundaryWorld(finds());
    const others = ['a', 'b', 'c', 'd', 'e'].map((jobId) => otherJob(jobId));
    for (const other of others) await world.lanes.take(INGESTS_LANE, { ...other, askedAt: 0 });
    await world.create();
    expect(await world.drain()).toBe(1);
    expect(await world.job()).toMatchObject({ status: 'RUNNING' });
    expect(await world.item()).toMatchObject({ parked: { lane: INGESTS_LANE } });
    expect(requestsOf(world).some((line) => line.startsWith('PUT'))).toBe(false);
    world.clock.jump(2 * 3_600_000);
    await world.lanes.leave(INGESTS_LANE, others[0]!);
    await world.drain();
    expect(await world.ended()).toMatchObject({ status: 'SUCCEEDED', attempt: 1 });
  });

  test('that the data manager gives no ingest for 30 minutes end the job with what to do', async () => {
    world = await boundaryWorld(finds());
    const throttled = { kind: 'status', status: 429, retryAfter: '60', method: 'PUT', path: 'ingest-data' } as const;
    world.dataManager.script.add({ ...throttled, times: 100 });
    await world.create();
    await world.drain();
    expect(await world.job()).toMatchObject({ status: 'FAILED', failure: expect.stringMatching(/^IMG-05009: /) });
  });

  test('are free again after the ingest, whether it succeeded or failed', async () => {
    world = await boundaryWorld(finds());
    world.dataManager.scenes.add('ingestFailed');
    for (const id of ['failed', 'fine']) {
      await world.create(id);
      await world.drain();
    }
    await world.clock.advance(1_000);
    for (const jobId of ['a', 'b', 'c', 'd', 'e'])
      expect(await world.lanes.take(INGESTS_LANE, { ...otherJob(jobId), askedAt: 0 })).toBe(true);
  });
});

describe('a larger search region', () => {
  const first = found({ mayGrow: true });

  test('is tried when the field reaches the edge of the first, with a field and an ingest of its own', async () => {
    const larger = found();
    world = await boundaryWorld({
      findField: ({ grid }) => Promise.resolve(grid.width === 256 ? first : larger),
    });
    await world.create();
    await world.drain();
    expect(await world.ended()).toMatchObject({ status: 'SUCCEEDED', attempt: 1 });
    expect(world.searches.map(({ grid }) => grid.width)).toEqual([256, 512]);
    expect(world.record().searchRegion.sideMeters).toBe(5120);
    expect(new Set(requestsOf(world).filter((line) => line.startsWith('PUT')))).toHaveProperty('size', 2);
  });

  test.each([
    { why: 'its ingest fails', oddity: 'ingestFailed' },
    { why: 'it has no scenes', oddity: 'noScenes' },
    { why: 'its ingest takes too long', oddity: 'slow' },
  ] as const)('that comes to nothing because $why leaves the first answer', async ({ oddity }) => {
    world = await boundaryWorld({
      findField: ({ grid, scenes }) => {
        if (scenes.length === 0) return Promise.resolve(found({ answer: undefined }));
        if (grid.width === 256) world.dataManager.scenes.add(oddity);
        return Promise.resolve(first);
      },
    });
    await world.create();
    await world.drain();
    expect(await world.job()).toMatchObject({ status: 'SUCCEEDED' });
    expect(world.record().searchRegion.sideMeters).toBe(2560);
  });
});

describe('a job that cannot succeed is FAILED at once, with the cause and what to do:', () => {
  test.each([
    ['the party has no such farm', { resourceId: '00000000-0000-4000-8000-000000000000' }, 'IMG-05001'],
    ['there is no such party', { partyId: '00000000-0000-4000-8000-000000000000' }, 'IMG-05001'],
  ])('%s', async (_why, changes, code) => {
    world = await boundaryWorld();
    await world.create('north-field', changes);
    await world.drain();
    expect(await world.ended()).toMatchObject({
      status: 'FAILED',
      attempt: 1,
      failure: expect.stringMatching(new RegExp(`^${code}: .+\\. (Check|Choose)`)),
    });
  });

  test.each([
    ['licenceRefused', 'IMG-05002', /InvalidCredentials.*Renew client id/],
    ['ingestFailed', 'IMG-05007', /ProviderUnavailable.*under a new id/],
    ['cancelled', 'IMG-05007', /cancelled in the data manager/],
  ] as const)('the data manager is odd: %s', async (oddity, code, text) => {
    world = await boundaryWorld();
    world.dataManager.scenes.add(oddity);
    await world.create();
    await world.drain();
    const { status, attempt, failure } = await world.ended();
    expect([status, attempt, failure?.slice(0, 9)]).toEqual(['FAILED', 1, code]);
    expect(failure).toMatch(text);
  });

  test.each([
    [400, 'IMG-05002'],
    [403, 'IMG-05002'],
  ])('the data manager answers the order of scenes with %i', async (status, code) => {
    world = await boundaryWorld();
    world.dataManager.script.add({ kind: 'status', status, method: 'PUT', path: 'ingest-data' });
    await world.create();
    await world.drain();
    expect(await world.ended()).toMatchObject({
      status: 'FAILED',
      attempt: 1,
      failure: expect.stringMatching(new RegExp(`^${code}: `)),
    });
  });

  test('the data manager takes the id of the farm for none', async () => {
    world = await boundaryWorld();
    world.dataManager.script.add({ kind: 'status', status: 400, method: 'GET', path: '/farms/' });
    await world.create();
    await world.drain();
    expect(await world.ended()).toMatchObject({
      status: 'FAILED',
      attempt: 1,
      failure: expect.stringMatching(/^IMG-05001: .*HTTP 400.*\. Check partyId and resourceId/),
    });
  });
});

describe('a party that the tenant does not own', () => {
  test('is an unknown party: same message, nothing read, nothing written', async () => {
    world = await boundaryWorld({ partyIds: ['some-other-party'] });
    await world.create();
    await world.drain();
    const { failure } = await world.job();
    expect(failure).toMatch(/^IMG-05001: The party .* has no farm .* that your tenant owns/);
    expect(world.dataManager.script.requests()).toHaveLength(0);
  });
});

describe('ids in upper case', () => {
  test('name a party of the tenant and a farm that the data manager has in lower case, and are sent as written', async () => {
    const probe = await boundaryWorld();
    const { partyId, farmId } = probe.dataManager.seed;
    await probe.close();
    const [party, farm] = [partyId.toUpperCase(), farmId.toUpperCase()];
    world = await boundaryWorld({ ...finds(), partyIds: [partyId] });
    await world.create('north-field', { partyId: party, resourceId: farm });
    await world.drain();
    expect(await world.job()).toMatchObject({ status: 'SUCCEEDED', parameters: { partyId: party, resourceId: farm } });
    const paths = world.dataManager.script.requests().map(({ path }) => path);
    expect(paths).toContainEqual(expect.stringContaining(`/parties/${party}/farms/${farm}`));
    expect(paths.filter((path) => path.includes(partyId))).toEqual([]);
    expect(world.record()).toMatchObject({ partyId: party, resourceId: farm });
  });
});

describe('a passing trouble is outlived:', () => {
  test('the data manager does not know this service for a moment (401)', async () => {
    world = await boundaryWorld(finds());
    world.dataManager.script.add({ kind: 'status', status: 401, method: 'PUT', path: 'ingest-data' });
    await world.create();
    await world.drain();
    expect(await world.ended()).toMatchObject({ status: 'SUCCEEDED', attempt: 1 });
  });

  test('the data manager asks for a pause of ten days: the job does not take that for slots that others keep', async () => {
    world = await boundaryWorld(finds());
    const throttled = {
      kind: 'status',
      status: 429,
      retryAfter: '900000',
      method: 'PUT',
      path: 'ingest-data',
    } as const;
    world.dataManager.script.add(throttled);
    await world.create();
    await world.step();
    expect(await world.job()).toMatchObject({
      status: 'RUNNING',
      outage: {
        dependency: 'the data manager',
        askedSeconds: 900_000,
        nextAt: world.clock.now().getTime() + 15 * 60_000,
      },
    });
    await world.drain();
    expect(await world.ended()).toMatchObject({ status: 'SUCCEEDED', attempt: 1 });
  });

  test('links name a foreign host: pages and files are asked of our data manager', async () => {
    world = await boundaryWorld(finds());
    world.dataManager.scenes.add('foreignLinks');
    await world.create();
    await world.drain();
    expect(await world.job()).toMatchObject({ status: 'SUCCEEDED' });
    expect(world.searches[0]!.scenes.length).toBeGreaterThan(0);
  });

  test('an ingest that the data manager has forgotten is ordered again', async () => {
    world = await boundaryWorld(finds());
    await world.create();
    await world.step();
    world.dataManager.script.add({ kind: 'status', status: 404, method: 'GET', path: 'ingest-data' });
    await world.drain();
    expect(await world.ended()).toMatchObject({ status: 'SUCCEEDED', attempt: 1 });
  });
});

describe('files on a grid in degrees', () => {
  testInFull('give the same boundary as files in UTM: IoU above .95', async () => {
    world = await boundaryWorld();
    const oneDay = { imageStartDate: '2026-06-08', imageEndDate: '2026-06-08' };
    await world.create('utm', oneDay);
    await world.drain();
    const utm = world.record();
    world.dataManager.scenes.add('geographic');
    await world.create('degrees', oneDay);
    await world.drain();
    const degrees = world.record();
    expect(world.searches[1]!.scenes[0]!.images.B04).not.toEqual(world.searches[0]!.scenes[0]!.images.B04);
    expect(iou(utm.boundary.coordinates[0]!, degrees.boundary.coordinates[0]!)).toBeGreaterThan(0.95);
  });
});

/** Overlap of two rings, by a lattice of some 9,000 places. */
function iou(one: readonly (readonly [number, number])[], other: readonly (readonly [number, number])[]): number {
  const all = [...one, ...other];
  const [longitudes, latitudes] = [all.map(([x]) => x), all.map(([, y]) => y)];
  const [west, east] = [Math.min(...longitudes), Math.max(...longitudes)];
  const [south, north] = [Math.min(...latitudes), Math.max(...latitudes)];
  let [both, either] = [0, 0];
  for (let k = 0; k < 96 * 96; k += 1) {
    const place = [
      west + ((east - west) * (k % 96)) / 95,
      south + ((north - south) * Math.floor(k / 96)) / 95,
    ] as const;
    const [inOne, inOther] = [ringHolds(one.slice(1), place), ringHolds(other.slice(1), place)];
    if (inOne && inOther) both += 1;
    if (inOne || inOther) either += 1;
  }
  return both / either;
}

describe('a cancel', () => {
  test('while the job waits for its ingest ends it: nothing is visible', async () => {
    world = await boundaryWorld(finds());
    await world.create();
    await world.step();
    await world.cancel();
    await world.drain();
    expect(await world.job()).toMatchObject({ status: 'CANCELLED' });
    expect(world.published).toHaveLength(0);
  });

  test('while the insight is published takes it back', async () => {
    world = await boundaryWorld(finds());
    await world.create();
    await world.step();
    world.dataManager.script.add({ kind: 'delay', method: 'PATCH', path: 'insight-attachments', milliseconds: 300 });
    const running = world.drain();
    while (world.published.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await world.cancel();
    await running;
    expect(await world.job()).toMatchObject({ status: 'CANCELLED' });
    await world.sweepFor(4);
    expect(world.withdrawn).toEqual([world.record().insightId]);
  });
});
