import { workPoisonFunction } from '../../shared/triggers/workFunction.js';

/** Queue gdd-jobs-poison — sends the message of a job again that nobody is at. */
export const upkeepGddPoison = workPoisonFunction('upkeepGddPoison', 'gdd-jobs');

/** Queue boundary-jobs-poison — sends the message of a job again that nobody is at. */
export const upkeepBoundaryPoison = workPoisonFunction('upkeepBoundaryPoison', 'boundary-jobs');

/** Queue enrollment-ingest-poison — sends the message of an ingest or a beginning again that nobody is at. */
export const upkeepEnrollmentPoison = workPoisonFunction('upkeepEnrollmentPoison', 'enrollment-ingest');

/** Queue discovery-poison — sends the message of a scene or of tiles again that nobody is at. */
export const upkeepDiscoveryPoison = workPoisonFunction('upkeepDiscoveryPoison', 'discovery');

/** Queue imagery-live-poison — sends the message of a unit or a backfill again that nobody is at. */
export const upkeepImageryLivePoison = workPoisonFunction('upkeepImageryLivePoison', 'imagery-live');

/** Queue imagery-late-poison — sends the message of a unit or a backfill again that nobody is at. */
export const upkeepImageryLatePoison = workPoisonFunction('upkeepImageryLatePoison', 'imagery-late');
