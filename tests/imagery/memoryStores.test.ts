import { MemoryImageryWorkStore } from '../support/memoryImageryStores.js';
import { describeImageryWorkStore } from './imageryWorkStoreSuite.js';

describeImageryWorkStore('in memory', () => new MemoryImageryWorkStore(() => Date.parse('2026-06-15T12:00:00Z')));
