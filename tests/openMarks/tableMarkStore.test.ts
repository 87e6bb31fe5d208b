import { expect, test } from '@jest/globals';
import { markBelongings, TableMarkStore } from '../../shared/openMarks/tableMarkStore.js';
import { MemoryRows } from '../support/memoryRows.js';
import { describeMarkStore } from './markStoreSuite.js';

describeMarkStore('on rows', () => new TableMarkStore(new MemoryRows()));

test('marks that were not taken over say so', async () => {
  const store = new TableMarkStore(new MemoryRows());
  await expect(store.listDue('imagery', 0)).resolves.toEqual({ due: [], isTakenOver: false });
});

test('the mark of a purged customer goes, and no other whose name begins alike', async () => {
  const rows = new MemoryRows();
  const store = new TableMarkStore(rows);
  const customer = 'contoso';
  const times = { checkAt: Date.parse('2999-01-01'), raisedAt: 0 };
  await store.raise({ kind: 'imagery', customer, ...times });
  await store.raise({ kind: 'imagery', customer: `${customer}-2`, ...times });
  const belongings = markBelongings('marks', rows);
  await expect(belongings.count(customer)).resolves.toBe(1);
  await expect(belongings.removeAll(customer)).resolves.toBe(1);
  await expect(belongings.count(customer)).resolves.toBe(0);
  await expect(belongings.count(`${customer}-2`)).resolves.toBe(1);
});
