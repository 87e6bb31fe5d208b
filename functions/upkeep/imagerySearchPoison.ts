import { ImageryMessage } from '../../shared/imagery/work/imageryMessage.js';
import { queueFunction } from '../../shared/triggers/queueFunction.js';

/** Queue imagery-search-poison — sends the message of work that is still to be done again; its row counts the attempts. */
export const upkeepImagerySearchPoison = queueFunction({
  name: 'upkeepImagerySearchPoison',
  queue: 'imagery-search-poison',
  message: ImageryMessage,
  handle: ({ customer, work }, { imagery }) => imagery.revive({ customer, kind: 'search', id: work }),
});
