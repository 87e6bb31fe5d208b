import { MemoryInterestStore } from '../../support/memoryInterestStore.js';
import { describeInterestStore } from './interestStoreSuite.js';

describeInterestStore('in memory', () => new MemoryInterestStore());
