import { randomId } from '../../shared/ids.js';
import { TableEnrollmentStore } from '../../shared/enrollments/tableEnrollmentStore.js';
import { TableFieldStore } from '../../shared/enrollments/tableFieldStore.js';
import { TableScheduleStore } from '../../shared/enrollments/tableScheduleStore.js';
import { describeEnrollmentStore } from '../enrollments/enrollmentStoreSuite.js';
import { describeFieldStore } from '../enrollments/fieldStoreSuite.js';
import { tableOf } from './storage.js';

describeEnrollmentStore('in a table', () =>
  Promise.resolve({
    enrollments: new TableEnrollmentStore(tableOf('enrollments'), randomId),
    schedules: new TableScheduleStore(tableOf('enrollments')),
  }),
);
describeFieldStore('in a table', () => Promise.resolve(new TableFieldStore(tableOf('fields'))));
