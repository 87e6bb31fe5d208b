import { rowBelongings, workBelongings } from '../../../shared/customers/belongingsStore.js';
import type { Belongings } from '../../../shared/customers/purgeCustomer.js';
import { INGEST } from '../../../shared/enrollments/ingestEnrollment.js';
import { LEAVE } from '../../../shared/enrollments/stopEnrollment.js';
import { BACKFILL, PLAN } from '../../../shared/imagery/discovery/backfill.js';
import type { Rows } from '../../../shared/storage/rows.js';
import { backfillsLaneOf } from '../../../shared/work/lane.js';
import { lanePartitionOf } from '../../../shared/work/laneStore.js';

/** What is to be done for a customer alone. @param rows of table `work` */
export const workOfCustomer = (rows: Rows): readonly Belongings[] => [
  workBelongings('ingests', rows, INGEST),
  workBelongings('beginnings', rows, PLAN),
  workBelongings('ends', rows, LEAVE),
  workBelongings('backfills', rows, BACKFILL),
  rowBelongings('lane of backfills', rows, (customer) => lanePartitionOf(backfillsLaneOf(customer))),
];
