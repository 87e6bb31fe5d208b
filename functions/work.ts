import { workFunction } from '../shared/triggers/workFunction.js';

/**
 * Queue gdd-jobs — calculates one job.
 *
 * Effect: the insight at the job's deterministic insight id. Five failures of our own end it; the lease is
 * JOB_LEASE_SECONDS.
 */
export const gddCalculate = workFunction('gddCalculate', 'gdd-jobs');

/**
 * Queue boundary-jobs — moves one job on: slot, search field, ingest, a look at the ingest, prediction.
 *
 * Effect: the insight at the job's deterministic insight id. Five failures of our own end it; waiting for the data
 * manager is none. The lease is JOB_LEASE_SECONDS.
 */
export const boundaryPredict = workFunction('boundaryPredict', 'boundary-jobs');

/**
 * Queue enrollment-ingest — checks and schedules the fields of one enrollment.
 *
 * Effect: a row for each field at the key of its enrollment and index, and the enrollment's end, once. Five
 * failures of our own end it; the lease is JOB_LEASE_SECONDS.
 */
export const enrollmentsIngest = workFunction('enrollmentsIngest', 'enrollment-ingest');
