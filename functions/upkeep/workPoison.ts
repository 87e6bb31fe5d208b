import { workPoisonFunction } from '../../shared/triggers/workFunction.js';

/** Queue gdd-jobs-poison — sends the message of a job again that nobody is at. */
export const upkeepGddPoison = workPoisonFunction('upkeepGddPoison', 'gdd-jobs');

/** Queue boundary-jobs-poison — sends the message of a job again that nobody is at. */
export const upkeepBoundaryPoison = workPoisonFunction('upkeepBoundaryPoison', 'boundary-jobs');

/** Queue enrollment-ingest-poison — sends the message of an ingest again that nobody is at. */
export const upkeepEnrollmentPoison = workPoisonFunction('upkeepEnrollmentPoison', 'enrollment-ingest');
