import { expect, test } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { markBelongings, TableMarkStore } from '../../shared/openMarks/tableMarkStore.js';
import { describeMarkStore } from '../openMarks/markStoreSuite.js';
import { rowsOf } from './storage.js';

describeMarkStore('in a table', () => new TableMarkStore(rowsOf('marks')));

test('the marks of a purged customer go, and no others whose names begin alike', async () => {
  const rows = rowsOf('marks');
  const store = new TableMarkStore(rows);
  const customer = `customer-${randomUUID()}`;
  // The times are those of nobody's sweep: these marks stay until they are asked for.
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
