import { ImageryMessage } from '../../shared/imagery/work/imageryMessage.js';
import { queueFunction } from '../../shared/triggers/queueFunction.js';

/** Queue imagery-render-poison — sends the message of work that is still to be done again; its row counts the attempts. */
export const upkeepImageryRenderPoison = queueFunction({
  name: 'upkeepImageryRenderPoison',
  queue: 'imagery-render-poison',
  message: ImageryMessage,
  handle: ({ customer, work }, { imagery }) => imagery.revive({ customer, kind: 'render', id: work }),
});
