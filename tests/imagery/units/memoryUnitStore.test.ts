import { MemoryUnitStore } from '../../support/memoryUnitStores.js';
import { describeUnitStore } from './unitStoreSuite.js';

describeUnitStore('in memory', () => new MemoryUnitStore());
