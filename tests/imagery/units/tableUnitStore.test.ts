import { describe, expect, test } from '@jest/globals';
import { TableUnitStore } from '../../../shared/imagery/units/tableUnitStore.js';
import { openedUnit, type OpenUnit } from '../../../shared/imagery/units/unitWork.js';
import { tableWaitingUnitsReader } from '../../../shared/imagery/work/tableWaitingWorkReader.js';
import { ManualClock } from '../../support/manualClock.js';
import { MemoryRows } from '../../support/memoryRows.js';
import { describeUnitStore } from './unitStoreSuite.js';

const START = '2026-06-19T12:00:00.000Z';

describeUnitStore('on rows', () => new TableUnitStore(new MemoryRows(), new ManualClock(START)));

describe('units that have waited for long', () => {
  test('are new scenes by their publication, the others untouched since an instant or waiting again and again', async () => {
    const [rows, clock] = [new MemoryRows(), new ManualClock(START)];
    const store = new TableUnitStore(rows, clock);
    const now = clock.now().getTime();
    const cut = { cell: 7, part: '0', from: '07|a|e|00', to: '07|b|e|03' };
    const aUnit = (date: string, lane: 'live' | 'late', publishedAt: number): OpenUnit =>
      openedUnit(cut, { tile: '33UUP', date, version: 'v', lane, publishedAt }, now);
    const write = (unit: OpenUnit, more: { readonly isWaiting?: true } = {}) =>
      store.write('33UUP', unit.date, [{ unit, ...more }]);
    await write(aUnit('2026-06-14', 'live', now - 60_001));
    await write(aUnit('2026-06-15', 'live', now - 59_999));
    await write(aUnit('2026-06-16', 'late', 0));
    await write({ ...aUnit('2026-06-17', 'late', 0), waits: 10 });
    await write(aUnit('2026-06-18', 'late', 0), { isWaiting: true });
    const done = aUnit('2026-06-19', 'live', 0);
    await write(done);
    await store.finish(done, { customers: 1, fields: 1 });

    const datesAt = async (before: number): Promise<string[]> =>
      (await tableWaitingUnitsReader(rows)(before)).map(({ date }) => date).sort();
    expect(await datesAt(now - 60_000)).toEqual(['2026-06-14', '2026-06-17']);
    const all = ['2026-06-14', '2026-06-15', '2026-06-16', '2026-06-17', '2026-06-18'];
    expect(await datesAt(now)).toEqual(all);
    await clock.advance(60_000);
    const { unit, etag } = (await store.find(aUnit('2026-06-16', 'late', 0)))!;
    await store.replace(unit, etag);
    expect(await datesAt(now)).toEqual(all.filter((date) => date !== '2026-06-16'));
  });
});
