import { MemoryCustomerStore } from '../support/memoryCustomerStore.js';
import { describeCustomerStore } from './customerStoreSuite.js';

describeCustomerStore('in memory', () => Promise.resolve(new MemoryCustomerStore()));
