import { afterEach, describe, expect, test } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isInDeepShadow, shadowDn } from '../../../tools/scenes/deepShadow.js';
import type { Render } from '../../../infra/local/standIns/stac/render.js';
import { POINT_ON_SURFACE } from '../../../infra/local/demo/farms.js';
import { startStac, type StacOptions, type StacStandIn } from '../../../infra/local/standIns/stac.js';
import { caseNames, namedCases } from '../../../infra/local/standIns/stac/namedCases.js';
import { systemClock } from '../../../shared/kit/clock.js';
import { catalogueHttpClient } from '../../../shared/scenes/stac/catalogueHttpClient.js';
import { CogSceneReader } from '../../../shared/scenes/pixels/cogSceneReader.js';
import { egressGuard } from '../../../shared/kit/outbound/egressClient.js';
import type { FieldDate } from '../../../shared/enrollments/fields/fieldDate.js';
import type { GeoBox } from '../../../shared/scenes/place/footprint.js';
import { StacClient } from '../../../shared/scenes/stac/stacClient.js';
import type { Position } from '../../../shared/geo/shapes/geoJson.js';
import { toMapPoint } from '../../../shared/geo/grid/grid.js';
import { positionOf, writeScene } from '../../support/sceneFiles.js';
import { aScene } from '../../imagery/builders.js';
import { ImageryUnderTest } from '../../imagery/imageryUnderTest.js';

const NOW = '2026-06-20T12:00:00Z';
const { longitude, latitude } = POINT_ON_SURFACE;
const boxAt = ([x, y]: Position): GeoBox => [x, y, x + 0.002, y + 0.0015];
const middleOf = ([west, south, east, north]: GeoBox): Position => [(west + east) / 2, (south + north) / 2];
const BOX = boxAt([longitude, latitude]);

let standIn: StacStandIn | undefined;
afterEach(() => standIn?.close());

/** The processing half of area C with the service's own client and reader, on the stand-in. */
class OnStandIn extends ImageryUnderTest {
  readonly #standIn: StacStandIn;

  constructor(at: StacStandIn) {
    super(NOW);
    this.#standIn = at;
  }

  override get ports() {
    const { host, apiUrl } = this.#standIn;
    const egress = egressGuard([host], { clock: systemClock });
    const getJson = catalogueHttpClient({ fetch, clock: systemClock, egress, random: Math.random });
    return {
      ...super.ports,
      catalogue: new StacClient({ catalogue: 'earth-search', url: apiUrl, getJson }),
      reader: new CogSceneReader({ clock: systemClock, egress, random: Math.random }),
    };
  }
}

/** Farmland under a clear sky, drawn in no time. */
const flat: Render = ({ grid: { width, height } }) => {
  const band = (dn: number): Uint16Array => new Uint16Array(width * height).fill(dn);
  return Promise.resolve({
    bands: { B02: band(250), B03: band(500), B04: band(400), B08: band(3_600) },
    scl: new Uint8Array(width * height).fill(4),
    cloudFraction: 0,
  });
};

const tried = new Set<string>();
/** Cases as STAC_CASES names them. */
function named(text: string): StacOptions {
  for (const entry of text.split(',')) tried.add(entry.split('@')[0] ?? '');
  return namedCases(text);
}
const at = (name: string, [x, y]: Position): string => `${name}@${x}/${y}`;

/** All days of a field since the beginning of the month, from a stand-in with these cases. */
async function monthOf(box: GeoBox, options: StacOptions): Promise<{ service: OnStandIn; days: readonly FieldDate[] }> {
  standIn = await startStac({ clock: { now: () => new Date(NOW) }, render: flat, ...options });
  const service = new OnStandIn(standIn);
  await service.enrol({
    customer: 'contoso',
    enrollmentId: 'e1',
    fields: [{ fieldId: 'north', box }],
    request: { startDate: '2026-06-01', endDate: '2026-06-20', layers: ['ndvi'] },
  });
  await service.drain();
  return { service, days: await service.fieldDates.list('contoso', 'north') };
}

interface Item {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly assets: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}
const itemOf = ({ imagery }: ImageryUnderTest, date: string): Item =>
  imagery.documents.get(`contoso/field-imagery/sentinel-2/north/${date}/metadata.json`)!.document as Item;

describe('scenes as real catalogues have them', () => {
  test('tidy ones show the whole field by one scene', async () => {
    const { days } = await monthOf(BOX, {});
    expect(days.length).toBeGreaterThanOrEqual(3);
    expect(days.filter(({ coveragePercent }) => coveragePercent !== null)).not.toEqual([]);
    for (const { coveragePercent, scenes } of days.filter(({ outcome }) => outcome === 'done')) {
      expect({ coveragePercent, scenes: scenes.length }).toEqual({ coveragePercent: 100, scenes: 1 });
    }
  });

  test('of a datastrip that ends inside the field show all of it by two granules', async () => {
    const { days } = await monthOf(BOX, named(at('two-granules', middleOf(BOX))));
    const done = days.filter(({ outcome }) => outcome === 'done');
    expect(done.length).toBeGreaterThanOrEqual(2);
    expect(days.map(({ outcome }) => outcome)).not.toContain('coverage');
    for (const { coveragePercent, scenes } of done) {
      expect({ coveragePercent, scenes: scenes.length }).toEqual({ coveragePercent: 100, scenes: 2 });
    }
  });

  test.each([
    { why: 'the later version', cases: 'reprocessed', sequence: '_2_' },
    {
      why: 'the earlier one where the later shows less',
      cases: at('reprocessed-part', middleOf(BOX)),
      sequence: '_0_',
    },
  ])('that were processed again are used once, in $why', async ({ cases, sequence }) => {
    const { days } = await monthOf(BOX, named(cases));
    const inOld = days.filter(({ outcome, scenes }) => outcome === 'done' && !scenes[0]!.includes('_T'));
    expect(inOld.length).toBeGreaterThanOrEqual(1);
    for (const { coveragePercent, scenes } of inOld) {
      expect({ coveragePercent, scenes: scenes.length }).toEqual({ coveragePercent: 100, scenes: 1 });
      expect(scenes[0]).toContain(sequence);
    }
  });

  test('of the neighbouring zone are drawn on the field’s grid on the days that have no other', async () => {
    const box = boxAt([-95.97, 41.6]);
    const { service, days } = await monthOf(box, named('neighbour-zones'));
    const done = days.filter(({ outcome }) => outcome === 'done');
    const zones = new Set(done.map(({ scenes }) => /_T?(\d\d)[A-Z]{3}_/.exec(scenes[0]!)?.[1]));
    expect(zones).toEqual(new Set(['14', '15']));
    const places = done.map(({ date }) => {
      const entries = Object.entries(itemOf(service, date).assets['ndvi']!);
      return JSON.stringify(entries.filter(([name]) => name.startsWith('proj:')));
    });
    expect(new Set(places).size).toBe(1);
    expect(places[0]).toContain('EPSG:32615');
  });

  test('that two collections name by one digit and by two are one tile', async () => {
    const { days } = await monthOf(boxAt([-155.4, 19.6]), named('odd-tile-names,two-granules@-155.4/19.2'));
    expect(days.length).toBeGreaterThanOrEqual(3);
    expect(days.some(({ scenes }) => scenes[0]!.includes('_T05QKB_'))).toBe(true);
    expect(days.some(({ scenes }) => scenes[0]!.includes('_5QKB_'))).toBe(true);
    for (const { scenes } of days) expect(scenes).toHaveLength(1);
  });

  test('with deep shadow keep the offset that their collection names', async () => {
    const { service, days } = await monthOf(BOX, named('deep-shadow'));
    const inOne = days.filter(({ outcome, scenes }) => outcome === 'done' && scenes[0]!.includes('_T'));
    expect(inOne.length).toBeGreaterThanOrEqual(1);
    for (const { date } of inOne) {
      expect(itemOf(service, date).properties).toMatchObject({
        'fieldimagery:boa_offset_dn': -1000,
        'fieldimagery:boa_offset_basis': 'asset',
      });
    }
  });

  test('beside items that name no files are used as if these weren’t there', async () => {
    const tidy = await monthOf(BOX, {});
    await standIn?.close();
    const { days } = await monthOf(BOX, named('odd-items'));
    expect(days).toEqual(tidy.days);
  });

  test.each(['refused-files', 'missing-files'])('with %s are waited for: nothing is recorded', async (name) => {
    const { service, days } = await monthOf(BOX, named(name));
    expect(days.filter(({ outcome }) => outcome !== 'cloud')).toEqual([]);
    expect((await service.backfills()).length).toBeGreaterThan(0);
  });

  test('with expired-tokens are there once they are given again', async () => {
    const { service } = await monthOf(BOX, named('expired-tokens'));
    for (let hour = 0; hour < 24; hour += 1) {
      service.clock.jump(3_600_000);
      await service.sweep();
      await service.drain();
    }
    const days = await service.fieldDates.list('contoso', 'north');
    expect(days.some(({ outcome }) => outcome === 'done')).toBe(true);
    expect(days.map(({ outcome }) => outcome)).not.toContain('failed');
    expect(service.log.some(({ event }) => event === 'Work:AttemptFailed')).toBe(true);
  });

  test('are all that STAC_CASES names', () => {
    expect([...tried].sort()).toEqual([...caseNames].sort());
  });
});

describe('a small scene of collection 1 with deep shadow on 6 % of its land', () => {
  const folder = mkdtempSync(join(tmpdir(), 'shadow-'));
  const grid = { ...aScene().grid, originX: 361_000, originY: 5_351_000, width: 512, height: 512 };

  test('comes out with the reflectance that it has', async () => {
    await writeScene(folder, {
      id: 'S2B_T33UUP_20260617T100559_L2A',
      date: '2026-06-17',
      grid,
      valueAt: (file, column, row) => {
        const [x, y] = toMapPoint(grid, [column + 0.5, row + 0.5]);
        if (file === 'scl') return 4;
        return isInDeepShadow(x, y, 0.06)
          ? shadowDn(1_000)
          : { red: 1_400, green: 1_500, blue: 1_250, nir: 4_600 }[file];
      },
    });
    const path = join(folder, 'S2B_T33UUP_20260617T100559_L2A', 'item.json');
    const item = JSON.parse(readFileSync(path, 'utf8')) as { assets: Record<string, object>; properties: object };
    Object.assign(item, { collection: 'sentinel-2-c1-l2a' });
    Object.assign(item.assets['red']!, { 'raster:bands': [{ nodata: 0, scale: 0.0001, offset: -0.1 }] });
    writeFileSync(path, JSON.stringify(item));
    const [west, north] = positionOf(grid, [100, 100]);
    const [east, south] = positionOf(grid, [140, 140]);
    const { service, days } = await monthOf([west, south, east, north], { folder });
    rmSync(folder, { recursive: true, force: true });
    expect(days).toMatchObject([{ outcome: 'done', date: '2026-06-17' }]);
    const { properties, assets } = itemOf(service, '2026-06-17');
    expect(properties['fieldimagery:boa_offset_basis']).toBe('asset');
    const [band] = assets['ndvi']!['bands'] as readonly { 'fieldimagery:percentiles': { p50: number } }[];
    // (3600 − 400) ÷ (3600 + 400); with the offset left in it would be (4600 − 1400) ÷ 6000.
    expect(band!['fieldimagery:percentiles'].p50).toBeCloseTo(0.8, 6);
  });
});
