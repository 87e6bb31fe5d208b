import { ImageryMessage } from '../../shared/imagery/work/imageryMessage.js';
import { queueFunction } from '../../shared/triggers/queueFunction.js';

/**
 * Queue imagery-render — makes the layers of the fields of one place on one day.
 *
 * Effect: the files and the document of each field and day at their path, and a record of each. At most 5 attempts
 * without progress, an outage is none; the lease is JOB_LEASE_SECONDS.
 */
export const imageryRender = queueFunction({
  name: 'imageryRender',
  queue: 'imagery-render',
  message: ImageryMessage,
  handle: ({ customer, work }, { imagery }) => imagery.run.render({ customer, kind: 'render', id: work }),
});
