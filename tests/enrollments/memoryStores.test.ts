import { MemoryRows } from '../support/memoryRows.js';
import { EnrollmentStore } from '../../shared/enrollments/record/enrollmentStore.js';
import { FieldStore } from '../../shared/enrollments/fields/fieldStore.js';
import { describeEnrollmentStore } from './enrollmentStoreSuite.js';
import { describeFieldLists } from './fieldListsSuite.js';
import { describeFieldStore } from './fieldStoreSuite.js';

describeEnrollmentStore('in memory', () => Promise.resolve(new EnrollmentStore(new MemoryRows())));
describeFieldStore('in memory', () => Promise.resolve(new FieldStore(new MemoryRows())));
describeFieldLists('in memory', () => new FieldStore(new MemoryRows()));
