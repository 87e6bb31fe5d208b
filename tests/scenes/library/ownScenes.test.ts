import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { soundShape } from '../../../shared/farm/wire/fieldGeometry.js';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStac, type StacStandIn } from '../../../infra/local/standIns/stac.js';
import { DataManagerError } from '../../../shared/jobs/dataManager/dataManager.js';
import type { DataManagerSceneQuery, SceneRequest } from '../../../shared/jobs/dataManager/scenes.js';
import { ownScenes, type OwnScenes } from '../../../shared/scenes/library/ownScenes.js';
import { searchAreaOf } from '../../../shared/farm/land/searchAreaOf.js';
import { pathOfFile } from '../../../shared/scenes/library/sceneFile.js';
import { sceneRegionOf } from '../../../shared/scenes/library/sceneRegion.js';
import { sceneLibraryAt } from '../../boundary/job/ownBoundaryWorld.js';
import { burgundyField, writeBurgundyScene } from '../../support/sceneFiles.js';
import { landInMemory, landKey, TENANT } from '../../farm/landInMemory.js';

const folder = mkdtempSync(join(tmpdir(), 'own-scenes-'));
let stac: StacStandIn;
let first: string;
beforeAll(async () => {
  first = await writeBurgundyScene(folder, '2026-06-02');
  await writeBurgundyScene(folder, '2026-06-12');
  stac = await startStac({ folder });
});
afterAll(async () => {
  await stac.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  stac.script.reset();
});

const query: DataManagerSceneQuery = {
  ...{ partyId: 'party', fieldId: 'field', from: '2026-06-01', to: '2026-06-30' },
  collection: 'sentinel-2-l2a',
};
/** Scenes of a process that has just started. */
const scenes = (area: Parameters<typeof sceneRegionOf>[0] = burgundyField, timeoutMs?: number): OwnScenes =>
  ownScenes(() => Promise.resolve(area), sceneLibraryAt(stac, timeoutMs === undefined ? {} : { timeoutMs }));
const MOST = 16 * 1024 * 1024;
const pathOf = (id: string): string =>
  pathOfFile({ collection: 'sentinel-2-l2a', id, image: 'B02', box: sceneRegionOf(burgundyField).box });

describe('the scenes of an own data manager', () => {
  test('need no ingest: each has succeeded as soon as it is asked for, and nothing is called', async () => {
    const own = scenes();
    const request: SceneRequest = { ...query, images: ['B02'], resolution: 10 };
    await expect(own.startSceneIngest('one', request)).resolves.toEqual({ id: 'one', status: 'succeeded' });
    await expect(own.getSceneIngest('another')).resolves.toEqual({ id: 'another', status: 'succeeded' });
    expect(stac.script.requests()).toEqual([]);
  });

  test('are those of the catalogue, newest first, with files that can be read', async () => {
    const own = scenes();
    const listed = await own.listScenes(query);
    expect(listed.map(({ date }) => date)).toEqual(['2026-06-12', '2026-06-02']);
    const file = await own.readSceneFile(listed[0]?.files[0]?.filePath ?? '', MOST);
    expect(Buffer.from(file).subarray(0, 2).toString()).toBe('II');
  });

  test('of a field that is a point, or too large, are refused', async () => {
    const point = { type: 'Point', coordinates: [4, 47] } as const;
    await expect(scenes(point).listScenes(query)).rejects.toMatchObject({ kind: 'bad_request' });
    const ring = [
      [4, 47],
      [5, 47],
      [5, 48],
      [4, 48],
      [4, 47],
    ] as const;
    const large = { type: 'Polygon', coordinates: [ring] } as const;
    await expect(scenes(large).listScenes(query)).rejects.toMatchObject({ kind: 'bad_request' });
    expect(stac.script.requests()).toEqual([]);
  });
});

describe('while something is wrong with the catalogue', () => {
  const search = { path: '/v1/search', times: 100 } as const;
  test.each([
    ['it answers 503', { kind: 'status', status: 503 }],
    ['it answers 400', { kind: 'status', status: 400 }],
    ['it cuts the connection', { kind: 'drop' }],
    ['its answers break off', { kind: 'truncate' }],
    ['it sends no JSON', { kind: 'garbage' }],
    ['it sends another document', { kind: 'status', status: 200, body: '{"type":"Catalog"}' }],
  ] as const)('%s: a job waits', async (_what, fault) => {
    stac.script.add({ ...search, ...fault });
    await expect(scenes().listScenes(query)).rejects.toMatchObject({ name: 'DataManagerError', kind: 'unavailable' });
  });

  test('it does not answer at all: a job waits', async () => {
    stac.script.add({ ...search, kind: 'hang' });
    await expect(scenes(burgundyField, 50).listScenes(query)).rejects.toMatchObject({ kind: 'unavailable' });
  });

  test('it throttles: a job waits as long as it asks for', async () => {
    stac.script.add({ ...search, kind: 'status', status: 429, retryAfter: '120' });
    const throttled = { kind: 'unavailable', retryAfterSeconds: 120 };
    await expect(scenes().listScenes(query)).rejects.toMatchObject(throttled);
  });

  test('a fault that passes costs nothing', async () => {
    stac.script.add({ ...search, kind: 'status', status: 503, times: 1 });
    await expect(scenes().listScenes(query)).resolves.toHaveLength(2);
  });
});

describe('while something is wrong with the host of the files', () => {
  test.each([
    ['it answers 503', { kind: 'status', status: 503 }],
    ['it throttles for longer than a read waits', { kind: 'status', status: 429, retryAfter: '60' }],
    ['it cuts the connection', { kind: 'drop' }],
    ['its ranges break off', { kind: 'truncate' }],
    ['it refuses everything', { kind: 'status', status: 403 }],
  ] as const)('%s: a job waits', async (_what, fault) => {
    stac.script.add({ ...fault, path: '/files/', times: 1_000 });
    await expect(scenes().listScenes(query)).rejects.toMatchObject({ name: 'DataManagerError', kind: 'unavailable' });
  });

  test.each([
    ['a range that breaks off', { kind: 'truncate' }],
    ['an answer 503', { kind: 'status', status: 503 }],
    ['an answer 429 with a short Retry-After', { kind: 'status', status: 429, retryAfter: '2' }],
  ] as const)('%s is asked for again', async (_what, fault) => {
    stac.script.add({ ...fault, path: 'scl.tif', times: 2 });
    await expect(scenes().listScenes(query)).resolves.toHaveLength(2);
  });

  test('one file that it does not have, or refuses, costs one scene', async () => {
    for (const status of [404, 403]) {
      stac.script.reset();
      const own = scenes();
      const [scene] = await own.listScenes(query);
      stac.script.add({ kind: 'status', status, path: '/files/', times: 1_000 });
      const path = scene?.files[0]?.filePath ?? '';
      await expect(own.readSceneFile(path, MOST)).rejects.toMatchObject({ kind: 'bad_request' });
    }
  });

  test('it does not answer ranges: the scenes are lost, for no wait helps', async () => {
    const own = scenes();
    const [scene] = await own.listScenes(query);
    stac.script.add({ kind: 'status', status: 200, body: 'whole', path: '/files/', times: 100 });
    const path = scene?.files[0]?.filePath ?? '';
    await expect(own.readSceneFile(path, MOST)).rejects.toMatchObject({ kind: 'bad_request' });
  });
});

describe('a file of an own scene', () => {
  test('that is broken for good costs its scene', async () => {
    const path = join(folder, first, 'blue.tif');
    const whole = readFileSync(path);
    try {
      writeFileSync(path, whole.subarray(0, 200));
      await expect(scenes().readSceneFile(pathOf(first), MOST)).rejects.toMatchObject({ kind: 'bad_request' });
    } finally {
      writeFileSync(path, whole);
    }
  });

  test('that has gone from the catalogue, or was never ours, is not found', async () => {
    await expect(scenes().readSceneFile(pathOf('gone'), MOST)).rejects.toMatchObject({ kind: 'not_found' });
    await expect(scenes().readSceneFile('../../etc/passwd', MOST)).rejects.toMatchObject({ kind: 'not_found' });
  });

  test('that has more bytes than are wanted costs its scene, as a whole answer that is too large', async () => {
    const refused = { kind: 'unavailable', status: 200 };
    await expect(scenes().readSceneFile(pathOf(first), 100)).rejects.toMatchObject(refused);
  });
});

describe('an attempt that has ended', () => {
  test('hears why, and of no fault of a data manager', async () => {
    const reason = new Error('the job was cancelled');
    const ended = AbortSignal.abort(reason);
    await expect(scenes().listScenes(query, ended)).rejects.toBe(reason);
    await expect(scenes().readSceneFile(pathOf(first), MOST, ended)).rejects.toBe(reason);
  });

  test('ends what is under way', async () => {
    stac.script.add({ kind: 'hang', path: '/v1/search', times: 10 });
    const attempt = new AbortController();
    const reason = new Error('the job was cancelled');
    const listing = scenes().listScenes(query, attempt.signal);
    attempt.abort(reason);
    await expect(listing).rejects.toBe(reason);
  });
});

describe('where a field of a tenant lies', () => {
  test('is told by its geometry; a field without one, or of another tenant, is not found', async () => {
    const { land, ports } = landInMemory();
    const area = searchAreaOf(land, TENANT);
    const stamps = { eTag: 'e', createdAt: 0, createdBy: 'b', modifiedAt: 0, modifiedBy: 'b' };
    const named = (id: string, tenant = TENANT) => landKey('field', id, 'party', tenant);
    const drawn = soundShape(Buffer.from(JSON.stringify(burgundyField)));
    const common = { kind: 'field', partyId: 'party', ...stamps } as const;
    await ports.land.insert(named('drawn'), { ...common, id: 'drawn', ...drawn });
    await ports.land.insert(named('bare'), { ...common, id: 'bare' });
    await ports.land.insert(named('foreign', '7c1b6f0e-52a4-4f3f-9d0a-3f1f2f6f0a12'), {
      ...{ ...common, id: 'foreign', ...drawn },
    });
    await expect(area('party', 'drawn')).resolves.toEqual(burgundyField);
    for (const id of ['bare', 'foreign', 'unknown']) {
      const fault = await area('party', id).catch((error: unknown) => error);
      expect(fault).toBeInstanceOf(DataManagerError);
      expect(fault).toMatchObject({ kind: 'not_found' });
    }
  });
});
