/**
 * What four units of 2,000 fields each take of memory at the same time: as many as the host takes from the queue at once.
 *
 *   node infra/build/run.mjs tests/load/unitMemory.ts [--days 438] [--fields 2000]
 *
 * `--days` has notes of so many days before for each field, 438 are three years; then fewer `--fields` a unit tell as much,
 * for its slices of 100 come one after the other.
 *
 * The scene is real in size: blocks of 1,024 pixels that hardly compress, four cells of 20.48 km. Stores are in memory
 * and forget the files, so that what remains is what the service itself holds.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { MemoryBlobs } from '../support/memoryBlobs.js';
import { startStac, type StacStandIn } from '../../infra/local/standIns/stac.js';
import { systemClock } from '../../shared/kit/clock.js';
import { egressGuard } from '../../shared/kit/outbound/egressClient.js';
import { gridOfFile, SCENE_FILES, type Scene, type SceneFile } from '../../shared/scenes/item/scene.js';
import { CogSceneReader } from '../../shared/scenes/pixels/cogSceneReader.js';
import { BlobSliceNotesStore } from '../../shared/imagery/units/blobSliceNotesStore.js';
import type { InterestedField } from '../../shared/imagery/interest/interest.js';
import { packDocuments } from '../../shared/imagery/units/sliceNotes.js';
import type { NotedField } from '../../shared/imagery/units/sliceNotes.js';
import { orderOf, textOfUnit } from '../../shared/imagery/units/unit.js';
import { unitKind } from '../../shared/imagery/units/unitKind.js';
import { blockShare } from '../../shared/raster/read/blockShare.js';
import { encodeCog } from '../../shared/raster/write/encodeCog.js';
import type { Grid } from '../../shared/geo/grid/grid.js';
import { sampleArray } from '../../shared/raster/tiff/pixels.js';
import { utmProjection } from '../../shared/geo/grid/utm.js';
import { aScene } from '../imagery/builders.js';
import { documentsOfYears } from '../imagery/units/yearsOfNotes.js';
import { LEASE_MS } from '../imagery/imageryUnderTest.js';
import { UnitsUnderTest } from '../imagery/units/unitsUnderTest.js';

const CELL_PIXELS = 2_048;
const SIDE = 2 * CELL_PIXELS;
const { values } = parseArgs({
  options: { days: { type: 'string', default: '0' }, fields: { type: 'string', default: '2000' } },
});
const DAYS = Number(values.days);
const FIELDS_EACH = Number(values.fields);
/** A hundred fields of each in every cell. */
const CUSTOMERS = FIELDS_EACH / 100;
/** Pixels of a field's side: 20 ha. */
const FIELD_PIXELS = 43;
const SHARE_BYTES = 128 * 1024 * 1024;
const LIMIT_MB = 0.7 * 4_096;
const LAYERS = ['ndvi', 'vegetation', 'scouting', 'true-color'] as const;

const base = aScene();
/** Two cells from the tile's corner, where nothing has another home. */
const grid: Grid = {
  ...base.grid,
  originX: base.grid.originX + 2 * CELL_PIXELS * 10,
  originY: base.grid.originY - 2 * CELL_PIXELS * 10,
  width: SIDE,
  height: SIDE,
};

async function writeBand(folder: string, file: SceneFile): Promise<void> {
  const own = gridOfFile({ grid }, file);
  const data = sampleArray(file === 'scl' ? 'uint8' : 'uint16', own.width * own.height);
  const noise = (index: number): number => (Math.imul(index + file.length, 0x9e3779b1) >>> 7) % 1_021;
  for (let index = 0; index < data.length; index += 1) data[index] = file === 'scl' ? 4 : 700 + noise(index);
  const pixels = { width: own.width, height: own.height, bands: 1, data };
  const bytes = await encodeCog({ pixels, grid: own, nodata: 0, tileSize: 1_024, overviewsBy: 'nearest' });
  writeFileSync(join(folder, `${file}.tif`), bytes);
}

/** The fields of a cell, row by row. */
function fieldsOfCell(cell: number) {
  const { toPosition } = utmProjection(grid.epsg);
  const across = Math.ceil(Math.sqrt(FIELDS_EACH));
  const step = Math.floor(((CELL_PIXELS - 8) * 10) / across);
  const [left, top] = [
    grid.originX + (cell % 2) * CELL_PIXELS * 10 + 40,
    grid.originY - Math.floor(cell / 2) * CELL_PIXELS * 10 - 40,
  ];
  return Array.from({ length: FIELDS_EACH }, (_, index) => {
    const [x, y] = [left + (index % across) * step, top - Math.floor(index / across) * step];
    const [west, north] = toPosition([x, y]);
    const [east, south] = toPosition([x + FIELD_PIXELS * 10, y - FIELD_PIXELS * 10]);
    return { fieldId: `f${cell}-${index}`, box: [west, south, east, north] as const };
  });
}

/** Notes of every slice, as its blob has them; what is written is forgotten. */
async function notesOf(service: UnitsUnderTest): Promise<BlobSliceNotesStore> {
  const documents = await packDocuments(await documentsOfYears(DAYS, '2026-06-16'));
  const slices = new Map<string, InterestedField[]>();
  for (const { tile, cell, customer, enrollmentId, part, fields } of await service.interest.listTile('33UUP')) {
    const key = [tile, cell, customer, enrollmentId, part, 0].join('|');
    const name = createHash('sha256').update(key).digest('hex').slice(0, 32);
    slices.set(`${customer}/slices/${name}.json.gz`, [...fields]);
  }
  const listed = { newest: null, newestPicture: null, etag: 'mark' };
  const bytesOf = (fields: readonly InterestedField[]): Buffer => {
    const noted = fields.map(({ fieldId, geometryHash }): NotedField => {
      return { fieldId, geometryHash, documents, listed: { fieldId, ...listed } };
    });
    return gzipSync(JSON.stringify({ version: 2, fields: noted }));
  };
  const blobs = Object.assign(new MemoryBlobs(), {
    read: (name: string) => Promise.resolve({ bytes: bytesOf(slices.get(name) ?? []), etag: '', metadata: {} }),
    write: (_name: string, bytes: Uint8Array) => {
      written.notes = Math.max(written.notes, bytes.length);
      return Promise.resolve('');
    },
  });
  return new BlobSliceNotesStore(blobs);
}

/** Bytes of the largest notes, and of the largest document. */
const written = { notes: 0, document: 0 };

/** What the store would have in memory while it writes a document. */
function put(document: unknown): Promise<string> {
  const { length } = Buffer.from(JSON.stringify(document, null, 1), 'utf8');
  written.document = Math.max(written.document, length);
  return Promise.resolve('mark');
}

/** A service that forgets the files it has written. */
async function newService(files: StacStandIn): Promise<UnitsUnderTest> {
  const service = new UnitsUnderTest('2026-06-17T18:00:00Z');
  service.newShare = () => blockShare(SHARE_BYTES);
  service.fileReader = new CogSceneReader({
    clock: systemClock,
    egress: egressGuard([files.host], { clock: systemClock }),
    random: Math.random,
  });
  service.imagery.putLayer = () => Promise.resolve(true);
  service.imagery.putItem = () => Promise.resolve(true);
  service.imagery.putItems = (_field, document) => put(document);
  service.imagery.putIndex = (_field, document) => put(document);
  service.imagery.putStatistics = () => Promise.resolve('mark');
  const request = { startDate: '2026-06-10', endDate: '2026-06-30', layers: LAYERS };
  const fields = [0, 1, 2, 3].flatMap(fieldsOfCell);
  const share = fields.length / CUSTOMERS;
  for (let customer = 0; customer < CUSTOMERS; customer += 1) {
    // Every twentieth field, so that each customer has some in every cell.
    const own = fields.filter((_, index) => index % CUSTOMERS === customer).slice(0, share);
    await service.enrol({ customer: `customer${customer}`, enrollmentId: 'e', fields: own, request });
  }
  return service;
}

const megabytes = (bytes: number): number => Math.round(bytes / 1024 / 1024);

async function measure(files: StacStandIn): Promise<void> {
  const service = await newService(files);
  const notes = DAYS > 0 ? await notesOf(service) : service.notes;
  const scene: Scene = {
    ...base,
    grid,
    files: Object.fromEntries(SCENE_FILES.map((file) => [file, `${files.url}/files/${file}.tif`])) as Scene['files'],
  };
  await service.fanOut(await service.publish(scene));
  const units = await service.openUnits();
  const peak = { rss: 0, arrayBuffers: 0, heapUsed: 0 };
  const look = (): void => {
    const { rss, arrayBuffers, heapUsed } = process.memoryUsage();
    peak.rss = Math.max(peak.rss, rss);
    peak.arrayBuffers = Math.max(peak.arrayBuffers, arrayBuffers);
    peak.heapUsed = Math.max(peak.heapUsed, heapUsed);
  };
  const before = process.memoryUsage();
  const watching = setInterval(look, 20);
  const [startedAt, requests] = [performance.now(), files.script.requests().length];
  const kind = unitKind({ ...service.unitPorts, notes }, LEASE_MS);
  await Promise.all(units.map((unit) => service.kernel.handle(orderOf(unit), kind)));
  clearInterval(watching);
  const made = [...service.fieldDates.rows.values()].filter(({ outcome }) => outcome === 'done').length;
  console.log(`units ${units.map(textOfUnit).join(', ')}`);
  console.log(`fields made ${made}, ${((performance.now() - startedAt) / made).toFixed(1)} ms each`);
  console.log(
    `largest document ${megabytes(written.document * 10) / 10} MB, largest notes ${megabytes(written.notes * 10) / 10} MB`,
  );
  console.log(`requests for files ${files.script.requests().length - requests}`);
  console.log(`before: ${megabytes(before.rss)} MB, of it heap ${megabytes(before.heapUsed)} MB`);
  const parts = `buffers ${megabytes(peak.arrayBuffers)} MB, heap ${megabytes(peak.heapUsed)} MB`;
  console.log(`at most: ${megabytes(peak.rss)} MB (${parts}); allowed are ${Math.round(LIMIT_MB)} MB`);
  if (made !== 4 * FIELDS_EACH || megabytes(peak.rss) > LIMIT_MB) process.exitCode = 1;
}

const folder = mkdtempSync(join(tmpdir(), 'units-'));
try {
  for (const file of SCENE_FILES) await writeBand(folder, file);
  const files = await startStac({ folder });
  await measure(files);
  await files.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
