import type { ContainerClient } from '@azure/storage-blob';
import { blobBelongings, rowBelongings, type Belongings } from '../../storage/belongings.js';
import { workBelongings } from '../../work/item/workBelongings.js';
import { INGEST } from '../../enrollments/ingest/ingestEnrollment.js';
import { LEAVE } from '../../enrollments/submission/stopEnrollment.js';
import { BACKFILL, PLAN } from '../../imagery/discovery/backfill.js';
import { interestBelongings } from '../../imagery/interest/tableInterestStore.js';
import { bucketBelongings } from '../../access/rates/bucketStore.js';
import type { Rows } from '../../storage/rows.js';
import { backfillsLaneOf } from '../../work/lanes/lane.js';
import { lanePartitionOf } from '../../work/lanes/laneStore.js';
import { noticeBelongings } from '../../notices/managing/noticeBelongings.js';
import type { DataStorage } from '../clients/storageClients.js';

/** What is to be done for a customer alone. @param rows of table `work` */
export const workOfCustomer = (rows: Rows): readonly Belongings[] => [
  workBelongings('ingests', rows, INGEST),
  workBelongings('beginnings', rows, PLAN),
  workBelongings('ends', rows, LEAVE),
  workBelongings('backfills', rows, BACKFILL),
  rowBelongings('lane of backfills', rows, (customer) => lanePartitionOf(backfillsLaneOf(customer))),
];

/** Everything of a customer, in the order in which a purge deletes it. */
export const customerBelongings = (
  storage: Pick<DataStorage, 'rows' | 'container'>,
  images: ContainerClient,
): readonly Belongings[] => [
  // First: an attempt that is under way finds its work gone before it writes what is removed below.
  ...workOfCustomer(storage.rows('work')),
  ...noticeBelongings({
    work: storage.rows('work'),
    webhooks: storage.rows('webhooks'),
    notices: storage.rows('notices'),
  }),
  rowBelongings('rows of enrollments', storage.rows('enrollments')),
  rowBelongings('rows of fields', storage.rows('fields')),
  rowBelongings('rows of field dates', storage.rows('fieldDates')),
  bucketBelongings('rows of limits', storage.rows('limits')),
  interestBelongings('rows of interest', storage.rows('interest')),
  blobBelongings('inputs', storage.container('enrollment-inputs')),
  blobBelongings('images', images),
];
