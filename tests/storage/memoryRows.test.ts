import { MemoryRows } from '../support/memoryRows.js';
import { describeRows } from './rowsSuite.js';

const table = new MemoryRows();
describeRows('in memory', () => table);
