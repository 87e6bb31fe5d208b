import { isFull } from '../support/fullRun.js';
import { MemoryBlobs } from '../support/memoryBlobs.js';
import { describeBlobs } from './blobsSuite.js';

describeBlobs('in memory', new MemoryBlobs(), isFull ? 'all' : 'of two');
