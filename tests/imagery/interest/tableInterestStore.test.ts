import { beforeEach, describe, expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { pixelsOfBox } from '../../../shared/scenes/place/footprint.js';
import type { Interest } from '../../../shared/imagery/interest/interest.js';
import { interestBelongings, TableInterestStore } from '../../../shared/imagery/interest/tableInterestStore.js';
import { MemoryRows } from '../../support/memoryRows.js';

describe('who wants images of which place', () => {
  let store: TableInterestStore;
  let entry: Interest;
  const own = (interests: readonly Interest[]) => interests.filter(({ customer }) => customer === entry.customer);

  beforeEach(() => {
    store = new TableInterestStore(new MemoryRows());
    entry = {
      tile: '33UUP',
      cell: 7,
      customer: `customer-${randomUUID()}`,
      enrollmentId: randomUUID(),
      part: 0,
      layers: ['ndvi', 'true-color'],
      firstDate: '2026-04-01',
      lastDate: '2026-10-31',
      bbox: [13, 48, 13.2, 48.1],
      fields: [{ fieldId: 'Feld Nr. 1 (Süd)', geometryHash: 'a'.repeat(64), bbox: [13, 48, 13.2, 48.1] }],
    };
  });

  test('is found by its tile, the cells in order', async () => {
    const later = { ...entry, cell: 11 };
    await store.write([later, entry, { ...entry, tile: '33UVP' }]);
    expect(own(await store.listTile('33UUP'))).toEqual([entry, later]);
    expect(await store.find(later)).toEqual(later);
    expect(await store.find({ ...entry, part: 1 })).toBeUndefined();
  });

  test('is found by cell and customer, whatever the names of others begin with', async () => {
    const second = { ...entry, part: 1 };
    const others = [
      { ...entry, customer: `${entry.customer}b` },
      { ...entry, cell: 8 },
      { ...entry, tile: '33UVP' },
    ];
    await store.write([...others, second, entry]);
    expect(await store.listCustomer(entry, entry.customer)).toEqual([entry, second]);
    expect(await store.listCustomer({ tile: '33UUP', cell: 35 }, entry.customer)).toEqual([]);
  });

  test('says what was written last, of more entries than one write takes too', async () => {
    const many = Array.from({ length: 99 }, (_, part) => ({ ...entry, part }));
    await store.write(many);
    await store.write([{ ...entry, layers: ['ndvi'] }]);
    expect(own(await store.listTile('33UUP'))).toEqual([{ ...entry, layers: ['ndvi'] }, ...many.slice(1)]);
  });

  test('is summed up by tile, and read from one key to another', async () => {
    const [first, second] = [entry, { ...entry, cell: 11, part: 3 }];
    const other = { ...entry, cell: 12, fields: [] };
    await store.write([other, second, first]);
    const keys = [first, second, other].map(({ cell, part, customer, enrollmentId }) =>
      [String(cell).padStart(2, '0'), customer, enrollmentId, String(part).padStart(2, '0')].join('|'),
    );
    const found = (await store.summarizeTile('33UUP')).filter(({ key }) => keys.includes(key));
    const { firstDate, lastDate, bbox } = entry;
    const pixels = pixelsOfBox(bbox);
    expect(found).toEqual([
      { key: keys[0], cell: 7, firstDate, lastDate, bbox, fields: 1, pixels },
      { key: keys[1], cell: 11, firstDate, lastDate, bbox, fields: 1, pixels },
      { key: keys[2], cell: 12, firstDate, lastDate, bbox, fields: 0, pixels: 0 },
    ]);
    const range = { from: keys[0]!, to: keys[1]! };
    expect(own(await store.listTile('33UUP', range))).toEqual([first, second]);
  });

  test('goes with its key, twice too, and no other', async () => {
    await store.write([entry, { ...entry, part: 1 }]);
    await store.remove([entry, { ...entry, tile: '33UVP' }]);
    await store.remove([entry]);
    expect(own(await store.listTile('33UUP'))).toEqual([{ ...entry, part: 1 }]);
  });

  test('puts its tile on the list of tiles, which has it until the tile is empty', async () => {
    const tile = randomUUID();
    expect(await store.listTiles()).not.toContain(tile);
    await store.write([{ ...entry, tile }]);
    await store.write([{ ...entry, tile, part: 1 }]);
    expect((await store.listTiles()).filter((name) => name === tile)).toEqual([tile]);
    await store.remove([{ ...entry, tile }]);
    expect(await store.dropEmptyTile(tile)).toBe(false);
    await store.remove([{ ...entry, tile, part: 1 }]);
    for (let time = 0; time < 2; time += 1) expect(await store.dropEmptyTile(tile)).toBe(true);
    expect(await store.listTiles()).not.toContain(tile);
  });

  test('is listed when its last day is over', async () => {
    await store.write([entry, { ...entry, part: 1, lastDate: '2026-11-01' }]);
    const ended = (await store.listEnded('2026-11-01')).filter(({ customer }) => customer === entry.customer);
    const { tile, cell, customer, enrollmentId, part } = entry;
    expect(ended).toMatchObject([{ tile, cell, customer, enrollmentId, part }]);
  });
});

test('the entries of a purged customer go from every tile', async () => {
  const rows = new MemoryRows();
  const store = new TableInterestStore(rows);
  const customer = 'contoso';
  const common = { cell: 0, part: 0, layers: [], firstDate: '2026-04-01', lastDate: '2026-10-31', fields: [] };
  const entry = { ...common, customer, enrollmentId: 'e', bbox: [0, 0, 1, 1] as const };
  await store.write(['33UUP', '33UVP'].map((tile) => ({ ...entry, tile })));
  const belongings = interestBelongings('rows of interest', rows);
  await expect(belongings.count(customer)).resolves.toBe(2);
  await expect(belongings.removeAll(customer)).resolves.toBe(2);
  await expect(belongings.count(customer)).resolves.toBe(0);
});
