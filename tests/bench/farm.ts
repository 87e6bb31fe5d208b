/**
 * What operations on farm data cost: storage operations, and time on the storage emulator.
 *
 *   npm run bench:farm     (starts a service of its own for its storage, in memory)
 *
 * Each file of tests/bench/farm/ measures one thing. The emulator filters the whole table for every query, so that its
 * times are upper bounds.
 */
import { importOfFields } from './farm/importOfFields.js';
import { countedStorage } from './farm/countedStorage.js';
import { startedService } from './service.js';

/** What is measured, in this order. */
const measured = [importOfFields];

const bench = await startedService();
for (const measure of measured) await measure(countedStorage(bench.settings));
await bench.stop();
