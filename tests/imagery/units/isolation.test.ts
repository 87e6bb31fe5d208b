import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStac, type StacStandIn } from '../../../infra/local/standIns/stac.js';
import { systemClock } from '../../../shared/kit/clock.js';
import { egressGuard } from '../../../shared/kit/outbound/egressClient.js';
import { gridOfFile, SCENE_FILES, type Scene, type SceneFile } from '../../../shared/scenes/item/scene.js';
import { CogSceneReader } from '../../../shared/scenes/pixels/cogSceneReader.js';
import { encodeCog } from '../../../shared/raster/write/encodeCog.js';
import { sampleArray } from '../../../shared/raster/tiff/pixels.js';
import { utmProjection } from '../../../shared/geo/grid/utm.js';
import { aScene } from '../builders.js';
import { UnitsUnderTest } from './unitsUnderTest.js';

/** A scene of 1,024 pixels in the middle of its tile, which is home to what lies there. */
const SIDE = 1024;
const BLOCK = 256;
const folder = mkdtempSync(join(tmpdir(), 'cell-'));
let files: StacStandIn;
const base = aScene();
const { originX, originY } = base.grid;
const grid = { ...base.grid, originX: originX + 48_000, originY: originY - 48_000, width: SIDE, height: SIDE };
const scene = (): Scene => ({
  ...base,
  grid,
  files: Object.fromEntries(SCENE_FILES.map((file) => [file, `${files.url}/files/${file}.tif`])) as Scene['files'],
});

async function writeBand(file: SceneFile): Promise<void> {
  const own = gridOfFile({ grid }, file);
  const data = sampleArray(file === 'scl' ? 'uint8' : 'uint16', own.width * own.height);
  // Hardly compressible, so that blocks lie apart and each is a request of its own or part of one.
  const noise = (index: number): number => (Math.imul(index + file.length, 0x9e3779b1) >>> 7) % 3_001;
  for (let index = 0; index < data.length; index += 1) data[index] = file === 'scl' ? 4 : 500 + noise(index);
  const pixels = { width: own.width, height: own.height, bands: 1, data };
  const bytes = await encodeCog({ pixels, grid: own, nodata: 0, tileSize: BLOCK, overviewsBy: 'nearest' });
  writeFileSync(join(folder, `${file}.tif`), bytes);
}

/** Fields of 30 pixels a side, in a row over the first blocks; each customer has every second place. */
function fieldsOf(first: number, count: number) {
  const { toPosition } = utmProjection(grid.epsg);
  return Array.from({ length: count }, (_, index) => {
    const [x, y] = [grid.originX + 400 + (first + 2 * index) * 400, grid.originY - 700];
    const [west, north] = toPosition([x, y]);
    const [east, south] = toPosition([x + 300, y - 300]);
    return { fieldId: `f${first + 2 * index}`, box: [west, south, east, north] as const };
  });
}

let requests: () => readonly string[];
beforeAll(async () => {
  files = await startStac({ folder });
  for (const file of SCENE_FILES) await writeBand(file);
});
afterAll(async () => {
  await files.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  files.script.reset();
  requests = () => files.script.requests().map(({ path }) => path);
});

const request = { startDate: '2026-06-10', endDate: '2026-06-30', layers: ['ndvi', 'true-color'] } as const;
const enrolB = { customer: 'b', enrollmentId: 'of-b', fields: fieldsOf(1, 8), request };
const enrolA = { customer: 'a', enrollmentId: 'of-a', fields: fieldsOf(0, 9), request };

/** What there is after the scene was seen of these customers. */
async function seenBy(...enrollments: readonly (typeof enrolA)[]): Promise<UnitsUnderTest> {
  const service = new UnitsUnderTest('2026-06-17T18:00:00Z');
  service.fileReader = new CogSceneReader({
    clock: { ...systemClock, sleep: () => Promise.resolve() },
    egress: egressGuard([files.host], { clock: systemClock }),
    random: () => 0,
  });
  for (const enrollment of enrollments) await service.enrol(enrollment);
  await service.fanOut(await service.publish(scene()));
  await service.doUnits();
  return service;
}

describe('two customers with fields in one cell', () => {
  test('each get what they would get alone: every byte of every file, every document, every record', async () => {
    const [together, alone] = [await seenBy(enrolA, enrolB), await seenBy(enrolB)];
    // One unit made both.
    expect(together.log.filter(({ event }) => event === 'Unit:Rendered')).toMatchObject([{ facts: { customers: 2 } }]);
    const found = together.all('b');
    expect(found.files).toHaveLength(16);
    expect(found.records).toHaveLength(8);
    expect(found).toEqual(alone.all('b'));
    expect(together.all('a')).toEqual((await seenBy(enrolA)).all('a'));
  });

  test('share the blocks of the scene: together they fetch no more than the one with more fields', async () => {
    await seenBy(enrolA);
    const alone = requests().length;
    files.script.reset();
    await seenBy(enrolB);
    expect(requests().length).toBe(alone);
    files.script.reset();
    await seenBy(enrolA, enrolB);
    expect(requests().length).toBe(alone);
  });

  test('lie in rows and folders that name no other customer', async () => {
    const service = await seenBy(enrolA, enrolB);
    const { files: _bytes, ...told } = service.all('b');
    expect(JSON.stringify(told)).not.toMatch(/of-a|"a"|\ba\//);
    const own = [...service.fieldDates.rows.keys()].filter((key) => key.startsWith('b|'));
    expect(own).toHaveLength(8);
  });
});
