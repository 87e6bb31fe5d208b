import { MemoryLineStore } from '../support/memoryLines.js';
import { describeLineStore } from './lineStoreSuite.js';

const store = new MemoryLineStore();
describeLineStore('in memory', () => store);
