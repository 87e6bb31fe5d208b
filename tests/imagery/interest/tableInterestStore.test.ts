import { expect, test } from '@jest/globals';
import { interestBelongings, TableInterestStore } from '../../../shared/imagery/interest/tableInterestStore.js';
import { MemoryRows } from '../../support/memoryRows.js';
import { describeInterestStore } from './interestStoreSuite.js';

describeInterestStore('on rows', () => new TableInterestStore(new MemoryRows()));

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
