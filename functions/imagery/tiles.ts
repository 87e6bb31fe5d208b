import { TilesMessage } from '../../shared/imagery/discovery/tilesMessage.js';
import { queueFunction } from '../../shared/triggers/queueFunction.js';

/**
 * Queue imagery-tiles — holds the last days of some tiles against the catalogue.
 *
 * Effect: products that no poll was shown, at the key of their tile, day, datatake and datastrip. An attempt that fails
 * is repeated by the host, five times; what it left undone, the next night does.
 */
export const imageryTiles = queueFunction({
  name: 'imageryTiles',
  queue: 'imagery-tiles',
  message: TilesMessage,
  handle: ({ tiles }, { imagery }) => imagery.reconcileTiles(tiles),
});
