import { TableIngestSlotStore } from '../../shared/smartBoundary/tableIngestSlotStore.js';
import { ingestSlotsSuite } from '../smartBoundary/ingestSlotsSuite.js';
import { tableOf } from './storage.js';

ingestSlotsSuite('in the table', (clock) => new TableIngestSlotStore(tableOf('limits'), clock));
