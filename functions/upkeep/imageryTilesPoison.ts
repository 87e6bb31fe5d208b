import { TilesMessage } from '../../shared/imagery/discovery/tilesMessage.js';
import { queueFunction } from '../../shared/triggers/queueFunction.js';

/** Queue imagery-tiles-poison — lets go of messages that failed five times: the next night sends the same again. */
export const upkeepImageryTilesPoison = queueFunction({
  name: 'upkeepImageryTilesPoison',
  queue: 'imagery-tiles-poison',
  message: TilesMessage,
  handle: () => Promise.resolve(),
});
