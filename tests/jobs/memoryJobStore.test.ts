import { MemoryJobStore } from '../support/memoryJobStore.js';
import { describeJobPages } from './jobPagesSuite.js';
import { describeJobStore } from './jobStoreSuite.js';

describeJobStore('in memory', () => Promise.resolve(new MemoryJobStore()));
describeJobPages('in memory', () => {
  const store = new MemoryJobStore();
  return { store, pages: store };
});
