import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { LAYER_NAMES } from '../../../shared/scenes/layers/layers.js';
import { aScene } from '../builders.js';
import { ImageryUnderTest } from '../imageryUnderTest.js';
import { clearFields } from '../paintedReader.js';

const PROGRAMS = ['gdalinfo', 'gdalbuildvrt', 'jq', 'curl', 'bash'];
const missing = PROGRAMS.filter((program) => spawnSync(program, ['--version']).status !== 0);
const canAsk = missing.length === 0;
if (!canAsk) process.stdout.write(`${missing.join(', ')} missing: opening our documents in GDAL is skipped.\n`);

/** The examples of docs/imagery.md that read `items.json`: from the storage, and in a copy of the folder. */
function examplesOfDocs(): readonly [remote: string, copy: string] {
  const page = readFileSync('docs/imagery.md', 'utf8');
  const blocks = [...page.matchAll(/^```sh\n(.*?)^```/gms)].map(([, lines = '']) => lines);
  const [remote, copy, ...others] = blocks.filter((lines) => lines.includes('items.json'));
  if (remote === undefined || copy === undefined || others.length > 0)
    throw new Error('docs/imagery.md has other lines.');
  return [remote, copy];
}

const SAS = 'sv=2026-02-06&sr=d&sig=a%2Bb%2F%3D';

/** A storage that gives whole files and ranges of them to who brings the token. */
function answerFrom(folder: string, { url = '', headers }: IncomingMessage, answer: ServerResponse): void {
  const [path = '', query] = url.split('?');
  if (query !== SAS) return void answer.writeHead(403).end();
  const file = join(folder, decodeURIComponent(path));
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return void answer.writeHead(404).end();
  const bytes = readFileSync(file);
  const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? '') ?? [];
  if (first === undefined) return void answer.writeHead(200, { 'Content-Length': bytes.length }).end(bytes);
  const part = bytes.subarray(Number(first), last === '' ? undefined : Number(last) + 1);
  const range = `bytes ${first}-${Number(first) + part.length - 1}/${bytes.length}`;
  answer.writeHead(206, { 'Content-Length': part.length, 'Content-Range': range }).end(part);
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
  const path = 'contoso/field-imagery';
  const field = join(folder, 'imagery', path, 'sentinel-2/north-40');
  const days = ['2026-06-12', '2026-06-17'];
  const server = createServer((request, answer) => {
    answerFrom(folder, request, answer);
  });
  const collection = join(folder, 'north-40.json');
  const env = { ...process.env, GDAL_PAM_ENABLED: 'NO', no_proxy: '127.0.0.1' };
  const info = async (...names: readonly string[]): Promise<Info> => {
    const { stdout } = await promisify(execFile)('gdalinfo', ['-json', '-stats', ...names], { cwd: folder, env });
    return JSON.parse(stdout) as Info;
  };
  let endpoint = '';
  /** Pastes lines into a shell, the storage's host in place of that of Azure. */
  async function paste(lines: string, cwd: string): Promise<string> {
    const script = lines.replaceAll('https://$ACCOUNT.blob.core.windows.net', endpoint);
    const given = { ...env, FILE_SYSTEM: 'imagery', SAS_PATH: path, SAS };
    const { stdout } = await promisify(execFile)('bash', ['-e', '-c', script], { cwd, env: given });
    return stdout;
  }

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
    await service.enrol({ customer: 'contoso', enrollmentId: 'e1', fields: [{ fieldId: 'north-40', box }], request });
    await service.drain();
    const { files, documents } = service.imagery;
    const all = [...files, ...[...documents].map(([name, { document }]) => [name, JSON.stringify(document)] as const)];
    for (const [name, content] of all) {
      mkdirSync(dirname(join(folder, 'imagery', name)), { recursive: true });
      writeFileSync(join(folder, 'imagery', name), content);
    }
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test('open straight from the storage with the token, by the lines of docs/imagery.md as pasted', async () => {
    const [remote] = examplesOfDocs();
    expect(await paste(remote, folder)).toContain('Size is 30, 32');
    const { metadata } = await info(collection);
    expect(Object.values(metadata['SUBDATASETS']!).filter((name) => name.startsWith('STACIT:'))).toEqual(
      ['ndvi', 'scouting', 'true-color', 'vegetation'].map((layer) => `STACIT:"${collection}":asset=${layer}`),
    );
    const stack = await info('ndvi.vrt');
    expect(stack.bands.map(({ maximum }) => maximum)).toEqual([
      expect.closeTo(2500 / 3500, 3),
      expect.closeTo(3500 / 4500, 3),
    ]);
  });

  test('put the days of a layer over each other on the grid of the field, the latest on top', async () => {
    const { size, geoTransform, coordinateSystem, files, bands } = await info('STACIT:"north-40.json":asset=ndvi');
    const root = `/vsicurl/${endpoint}/imagery/${path}/sentinel-2/north-40`;
    expect(files).toEqual(days.map((date) => `${root}/${date}/ndvi.tiff?${SAS}`));
    expect(coordinateSystem.wkt).toContain('WGS 84 / UTM zone 33N');
    expect(size).toEqual([30, 32]);
    expect(geoTransform).toEqual([362_020, 10, 0, 5_350_500, 0, -10]);
    expect(bands).toMatchObject([{ type: 'Float32', noDataValue: -9999 }]);
    expect(bands[0]!.maximum).toBeCloseTo(3500 / 4500, 3);
  });

  test('open in a copy of the folder as they are', async () => {
    const [, copy] = examplesOfDocs();
    expect(await paste(copy, dirname(field))).toMatch(/Files: .*2026-06-12\/ndvi\.tiff\s+.*2026-06-17\/ndvi\.tiff/);
  });

  test('say of each file what GDAL finds in it', async () => {
    const item = JSON.parse(readFileSync(join(field, days[0]!, 'metadata.json'), 'utf8')) as {
      assets: Record<
        string,
        { 'proj:shape': number[]; 'proj:transform': number[]; nodata: number; 'proj:epsg': number }
      >;
    };
    for (const [layer, asset] of Object.entries(item.assets)) {
      const { size, geoTransform, bands, coordinateSystem } = await info(join(field, days[0]!, `${layer}.tiff`));
      const [a, b, c, d, e, f] = asset['proj:transform'];
      expect(size).toEqual(asset['proj:shape'].toReversed());
      expect(geoTransform).toEqual([c, a, b, f, d, e]);
      expect(bands.every(({ noDataValue }) => noDataValue === asset.nodata)).toBe(true);
      expect(coordinateSystem.wkt).toContain(`ID["EPSG",${asset['proj:epsg']}]`);
    }
  });
});
