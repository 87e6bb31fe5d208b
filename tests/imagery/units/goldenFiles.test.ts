import { beforeAll, describe, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import type { MultiPolygon, Position } from '../../../shared/geo/shapes/geoJson.js';
import type { GeoBox } from '../../../shared/scenes/place/footprint.js';
import { LAYER_NAMES } from '../../../shared/scenes/layers/layers.js';
import { memorySource } from '../../../shared/raster/read/memorySource.js';
import { openRaster } from '../../../shared/raster/read/rasterReader.js';
import { readWindows } from '../../../shared/raster/read/windowReader.js';
import { aScene, boxPolygon } from '../builders.js';
import { ImageryUnderTest, type FieldToEnrol } from '../imageryUnderTest.js';
import type { Paint } from '../paintedReader.js';

const DAY = '2026-06-17';

/** Numbers that differ from pixel to pixel; clouds in round patches; they carry the offset. */
const uneven: Paint = (_scene, file, [x, y]) => {
  const noise = Math.imul(Math.round(x) * 7919 + Math.round(y), 0x9e3779b1) >>> 20;
  if (file === 'scl') return Math.hypot((x % 3_000) - 1_500, (y % 3_000) - 1_500) < 160 ? 9 : 4;
  const wave = Math.abs((x % 700) - 350) - Math.abs((y % 900) - 450);
  return Math.round({ red: 1_700, green: 1_800, blue: 1_500, nir: 3_900 }[file] + wave + (noise % 90));
};

const turned = (box: GeoBox): Position[] => {
  const [west, south, east, north] = box;
  const [x, y] = [(west + east) / 2, (south + north) / 2];
  return [
    [x, south],
    [east, y],
    [x, north],
    [west, y],
    [x, south],
  ];
};

const LARGE: GeoBox = [13.02, 48.3, 13.11, 48.36];
const HOLED: GeoBox = [13.14, 48.29, 13.15, 48.297];
const EAST: GeoBox = [13.161, 48.291, 13.166, 48.294];
const withHole: MultiPolygon['coordinates'] = [
  [turned(HOLED), turned([13.143, 48.292, 13.147, 48.295])],
  boxPolygon(EAST).coordinates,
];

/** Fields inside one tile of their own zone, small and large. */
const FIELDS: readonly FieldToEnrol[] = [
  { fieldId: 'square', box: [13.14, 48.29, 13.1436, 48.2925] },
  { fieldId: 'touched', box: [13.1402, 48.3002, 13.1405, 48.3003] },
  { fieldId: 'parts', box: [HOLED[0], HOLED[1], EAST[2], HOLED[3]], parts: withHole },
  { fieldId: 'overviews', box: LARGE, parts: [[turned(LARGE)]] },
];

/** What a file says and shows, however it is compressed: that depends on Node's zlib. */
async function contentOf(bytes: Uint8Array): Promise<string> {
  const raster = await openRaster(memorySource(bytes, 'layer'));
  const hash = createHash('sha256').update(JSON.stringify([raster.grid, raster.nodata, raster.metadataXml]));
  for (const image of [raster.image, ...raster.overviews]) {
    const [pixels] = await readWindows(raster, [{ column: 0, row: 0, ...image }], { image });
    const { data } = pixels!;
    hash.update(`${image.width} ${image.height}`).update(new Uint8Array(data.buffer, data.byteOffset, data.byteLength));
  }
  return hash.digest('hex').slice(0, 16);
}

/** The content of the files as they were made before a field had a grid of its own; of `vegetation` with the tags of layers 2. */
const GOLDEN: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  square: {
    ndvi: '6bfe2dcdf0223d00',
    vegetation: '2b384a3e6a8fd101',
    scouting: 'd9a9a651f15b5d4a',
    'true-color': 'ec6ea43cc17a8380',
  },
  touched: {
    ndvi: '7e70fe534db40fa2',
    vegetation: '4c6c9f7170dc8267',
    scouting: 'ebec8e69951b1b8d',
    'true-color': '9fc1aac9ae906340',
  },
  parts: {
    ndvi: 'dde7d7174a0b2454',
    vegetation: '3e6f293925509b18',
    scouting: '5f3600cfe62eaba2',
    'true-color': '7d3f7cbad4f0b7fa',
  },
  overviews: {
    ndvi: 'ac87d248bb2b4f27',
    vegetation: '2bd33a4fab08529c',
    scouting: '65cf807856018d9a',
    'true-color': 'a0db9675fcc072a2',
  },
};

describe('a field inside one tile of its zone', () => {
  let service: ImageryUnderTest;

  beforeAll(async () => {
    service = new ImageryUnderTest('2026-06-20T12:00:00Z');
    service.reader.paint = uneven;
    service.thresholds = {
      ...service.thresholds,
      clearFraction: { ndvi: 0, vegetation: 0, scouting: 0, 'true-color': 0 },
    };
    service.catalogue.add(aScene({ offset: { offsetDn: -1000, basis: 'asset' } }));
    const request = { startDate: DAY, endDate: DAY, layers: LAYER_NAMES };
    await service.enrol({ customer: 'contoso', enrollmentId: 'e1', fields: FIELDS, request });
    await service.drain();
  });

  test.each(FIELDS.map(({ fieldId }) => fieldId))(
    '%s keeps every pixel, tag and corner of its files',
    async (fieldId) => {
      const found: Record<string, string> = {};
      for (const layer of LAYER_NAMES) {
        const path = `contoso/field-imagery/sentinel-2/${fieldId}/${DAY}/${layer}.tiff`;
        found[layer] = await contentOf(service.imagery.files.get(path)!);
      }
      expect(found).toEqual(GOLDEN[fieldId]);
    },
  );
});
