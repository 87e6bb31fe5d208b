import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStac, type StacStandIn } from '../../../infra/local/standIns/stac.js';
import { systemClock } from '../../../shared/kit/clock.js';
import type { KnownOffset, OffsetRule } from '../../../shared/scenes/item/boaOffset.js';
import { CogSceneReader } from '../../../shared/scenes/pixels/cogSceneReader.js';
import { egressGuard } from '../../../shared/kit/outbound/egressClient.js';
import { CatalogueError } from '../../../shared/scenes/stac/catalogueError.js';
import type { AddressFor } from '../../../shared/scenes/stac/planetaryComputerClient.js';
import { gridOfFile, type Scene, type SceneFile } from '../../../shared/scenes/item/scene.js';
import { encodeCog } from '../../../shared/raster/write/encodeCog.js';
import type { PixelWindow } from '../../../shared/geo/grid/grid.js';
import { sampleArray, type Pixels } from '../../../shared/raster/tiff/pixels.js';
import { RasterError } from '../../../shared/raster/tiff/rasterError.js';
import { aScene } from '../../imagery/builders.js';

const SIDE = 1024;
const signal = new AbortController().signal;
const folder = mkdtempSync(join(tmpdir(), 'scenes-'));
let files: StacStandIn;

/** Writes one file of a scene; `valueAt` gives each pixel by column and row of 10 m. */
async function write(
  name: string,
  file: SceneFile,
  valueAt: (column: number, row: number) => number,
  nodata = 0,
): Promise<void> {
  const grid = gridOfFile({ grid: scene().grid }, file);
  const step = SIDE / grid.width;
  const data = sampleArray(file === 'scl' ? 'uint8' : 'uint16', grid.width * grid.height);
  for (let index = 0; index < data.length; index += 1) {
    data[index] = valueAt((index % grid.width) * step, Math.floor(index / grid.width) * step);
  }
  const pixels = { width: grid.width, height: grid.height, bands: 1, data };
  const bytes = await encodeCog({ pixels, grid, nodata, tileSize: 128, overviewsBy: 'nearest' });
  writeFileSync(join(folder, `${name}.tif`), bytes);
}

/** A scene of 1024 pixels whose files are named by `files`. */
function scene(changes: Partial<Scene> = {}, names: Partial<Record<SceneFile, string>> = {}): Scene {
  const base = aScene(changes);
  const url = (file: SceneFile): string => `${files.url}/files/${names[file] ?? file}.tif`;
  return {
    ...base,
    grid: { ...base.grid, width: SIDE, height: SIDE },
    files: { scl: url('scl'), red: url('red'), green: url('red'), blue: url('red'), nir: url('red') },
    ...changes,
  };
}

/** The scene with other files of that name. */
const withFiles = (one: Scene, names: Partial<Record<SceneFile, string>>): Scene => ({
  ...one,
  files: {
    ...one.files,
    ...Object.fromEntries(Object.entries(names).map(([file, name]) => [file, `${files.url}/files/${name}.tif`])),
  },
});

interface ReaderChanges {
  readonly sign?: AddressFor;
  readonly hosts?: readonly string[];
  readonly readBudgetBytes?: number;
}
const readerWith = (more: ReaderChanges = {}): CogSceneReader =>
  new CogSceneReader({
    clock: { ...systemClock, sleep: () => Promise.resolve() },
    egress: egressGuard(more.hosts ?? [files.host], { clock: systemClock }),
    random: () => 0,
    ...(more.sign === undefined ? {} : { sign: more.sign }),
    ...(more.readBudgetBytes === undefined ? {} : { readBudgetBytes: more.readBudgetBytes }),
  });

const WINDOWS: readonly PixelWindow[] = [
  { column: 10, row: 10, width: 4, height: 4 },
  { column: 900, row: 900, width: 4, height: 4 },
];

beforeAll(async () => {
  files = await startStac({ folder });
  await write('red', 'red', (column, row) => 500 + column + row);
  await write('scl', 'scl', () => 4);
});
afterAll(async () => {
  await files.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(() => {
  files.script.reset();
});

describe('the files of a scene', () => {
  test('are opened once and read by range', async () => {
    const reader = readerWith();
    const [first] = await reader.read(scene(), 'red', { windows: WINDOWS, signal });
    expect(first).toMatchObject({ width: 4, height: 4, bands: 1 });
    expect([...(first as { data: Uint16Array }).data.slice(0, 4)]).toEqual([520, 521, 522, 523]);
    const opened = files.script.requests().length;
    await reader.read(scene(), 'red', { windows: WINDOWS, signal });
    // The header is not fetched again: only the ranges of the two blocks.
    expect(files.script.requests().length - opened).toBeLessThan(opened);
  });

  test('may be read without end, but no more than a limit at once', async () => {
    // Hardly compressible: the file has over 1 MB, each of its blocks some 25 KB.
    await write('noise', 'red', (column, row) => 500 + ((Math.imul(column * 1_031 + row, 0x9e3779b1) >>> 7) % 30_011));
    const noisy = scene({}, { red: 'noise' });
    const reader = readerWith({ readBudgetBytes: 100_000 });
    for (let read = 0; read < 50; read += 1) {
      const [first] = await reader.read(noisy, 'red', { windows: WINDOWS, signal });
      expect(first).not.toBeInstanceOf(RasterError);
    }
    const whole = [{ column: 0, row: 0, width: SIDE, height: SIDE }];
    const [refused] = await reader.read(noisy, 'red', { windows: whole, signal });
    expect(refused).toMatchObject({ kind: 'too_large', isTransient: false });
  });

  test.each<{ file: SceneFile; why: string; written: number; read: number }>([
    { file: 'red', why: 'the largest number of 15 bits', written: 32_767, read: 32_767 },
    { file: 'red', why: 'a number of 16 bits: an offset was taken from no data', written: 64_536, read: 0 },
    { file: 'red', why: 'the first number of 16 bits', written: 32_768, read: 0 },
    { file: 'red', why: 'all bits', written: 65_535, read: 0 },
    { file: 'red', why: 'dark ground below the offset', written: 990, read: 990 },
    { file: 'scl', why: 'the last class', written: 11, read: 11 },
    { file: 'scl', why: 'a class that does not exist', written: 255, read: 0 },
  ])('of $file have $read for $written: $why', async ({ file, written, read }) => {
    await write('odd', file, () => written);
    const odd = withFiles(scene({ id: `odd ${file} ${written}` }), { [file]: `odd` });
    const [pixels] = await readerWith().read(odd, file, { windows: [WINDOWS[0]!], signal });
    expect(new Set((pixels as Pixels).data)).toEqual(new Set([read]));
  });

  test('have no data where a file says so by another number than 0', async () => {
    await write('tagged', 'red', (column) => (column % 2 === 0 ? 5_000 : 600), 5_000);
    const [pixels] = await readerWith().read(withFiles(scene(), { red: 'tagged' }), 'red', {
      windows: [WINDOWS[0]!],
      signal,
    });
    expect([...(pixels as Pixels).data.slice(0, 4)]).toEqual([0, 600, 0, 600]);
  });

  test('that lie elsewhere than the catalogue says are a fault of the scene', async () => {
    const moved = scene();
    const shifted = { ...moved, grid: { ...moved.grid, originX: moved.grid.originX + 10 } };
    const [answer] = await readerWith().read(shifted, 'red', { windows: [WINDOWS[0]!], signal });
    expect(answer).toBeInstanceOf(RasterError);
    expect(answer).toMatchObject({ kind: 'corrupt', message: expect.stringMatching(/grid is not the one/) as unknown });
  });

  test('with one broken block fail the windows that need it, and no other', async () => {
    const bytes = readFileSync(join(folder, 'red.tif'));
    // The last block of the full picture lies at the end of the file.
    bytes.fill(0xff, bytes.length - 2_000, bytes.length - 8);
    writeFileSync(join(folder, 'broken.tif'), bytes);
    const [near, far] = await readerWith().read(scene({}, { red: 'broken' }), 'red', {
      windows: [WINDOWS[0]!, { column: 1020, row: 1020, width: 4, height: 4 }],
      signal,
    });
    expect(near).toMatchObject({ width: 4 });
    expect(far).toMatchObject({ name: 'RasterError', kind: 'corrupt', isTransient: false });
  });

  test('that are not there yet are no fault of the scene: the read fails as a whole', async () => {
    const reading = readerWith().read(scene({}, { red: 'missing' }), 'red', { windows: WINDOWS, signal });
    await expect(reading).rejects.toMatchObject({ kind: 'refused', isTransient: true });
  });

  test.each([401, 403])('that are refused with %d are no fault of the scene', async (status) => {
    files.script.add({ kind: 'status', status, path: '/files/', times: 100 });
    const reading = readerWith().read(scene(), 'red', { windows: WINDOWS, signal });
    await expect(reading).rejects.toMatchObject({ kind: 'refused', isTransient: true });
  });

  test.each(['ENOTFOUND', 'EAI_AGAIN'])('on a host whose name has no address (%s) are away', async (code) => {
    const resolve = (): Promise<never> => Promise.reject(Object.assign(new Error(`${code} scenes.example`), { code }));
    const reader = new CogSceneReader({
      clock: systemClock,
      egress: egressGuard(['scenes.example'], { clock: systemClock, resolve }),
      random: () => 0,
    });
    const elsewhere = { ...scene(), files: { ...scene().files, red: 'https://scenes.example/red.tif' } };
    const reading = reader.read(elsewhere, 'red', { windows: WINDOWS, signal });
    await expect(reading).rejects.toMatchObject({ kind: 'unavailable', isTransient: true });
    await expect(reading).rejects.toThrow(`could not be resolved (${code})`);
  });

  test('that are away are no fault of the scene: the read fails as a whole', async () => {
    files.script.add({ kind: 'status', status: 503, path: '/files/', times: 100 });
    await expect(readerWith().read(scene(), 'red', { windows: WINDOWS, signal })).rejects.toMatchObject({
      isTransient: true,
    });
  });

  test('that hiccup are read all the same', async () => {
    files.script.add(
      { kind: 'status', status: 503, path: '/files/' },
      { kind: 'drop', path: '/files/' },
      { kind: 'truncate', path: '/files/' },
    );
    await expect(readerWith().read(scene(), 'red', { windows: [WINDOWS[0]!], signal })).resolves.toMatchObject([
      { width: 4 },
    ]);
  });

  test('that are replaced between two reads are opened anew, never mixed', async () => {
    await write('replaced', 'red', () => 1);
    const reader = readerWith();
    const one = scene({}, { red: 'replaced' });
    await reader.read(one, 'red', { windows: WINDOWS, signal });
    await new Promise((resolve) => setTimeout(resolve, 20));
    await write('replaced', 'red', () => 2);
    await expect(reader.read(one, 'red', { windows: WINDOWS, signal })).rejects.toMatchObject({
      kind: 'changed',
      isTransient: true,
    });
    const [again] = await reader.read(one, 'red', { windows: WINDOWS, signal });
    expect(again).toMatchObject({ data: new Uint16Array(16).fill(2) });
  });

  test('on a host that is not listed are never asked for', async () => {
    const answers = await readerWith({ hosts: ['files.example'] }).read(scene(), 'red', { windows: WINDOWS, signal });
    expect(answers[0]).toMatchObject({
      kind: 'unsupported',
      message: expect.stringMatching(/not https|IMAGERY_HOSTS/) as unknown,
    });
    expect(files.script.requests()).toEqual([]);
  });

  test('are signed where the catalogue wants it; when no token can be had, that is an outage', async () => {
    const signed: string[] = [];
    const sign: AddressFor = (url) => {
      signed.push(url);
      return Promise.resolve({ url: `${url}?sig=x` });
    };
    await readerWith({ sign }).read(scene(), 'red', { windows: WINDOWS, signal });
    expect(files.script.requests().every(({ path }) => path.endsWith('?sig=x'))).toBe(true);
    expect(signed.length).toBeGreaterThan(0);
    const away: AddressFor = () => Promise.reject(new CatalogueError('unavailable', 'away'));
    await expect(readerWith({ sign: away }).read(scene(), 'red', { windows: WINDOWS, signal })).rejects.toMatchObject({
      fault: 'unavailable',
    });
  });
});

describe('the offset of a scene', () => {
  const applied: KnownOffset = { offsetDn: -1000, basis: 'asset' };

  /** One of sixteen pixels lies in shadow too deep for any reflectance. */
  const isShadow = (column: number, row: number): boolean => column % 16 < 4 && row % 16 < 4;
  /** Vegetation as its numbers are with the offset in them, and without it. */
  const lit = { blue: 1_250, red: 1_400, nir: 4_200 };
  const bands = ['blue', 'red', 'nir'] as const;

  beforeAll(async () => {
    for (const band of bands) {
      await write(`with-${band}`, 'red', (column, row) => (isShadow(column, row) ? 985 : lit[band]));
      await write(`without-${band}`, 'red', (column, row) => (isShadow(column, row) ? 1 : lit[band] - 1_000));
      await write(`bright-${band}`, 'red', () => 2_400);
    }
  });

  test.each<{ why: string; rule: OffsetRule; pixels: string; expected: KnownOffset }>([
    {
      why: 'that the catalogue denies is believed',
      rule: { offsetDn: 0, basis: 'catalogue' },
      pixels: 'with',
      expected: { offsetDn: 0, basis: 'catalogue' },
    },
    {
      why: 'that the catalogue describes faithfully is believed, though 6 % of the land is in deep shadow',
      rule: applied,
      pixels: 'with',
      expected: applied,
    },
    {
      why: 'is not overruled where the baseline is certain either',
      rule: { offsetDn: -1000, basis: 'baseline' },
      pixels: 'without',
      expected: { offsetDn: -1000, basis: 'baseline' },
    },
    {
      why: 'was removed where lit ground is darker than it allows',
      rule: 'measure',
      pixels: 'without',
      expected: { offsetDn: 0, basis: 'measured' },
    },
    {
      why: 'is there where only shadow is that dark',
      rule: 'measure',
      pixels: 'with',
      expected: { offsetDn: -1000, basis: 'metadata' },
    },
    {
      why: 'is taken for there when bright ground proves nothing',
      rule: 'measure',
      pixels: 'bright',
      expected: { offsetDn: -1000, basis: 'metadata' },
    },
  ])('$why', async ({ rule, pixels, expected }) => {
    const names = Object.fromEntries(bands.map((band) => [band, `${pixels}-${band}`]));
    const one = withFiles(scene({ id: `${pixels}-${JSON.stringify(rule)}`, offset: rule }), names);
    expect(await readerWith().offsetOf(one)).toEqual(expected);
  });

  test('that is known costs no request', async () => {
    await readerWith().offsetOf(scene({ id: 'known', offset: applied }));
    expect(files.script.requests()).toEqual([]);
  });

  test('is found once for all who ask', async () => {
    const reader = readerWith();
    const one = scene({ id: 'asked', offset: 'measure' });
    await reader.offsetOf(one);
    files.script.reset();
    await reader.offsetOf(one);
    expect(files.script.requests()).toEqual([]);
  });
});
