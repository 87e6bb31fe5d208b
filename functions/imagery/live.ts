import { UnitMessage } from '../../shared/imagery/units/unitMessage.js';
import { queueFunction } from '../../shared/triggers/queueFunction.js';

/**
 * Queue imagery-live — makes the layers of the fields of one cell on one day, for all customers, of a scene that is new.
 *
 * Effect: the files and the document of each field and day at their path, and a record of each. At most 5 attempts
 * without progress, an outage is none; the lease is JOB_LEASE_SECONDS.
 */
export const imageryLive = queueFunction({
  name: 'imageryLive',
  queue: 'imagery-live',
  message: UnitMessage,
  handle: (message, { imagery }) => imagery.units.run(message),
});
