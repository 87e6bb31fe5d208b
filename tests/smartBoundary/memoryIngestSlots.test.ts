import { ingestSlotsSuite } from './ingestSlotsSuite.js';
import { MemoryIngestSlots } from './memoryIngestSlots.js';

ingestSlotsSuite('in memory', (clock) => new MemoryIngestSlots(clock));
