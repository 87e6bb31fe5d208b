import { UnitMessage } from '../../shared/imagery/units/unitMessage.js';
import { queueFunction } from '../../shared/triggers/queueFunction.js';

/**
 * Queue imagery-late — the same for a scene that was published over an hour ago: a lane of its own, so that new ones need not wait.
 *
 * Effect: the files and the document of each field and day at their path, and a record of each. At most 5 attempts
 * without progress, an outage is none; the lease is JOB_LEASE_SECONDS.
 */
export const imageryLate = queueFunction({
  name: 'imageryLate',
  queue: 'imagery-late',
  message: UnitMessage,
  handle: (message, { imagery }) => imagery.units.run(message),
});
