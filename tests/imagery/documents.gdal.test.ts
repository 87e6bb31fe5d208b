import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { LAYER_NAMES } from '../../shared/imagery/layers.js';
import { aScene } from './builders.js';
import { ImageryUnderTest } from './imageryUnderTest.js';
import { clearFields } from './paintedReader.js';

const isThere = (program: string): boolean => spawnSync(program, ['--version']).status === 0;
const canAsk = isThere('gdalinfo') && isThere('jq');
if (!canAsk) process.stdout.write('gdalinfo (gdal-bin) or jq is missing: opening our documents in GDAL is skipped.\n');

/** The program of docs/imagery.md that makes one ItemCollection of items. */
function programOfDocs(): string {
  const page = readFileSync('docs/imagery.md', 'utf8');
  const program = /jq -s .*?\n\s+'(\{type.*?)' \*\/metadata\.json/s.exec(page)?.[1];
  if (program === undefined) throw new Error('docs/imagery.md has no jq program any more.');
  return program;
}

interface Info {
  readonly size: readonly number[];
  readonly geoTransform: readonly number[];
  readonly coordinateSystem: { readonly wkt: string };
  readonly files: readonly string[];
  readonly bands: readonly { readonly type: string; readonly noDataValue: number; readonly maximum: number }[];
  readonly metadata: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

(canAsk ? describe : describe.skip)('the documents of a field in GDAL', () => {
  const folder = mkdtempSync(join(tmpdir(), 'stac-'));
  const field = join(folder, 'contoso/field-imagery/sentinel-2/north');
  const days = ['2026-06-12', '2026-06-17'];
  const collection = join(folder, 'north.json');
  const info = (...names: readonly string[]): Info =>
    JSON.parse(
      execFileSync('gdalinfo', ['-json', '-stats', '--config', 'GDAL_PAM_ENABLED', 'NO', ...names], {
        encoding: 'utf8',
      }),
    ) as Info;

  beforeAll(async () => {
    const service = new ImageryUnderTest('2026-06-20T12:00:00Z');
    // The later day is greener.
    service.reader.paint = (scene, file, place) =>
      clearFields(scene, file, place) + (file === 'nir' && scene.id === days[1] ? 1_000 : 0);
    for (const date of days) {
      service.catalogue.add(aScene({ id: date, takenAt: `${date}T10:05:59.000Z`, datatake: date }));
    }
    const box = [13.14, 48.29, 13.1436, 48.2925] as const;
    const request = { startDate: '2026-06-10', endDate: '2026-06-30', layers: LAYER_NAMES };
    await service.enrol({ customer: 'contoso', enrollmentId: 'e1', fields: [{ fieldId: 'north', box }], request });
    await service.plan('contoso');
    await service.drain();
    const { files, documents } = service.imagery;
    const all = [...files, ...[...documents].map(([path, { document }]) => [path, JSON.stringify(document)] as const)];
    for (const [path, content] of all) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), content);
    }
    const items = days.map((date) => join(field, date, 'metadata.json'));
    const args = ['-s', '--arg', 'folder', field, '--arg', 'sas', '', programOfDocs(), ...items];
    writeFileSync(collection, execFileSync('jq', args));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  test('open as one raster for each layer, as docs/imagery.md says', () => {
    const { metadata } = info(collection);
    expect(Object.values(metadata['SUBDATASETS']!).filter((name) => name.startsWith('STACIT:'))).toEqual(
      ['ndvi', 'scouting', 'true-color', 'vegetation'].map((layer) => `STACIT:"${collection}":asset=${layer}`),
    );
  });

  test('put the days of a layer over each other on the grid of the field, the latest on top', () => {
    const { size, geoTransform, coordinateSystem, files, bands } = info(`STACIT:"${collection}":asset=ndvi`);
    expect(files).toEqual(days.map((date) => join(field, date, 'ndvi.tiff')));
    expect(coordinateSystem.wkt).toContain('WGS 84 / UTM zone 33N');
    expect(size).toEqual([30, 32]);
    expect(geoTransform).toEqual([362_020, 10, 0, 5_350_500, 0, -10]);
    expect(bands).toMatchObject([{ type: 'Float32', noDataValue: -9999 }]);
    expect(bands[0]!.maximum).toBeCloseTo(3500 / 4500, 3);
  });

  test('say of each file what GDAL finds in it', () => {
    const item = JSON.parse(readFileSync(join(field, days[0]!, 'metadata.json'), 'utf8')) as {
      assets: Record<
        string,
        { 'proj:shape': number[]; 'proj:transform': number[]; nodata: number; 'proj:epsg': number }
      >;
    };
    for (const [layer, asset] of Object.entries(item.assets)) {
      const { size, geoTransform, bands, coordinateSystem } = info(join(field, days[0]!, `${layer}.tiff`));
      const [a, b, c, d, e, f] = asset['proj:transform'];
      expect(size).toEqual(asset['proj:shape'].toReversed());
      expect(geoTransform).toEqual([c, a, b, f, d, e]);
      expect(bands.every(({ noDataValue }) => noDataValue === asset.nodata)).toBe(true);
      expect(coordinateSystem.wkt).toContain(`ID["EPSG",${asset['proj:epsg']}]`);
    }
  });
});
