import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { InsightOwner } from '../../shared/farm/insights/farmInsight.js';
import { putLand } from '../../shared/farm/operations/putLand.js';
import { interiorPointOf } from '../../shared/geo/shapes/interiorPoint.js';
import { runGddJob } from '../../shared/gdd/runGddJob.js';
import { BlobInsightStore } from '../../shared/jobs/insight/blobInsightStore.js';
import { publishInsight } from '../../shared/jobs/insight/publishInsight.js';
import { publicationOf } from '../../shared/wiring/areas/insightKinds.js';
import { insightIdOf } from '../../shared/jobs/steps/insightId.js';
import type { JobKey } from '../../shared/jobs/job.js';
import { farmDataOf } from '../../shared/wiring/areas/jobServices.js';
import type { DataStorage } from '../../shared/wiring/clients/storageClients.js';
import type { FieldFinding } from '../../shared/boundary/job/findField.js';
import { searchFieldIdOf } from '../../shared/boundary/job/searchField.js';
import { jobWorld, squareField } from '../gdd/gddJobUnderTest.js';
import { found } from '../boundary/job/findings.js';
import { ownBoundaryWorld, ownFarm, type OwnBoundaryWorld } from '../boundary/job/ownBoundaryWorld.js';
import { JobsInMemory } from '../support/jobsInMemory.js';
import { MemoryBlobs } from '../support/memoryBlobs.js';
import { burgundyField, writeBurgundyScene } from '../support/sceneFiles.js';
import { openMeteoAnswers, plainWeather } from '../gdd/weather/fakeProviders.js';
import { by, landInMemory, landKey, partyKey, TENANT } from './landInMemory.js';
import { StorageCalls } from './storageCalls.js';

const geometry = squareField.geometry;
const gddKey: JobKey = { tenant: TENANT, solution: 'partnerAgPowered.gdd', jobId: 'spring-corn' };

/** GDD jobs of a tenant. */
async function gddWorld({ insightsPerDay = 100 } = {}) {
  const weather = jobWorld({ answer: (url, at) => openMeteoAnswers({ clock: at.clock, archive: plainWeather })(url) });
  const farm = landInMemory();
  const calls = new StorageCalls();
  const storage = {
    rows: (name: Parameters<typeof farm.rows>[0]) => calls.watched(name, farm.rows(name)),
    blobs: (name: string) => calls.watched(name, farm.blobs),
  } as unknown as DataStorage;
  const { newId } = farm.ports;
  const ownOf = farmDataOf({ storage, clock: weather.clock, newId, insightsPerDay });
  const dataManagerFor = (tid: string) => Promise.resolve(ownOf(tid));
  const jobs = new JobsInMemory(runGddJob({ ...weather.ports, dataManagerFor }), { clock: weather.clock });
  jobs.publishInsight = publishInsight({
    ...{ insights: new BlobInsightStore(new MemoryBlobs()), dataManagerFor, publicationOf },
  });
  const put = putLand(farm.ports);
  await put(partyKey(), { body: {}, by });
  await put(landKey('farm', 'farm'), { body: {}, by });
  await put(landKey('field', 'field'), { body: { farmId: 'farm', geometry }, by });
  const crop = { crop: 'CORN', gddStartDate: '2025-05-01', gddEndDate: '2025-05-31', temperatureUnit: 'C' };
  const named = { partyId: 'party', resourceType: 'FIELD', resourceId: 'field' };
  return {
    ...{ farm, calls, jobs },
    create: (changes = {}) => jobs.create(gddKey, { parameters: { ...crop, ...named, ...changes } }),
    job: () => jobs.job(gddKey),
    /** The insight and its file, as the data manager has them. */
    told: async () => {
      const resource = { partyId: 'party', resourceType: 'Field', resourceId: 'field' } as const;
      const owner: InsightOwner = { tenant: TENANT, modelId: gddKey.solution, ...resource };
      const [insight] = await farm.insights.page('insight', owner, { after: undefined, most: 10 });
      const [file] = await farm.insights.page('attachment', owner, { after: undefined, most: 10 });
      const bytes = file && (await farm.insights.readFile(owner, file.part.id, file.epoch));
      return { insight, file, text: bytes?.toString() };
    },
  };
}

describe('a GDD job on farm data', () => {
  test('leaves an insight of its epoch, and a file that can be read', async () => {
    const world = await gddWorld();
    await world.create();
    await world.jobs.drain();
    const job = await world.job();
    expect(job).toMatchObject({ status: 'SUCCEEDED' });
    const { insight, file, text } = await world.told();
    const insightId = insightIdOf(job);
    expect(insight).toMatchObject({
      ...{ epoch: job.epoch, isWithdrawn: false },
      part: { id: insightId, createdBy: gddKey.solution, measurements: { gdd: { unit: 'C' } } },
    });
    expect(file?.part).toMatchObject({ insightId, originalFileName: 'gdd.json' });
    expect(JSON.parse(text ?? '')).toMatchObject({ insightId, crop: 'CORN' });
  });

  test('asks storage six times for it: the place, the field again, the count of the day, the insight, its file and the name of that', async () => {
    const world = await gddWorld();
    await world.create();
    await world.jobs.drain();
    expect(world.calls.made).toEqual([
      ...['farmFields find', 'farmFields find', 'farmInsights find', 'farmInsights transact'],
      ...['farm-data write', 'farmInsights insert'],
    ]);
  });

  test.each([
    ['field', { resourceId: 'none' }, 'none'],
    ['party', { partyId: 'none' }, 'field'],
  ])('of an unknown %s fails, and says what is not there', async (_what, named, field) => {
    const world = await gddWorld();
    await world.create(named);
    await world.jobs.drain();
    const { status, failure } = await world.job();
    const party = 'partyId' in named ? named.partyId : 'party';
    expect(status).toBe('FAILED');
    expect(failure).toMatch(new RegExp(`^GDD-05001: The party ${party} has no field ${field} that your tenant owns`));
  });

  test.each([
    ['is deleted', (at: Awaited<ReturnType<typeof gddWorld>>, etag: string) => at.farm.land.remove(fieldKey, etag)],
    [
      'begins to be deleted',
      (at: Awaited<ReturnType<typeof gddWorld>>, etag: string) => at.farm.land.mark(fieldKey, etag),
    ],
  ])('whose field %s before it runs fails as for an unknown one, and leaves nothing', async (_what, change) => {
    const world = await gddWorld();
    await world.create();
    await change(world, (await world.farm.land.find(fieldKey))!.etag);
    await world.jobs.drain();
    expect(await world.job()).toMatchObject({
      status: 'FAILED',
      failure: expect.stringMatching(/^GDD-05001/) as unknown,
    });
    expect(world.farm.rows('farmInsights').all()).toEqual([]);
  });

  test('of a party that is being deleted writes nothing once the cascade has come to its fields', async () => {
    const world = await gddWorld();
    await world.create();
    const party = (await world.farm.land.find(partyKey()))!;
    await world.farm.land.mark(partyKey(), party.etag);
    await world.farm.land.removeSome({ kind: 'field', tenant: TENANT, partyId: 'party' });
    await world.jobs.drain();
    expect(await world.job()).toMatchObject({ status: 'FAILED' });
    expect(world.farm.rows('farmInsights').all()).toEqual([]);
  });

  test('about a field that has as many insights of the day as it may have fails, says why and leaves nothing', async () => {
    const world = await gddWorld({ insightsPerDay: 0 });
    await world.create();
    await world.jobs.drain();
    expect(await world.job()).toMatchObject({
      status: 'FAILED',
      failure:
        'GDD-05011: The field field has 0 new insights of today (UTC), as many as a day may bring. Create the job again tomorrow under a new id.',
    });
    expect(await world.told()).toMatchObject({ insight: { isWithdrawn: true }, file: { isWithdrawn: true } });
  });

  test('that is cancelled while it publishes takes back what it told, and a late write does not bring it back', async () => {
    const world = await gddWorld();
    const publication = world.jobs.publishInsight;
    let published = () => Promise.resolve();
    world.jobs.publishInsight = {
      ...publication,
      publish: async (job, insight, attempt) => {
        const isTold = await publication.publish(job, insight, attempt);
        published = async () => {
          await publication.publish(job, insight, attempt);
        };
        await world.jobs.cancel(gddKey);
        return isTold;
      },
    };
    await world.create();
    await world.jobs.drain();
    expect(await world.job()).toMatchObject({ status: 'CANCELLED' });
    const withdrawn = await world.told();
    expect(withdrawn).toMatchObject({ insight: { isWithdrawn: true }, file: { isWithdrawn: true } });
    expect(withdrawn.text).toBeUndefined();
    await published().catch(() => undefined);
    expect(await world.told()).toEqual(withdrawn);
  });
});

const fieldKey = landKey('field', 'field');

describe('a Smart Boundary job on farm data', () => {
  const folder = mkdtempSync(join(tmpdir(), 'own-jobs-'));
  const [longitude = 0, latitude = 0] = interiorPointOf(burgundyField)?.position ?? [];
  const pointOnSurface = { longitude, latitude };
  let calls: StorageCalls;
  let looks: readonly string[][];
  let world: OwnBoundaryWorld;
  beforeAll(async () => {
    await writeBurgundyScene(folder, '2026-06-03');
    await writeBurgundyScene(folder, '2026-06-08');
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });
  beforeEach(async () => {
    calls = new StorageCalls();
    world = await aWorld();
  });
  afterEach(() => world.close());

  async function aWorld(finding: FieldFinding = found()): Promise<OwnBoundaryWorld> {
    looks = [];
    return ownBoundaryWorld({
      scenes: folder,
      watched: calls.watched,
      findField: ({ scenes }) => {
        looks = [...looks, scenes.map(({ date }) => date)];
        return Promise.resolve(finding);
      },
    });
  }
  const owner: InsightOwner = {
    ...{ tenant: TENANT, modelId: 'partnerAgPowered.smartBoundary', resourceType: 'Farm' },
    ...{ partyId: ownFarm.partyId, resourceId: ownFarm.farmId },
  };

  test('ends with its first message: it waits for no ingest and stands in no lane', async () => {
    await world.create({ pointOnSurface });
    await world.step();
    expect(await world.job()).toMatchObject({ status: 'SUCCEEDED' });
    expect(looks).toEqual([['2026-06-08', '2026-06-03']]);
    expect(await world.item()).toBeUndefined();
  });

  test('looks in a larger region with the same message', async () => {
    await world.close();
    world = await aWorld(found({ mayGrow: true }));
    await world.create({ pointOnSurface });
    await world.step();
    expect(await world.job()).toMatchObject({ status: 'SUCCEEDED' });
    expect(looks).toHaveLength(2);
  });

  test('leaves an insight of its epoch with an outline, and the search field', async () => {
    await world.create({ pointOnSurface });
    await world.drain();
    const job = await world.job();
    const insightId = insightIdOf(job);
    expect(await world.insights.find('insight', owner, insightId)).toMatchObject({
      ...{ epoch: job.epoch, isWithdrawn: false },
      part: { measurements: { area: { unit: 'ha', value: 370 } } },
    });
    const [file] = await world.insights.page('attachment', owner, { after: undefined, most: 10 });
    const text = (await world.insights.readFile(owner, file!.part.id, file!.epoch))?.toString();
    expect(JSON.parse(text ?? '')).toMatchObject({ type: 'Feature' });
    const fieldId = searchFieldIdOf(insightId, 0);
    const key = { kind: 'field', tenant: TENANT, partyId: ownFarm.partyId, id: fieldId } as const;
    expect((await world.land.find(key))?.land).toMatchObject({
      ...{ id: fieldId, farmId: ownFarm.farmId, status: 'SearchRegion', name: 'Smart Boundary search region' },
      description: expect.stringMatching(/^Rectangle in which the Smart Boundary job north-field looks/) as unknown,
    });
  });

  test('asks storage eight times for it', async () => {
    await world.create({ pointOnSurface });
    calls.made.length = 0;
    await world.drain();
    expect(calls.made).toEqual([
      // The farm of the job, and the search field behind a look at its farm.
      ...['farmFarms find', 'farmFarms find', 'farmFields insert'],
      // The farm of the insight, the count of its day, the insight, its file and the name of that.
      ...['farmFarms find', 'farmInsights find', 'farmInsights transact', 'farm-data write', 'farmInsights insert'],
    ]);
  });

  test.each([
    ['farm', { resourceId: 'none' }],
    ['party', { partyId: 'none' }],
  ])('of an unknown %s fails, and writes nothing', async (_what, named) => {
    await world.create({ pointOnSurface, ...named });
    await world.drain();
    const { partyId, farmId } = { ...ownFarm, ...('partyId' in named ? named : { farmId: 'none' }) };
    const text = `The party ${partyId} has no farm ${farmId} that your tenant owns.`;
    expect(await world.job()).toMatchObject({ status: 'FAILED', failure: expect.stringContaining(text) as unknown });
    expect(world.rows('farmFields').all()).toEqual([]);
  });

  test('whose farm begins to be deleted while it runs leaves no insight', async () => {
    const farm = { kind: 'farm', tenant: TENANT, partyId: ownFarm.partyId, id: ownFarm.farmId } as const;
    await world.close();
    world = await ownBoundaryWorld({
      scenes: folder,
      findField: async () => {
        await world.land.mark(farm, (await world.land.find(farm))!.etag);
        return found();
      },
    });
    await world.create({ pointOnSurface });
    await world.drain();
    expect(await world.job()).toMatchObject({ status: 'FAILED' });
    const rows = world.rows('farmInsights').all<{ readonly isWithdrawn: boolean }>();
    expect(rows.filter(({ isWithdrawn }) => !isWithdrawn)).toEqual([]);
  });

  test('waits while the catalogue is away, and then ends', async () => {
    world.catalogue.script.add({ kind: 'status', status: 503, path: '/v1/search', times: 6 });
    await world.create({ pointOnSurface });
    await world.step();
    expect(await world.job()).toMatchObject({ status: 'RUNNING', outage: { dependency: 'the data manager' } });
    await world.drain();
    expect(await world.job()).toMatchObject({ status: 'SUCCEEDED' });
  });

  test('that is cancelled before it runs asks for nothing', async () => {
    await world.create({ pointOnSurface });
    await world.cancel();
    await world.drain();
    expect(await world.job()).toMatchObject({ status: 'CANCELLED' });
    expect(world.catalogue.script.requests()).toEqual([]);
  });
});
