import { beforeEach, describe, expect, test } from '@jest/globals';
import { CustomerStore } from '../../../shared/access/customers/customerStore.js';
import { exportTables } from '../../../shared/operate/backup/exportTables.js';
import { restoreTables } from '../../../shared/operate/restore/restoreTables.js';
import type { TableName } from '../../../shared/storage/names.js';
import { MemoryArchive } from '../../farm/eraseWorld.js';
import { tombstonesInMemory } from '../../support/keptTombstones.js';
import { ManualClock } from '../../support/manualClock.js';
import { MemoryBlobs } from '../../support/memoryBlobs.js';
import { memoryRawRows } from '../../support/memoryRawRows.js';
import { MemoryRows } from '../../support/memoryRows.js';

const clock = new ManualClock('2026-11-23T02:10:00Z');

/** The storage of a service, all of it empty. */
function newAccount() {
  const tables = new Map<string, MemoryRows>();
  const containers = new Map<string, MemoryBlobs>();
  const named = <T>(map: Map<string, T>, make: () => T) => {
    return (name: string): T => {
      const found = map.get(name) ?? make();
      map.set(name, found);
      return found;
    };
  };
  const rows = named(tables, () => new MemoryRows());
  const files = named(containers, () => new MemoryBlobs());
  const inputs = { listWritten: () => Promise.resolve([]) };
  const rawRows = (name: TableName) => memoryRawRows(rows(name));
  const namesIn = async (container: string) => (await files(container).list('')).map(({ name }) => name);
  return { rows, rawRows, files, inputs, keptTombstones: tombstonesInMemory(), clock, namesIn };
}

const json = { type: 'application/json' };
const GEOMETRY = 'contoso/geometries/aa.json';
const SHAPE = 'tenant/party/shapes/field-1';

let lost: ReturnType<typeof newAccount>;
let archive: MemoryArchive;
beforeEach(async () => {
  lost = newAccount();
  archive = new MemoryArchive();
  const inputs = lost.files('enrollment-inputs');
  await inputs.write(GEOMETRY, Buffer.from('{"type":"MultiPolygon"}'), json);
  await inputs.write('contoso/enrollments/e1/fields.geojson', Buffer.alloc(1_000), json);
  const farm = lost.files('farm-data');
  await farm.write(SHAPE, Buffer.from([0x1f, 0x8b, 0xff]), json);
  await farm.write('tenant/party/shapes/field-0', Buffer.from('of a row that was replaced'), json);
  await lost.rows('farmFields').put('tenant|party', 'field', { modifiedAt: 1, shapeBlob: SHAPE });
});

describe('the files of an export', () => {
  test('are those without which its rows are of no use: geometries, and neither uploads nor results', async () => {
    await lost.files('insights').write('tenant/insight', Buffer.from('made of it all'), json);
    expect((await exportTables(lost)(archive)).files).toEqual({ 'files-geometries': 1, 'files-shapes': 2 });
  });

  test('come back into an empty account byte for byte, those that a restored row names', async () => {
    await exportTables(lost)(archive);
    const empty = newAccount();
    await restoreTables(empty)(archive, { isMerge: false });
    expect(await empty.namesIn('enrollment-inputs')).toEqual([GEOMETRY]);
    expect(await empty.namesIn('farm-data')).toEqual([SHAPE]);
    expect((await empty.files('enrollment-inputs').read(GEOMETRY))?.bytes.toString()).toBe('{"type":"MultiPolygon"}');
    expect([...(await empty.files('farm-data').read(SHAPE))!.bytes]).toEqual([0x1f, 0x8b, 0xff]);
  });

  test('of a customer who was purged since stay away', async () => {
    await exportTables(lost)(archive);
    const newer = new MemoryArchive();
    await new CustomerStore(lost.rows('customers')).bury('contoso', clock.now().getTime());
    await exportTables(lost)(newer);
    const empty = newAccount();
    await restoreTables(empty)(archive, { isMerge: false, newer: [newer] });
    expect(await empty.namesIn('enrollment-inputs')).toEqual([]);
  });

  test('are counted: one that is missing stops the restore', async () => {
    const manifest = await exportTables(lost)(archive);
    await archive.finish({ ...manifest, files: { 'files-geometries': 2 } });
    await expect(restoreTables(newAccount())(archive, { isMerge: false })).rejects.toThrow(
      'files-geometries: 1 lines read, the export says 2.',
    );
  });

  test('are absent from exports of before there were any, which are restored all the same', async () => {
    const { files: _files, ...manifest } = await exportTables(lost)(archive);
    await archive.finish(manifest);
    const empty = newAccount();
    await restoreTables(empty)(archive, { isMerge: false });
    expect(await empty.namesIn('farm-data')).toEqual([]);
    expect(empty.rows('farmFields').all()).toHaveLength(1);
  });
});
