import { isByHand } from '../support/fullRun.js';
import { MemoryBlobs } from '../support/memoryBlobs.js';
import { describeBlobs } from './blobsSuite.js';

describeBlobs('in memory', new MemoryBlobs(), isByHand ? 'all' : 'of two');
