import { ImageryMessage } from '../../shared/imagery/work/imageryMessage.js';
import { queueFunction } from '../../shared/triggers/queueFunction.js';

/**
 * Queue imagery-search — searches the catalogue for the scenes of one place and period.
 *
 * Effect: work for each day of which something is missing, at the key of its day, enrollment and place. An outage is
 * no attempt; the lease is JOB_LEASE_SECONDS.
 */
export const imagerySearch = queueFunction({
  name: 'imagerySearch',
  queue: 'imagery-search',
  message: ImageryMessage,
  handle: ({ customer, work }, { imagery }) => imagery.run.search({ customer, kind: 'search', id: work }),
});
