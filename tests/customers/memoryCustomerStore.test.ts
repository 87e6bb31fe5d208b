import { MemoryRows } from '../support/memoryRows.js';
import { TableCustomerStore } from '../../shared/customers/tableCustomerStore.js';
import { describeCustomerStore } from './customerStoreSuite.js';

describeCustomerStore('in memory', () => Promise.resolve(new TableCustomerStore(new MemoryRows())));
