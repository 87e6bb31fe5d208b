import { describe, expect, test } from '@jest/globals';
import { claimed, waiting } from '../../../shared/imagery/work/imageryWork.js';
import { TableImageryWorkStore } from '../../../shared/imagery/work/tableImageryWorkStore.js';
import { tableWaitingWorkReader } from '../../../shared/imagery/work/tableWaitingWorkReader.js';
import { ManualClock } from '../../support/manualClock.js';
import { MemoryRows } from '../../support/memoryRows.js';
import { describeImageryWorkStore } from './imageryWorkStoreSuite.js';

const START = '2026-06-15T12:00:00.000Z';

describeImageryWorkStore('on rows', () => new TableImageryWorkStore(new MemoryRows(), new ManualClock(START)));

describe('work that has waited for long', () => {
  test('is what nobody has touched since an instant, and what waits for others again and again', async () => {
    const [rows, clock, customer] = [new MemoryRows(), new ManualClock(START), 'contoso'];
    const store = new TableImageryWorkStore(rows, clock);
    const add = (kind: 'render' | 'search', ...ids: readonly string[]) =>
      store.add(
        customer,
        kind,
        ids.map((id) => ({ id, document: {} })),
      );
    await add('render', '0_e_g_2026-06-12_1');
    await add('search', '0_e_g_2026-05-01_2026-05-31');
    await store.promote(customer, 'render', 1);
    await store.promote(customer, 'search', 1);
    for (let waits = 0; waits < 10; waits += 1) {
      const { work, etag } = (await store.find({ customer, kind: 'render', id: '0_e_g_2026-06-12_1' }))!;
      await store.replace(waiting(claimed(work, 0), 0, 'no answer'), etag);
    }
    await clock.advance(60_000);
    await add('render', '0_e_g_2026-06-14_0');
    await add('search', '0_e_g_2026-06-01_2026-06-30');
    await store.add('fabrikam', 'render', [{ id: '0_e_g_2026-06-01_0', document: {} }]);

    const addedAt = clock.now().getTime();
    const datesAt = async (instant: number): Promise<string[]> =>
      (await tableWaitingWorkReader(rows)(customer, instant)).map(({ date }) => date).sort();
    expect(await datesAt(addedAt)).toEqual(['2026-06-12', '2026-06-14', '2026-06-30']);
    expect(await datesAt(addedAt - 1)).toEqual(['2026-06-12']);
    const found = await tableWaitingWorkReader(rows)(customer, addedAt);
    expect(found.map(({ since }) => since).sort()).toEqual([Date.parse(START), addedAt, addedAt]);
  });
});
