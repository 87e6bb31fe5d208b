import { KeptTombstones } from '../../shared/operate/backup/keptTombstones.js';
import { MemoryBlobs } from './memoryBlobs.js';

/** Tombstones beside exports, of a test's own. */
export const tombstonesInMemory = (): KeptTombstones => new KeptTombstones(new MemoryBlobs());
