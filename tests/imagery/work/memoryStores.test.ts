import {
  MemoryFieldDateStore,
  MemoryImageryWorkStore,
  MemoryMakingStore,
  MemoryRetryStore,
} from '../../support/memoryImageryStores.js';
import { describeImageryWorkStore } from './imageryWorkStoreSuite.js';
import { describeMakingStore } from '../records/makingStoreSuite.js';
import { describeRetryStore } from '../records/retryStoreSuite.js';

describeImageryWorkStore('in memory', () => new MemoryImageryWorkStore(() => Date.parse('2026-06-15T12:00:00Z')));
describeRetryStore('in memory', () => new MemoryRetryStore());
describeMakingStore('in memory', () => {
  const makings = new MemoryMakingStore();
  return { makings, fieldDates: new MemoryFieldDateStore(makings) };
});
