import { MemoryRows } from '../support/memoryRows.js';
import { TableEnrollmentStore } from '../../shared/enrollments/tableEnrollmentStore.js';
import { TableFieldStore } from '../../shared/enrollments/tableFieldStore.js';
import { describeEnrollmentStore } from './enrollmentStoreSuite.js';
import { describeFieldLists } from './fieldListsSuite.js';
import { describeFieldStore } from './fieldStoreSuite.js';

describeEnrollmentStore('in memory', () => Promise.resolve(new TableEnrollmentStore(new MemoryRows())));
describeFieldStore('in memory', () => Promise.resolve(new TableFieldStore(new MemoryRows())));
describeFieldLists('in memory', () => new TableFieldStore(new MemoryRows()));
