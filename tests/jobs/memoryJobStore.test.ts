import { MemoryJobStore } from '../support/memoryJobStore.js';
import { describeJobStore } from './jobStoreSuite.js';

describeJobStore('in memory', () => Promise.resolve(new MemoryJobStore()));
