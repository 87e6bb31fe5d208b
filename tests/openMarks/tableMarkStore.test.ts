import { expect, test } from '@jest/globals';
import { markBelongings, TableMarkStore } from '../../shared/openMarks/tableMarkStore.js';
import { MemoryRows } from '../support/memoryRows.js';
import { describeMarkStore } from './markStoreSuite.js';

describeMarkStore('on rows', () => new TableMarkStore(new MemoryRows()));

test('a kind that was not taken over says so', async () => {
  const store = new TableMarkStore(new MemoryRows());
  await store.finishTakeOver('ingest');
  await expect(store.listDue('imagery', 0)).resolves.toEqual({ due: [], isTakenOver: false });
  await expect(store.listDue('ingest', 0)).resolves.toEqual({ due: [], isTakenOver: true });
});

test('the marks of a purged customer go, and no others whose names begin alike', async () => {
  const rows = new MemoryRows();
  const store = new TableMarkStore(rows);
  const customer = 'contoso';
  const times = { checkAt: Date.parse('2999-01-01'), raisedAt: 0 };
  for (const enrollmentId of ['one', 'two']) await store.raise({ kind: 'ingest', customer, enrollmentId, ...times });
  await store.raise({ kind: 'imagery', customer, ...times });
  await store.raise({ kind: 'imagery', customer: `${customer}-2`, ...times });
  const belongings = markBelongings('marks', rows);
  await expect(belongings.count(customer)).resolves.toBe(3);
  await expect(belongings.removeAll(customer)).resolves.toBe(3);
  await expect(belongings.count(customer)).resolves.toBe(0);
  await expect(belongings.count(`${customer}-2`)).resolves.toBe(1);
});
