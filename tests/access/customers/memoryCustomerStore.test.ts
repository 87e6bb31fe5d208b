import { MemoryRows } from '../../support/memoryRows.js';
import { CustomerStore } from '../../../shared/access/customers/customerStore.js';
import { describeCustomerStore } from './customerStoreSuite.js';

describeCustomerStore('in memory', () => Promise.resolve(new CustomerStore(new MemoryRows())));
