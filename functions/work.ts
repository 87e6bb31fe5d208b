import { workFunction } from '../shared/http/triggers/workFunction.js';

/**
 * Queue jobs-gdd — calculates one job.
 *
 * Effect: the insight at the job's deterministic insight id. Five failures of our own end it; the lease is
 * JOB_LEASE_SECONDS.
 */
export const gddCalculate = workFunction('gddCalculate', 'jobs-gdd');

/**
 * Queue jobs-boundary — predicts one boundary: search field, scenes, prediction.
 *
 * Effect: the insight at the job's deterministic insight id. Five failures of our own end it; waiting for a scene catalogue
 * that is away is none. The lease is JOB_LEASE_SECONDS.
 */
export const boundaryPredict = workFunction('boundaryPredict', 'jobs-boundary');

/**
 * Queue ingest — checks the fields of one enrollment; on its first day, begins its monitoring; when it is stopped,
 * takes it out of the index.
 *
 * Effect: a row for each field at the key of its enrollment and index, and the enrollment's end, once; its entries in the
 * index of who wants images of which place, and a backfill for each month. Five failures of our own end an ingest, nothing
 * ends a beginning but a stop; the lease is JOB_LEASE_SECONDS.
 */
export const enrollmentsIngest = workFunction('enrollmentsIngest', 'ingest');

/**
 * Queue discovery — asks for the images of everybody who wants what a new scene shows, at night holds the last days of
 * some tiles against the catalogue, and does what the service does of itself at fixed times.
 *
 * Effect: a unit of work for each cell of the scene's tile; products that no poll was shown, at the key of their tile, day,
 * datatake and datastrip. What fails again and again is left to the next night; the lease is JOB_LEASE_SECONDS.
 */
export const discoveryWork = workFunction('discoveryWork', 'discovery');

/**
 * Queue imagery-live — makes the layers of the fields of one cell on one day, for all customers, of a scene that is new;
 * and of the newest days of an enrollment that is new.
 *
 * Effect: the files and the document of each field and day at their path, and a record of each. At most 5 attempts
 * without progress, an outage is none; the lease is JOB_LEASE_SECONDS.
 */
export const imageryLive = workFunction('imageryLive', 'imagery-live');

/**
 * Queue imagery-late — the same for a scene that was published over an hour ago, and for all other days that are looked
 * through: a queue of its own, so that what is new need not wait.
 *
 * Effect: the files and the document of each field and day at their path, and a record of each. At most 5 attempts
 * without progress, an outage is none; the lease is JOB_LEASE_SECONDS.
 */
export const imageryLate = workFunction('imageryLate', 'imagery-late');

/**
 * Queue notices — brings what has happened into the log of its tenant or customer.
 *
 * Effect: a row for each event at its place in the log, once. What fails again and again goes on later; the lease is
 * JOB_LEASE_SECONDS.
 */
export const noticesWork = workFunction('noticesWork', 'notices');

/**
 * Queue visits — sends the log of a tenant or customer to a webhook, or to Event Grid: a queue of its own, so that nobody's
 * log waits for a receiver.
 *
 * Effect: a request for each event and webhook, at least once and with the same id. What fails again and again goes on
 * later; the lease is JOB_LEASE_SECONDS.
 */
export const visitsWork = workFunction('visitsWork', 'visits');
