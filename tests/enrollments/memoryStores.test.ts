import { MemoryEnrollmentStore, MemoryFieldStore } from '../support/memoryEnrollmentStores.js';
import { describeEnrollmentStore } from './enrollmentStoreSuite.js';
import { describeFieldLists } from './fieldListsSuite.js';
import { describeFieldStore } from './fieldStoreSuite.js';

describeEnrollmentStore('in memory', () => {
  const store = new MemoryEnrollmentStore();
  return Promise.resolve({ enrollments: store, schedules: store });
});
describeFieldStore('in memory', () => Promise.resolve(new MemoryFieldStore()));
describeFieldLists('in memory', () => new MemoryFieldStore());
