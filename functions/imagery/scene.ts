import { SceneMessage } from '../../shared/imagery/discovery/sceneMessage.js';
import { queueFunction } from '../../shared/triggers/queueFunction.js';

/**
 * Queue imagery-scene — opens the work of everybody who wants images of what a product shows.
 *
 * Effect: a unit for each cell of its tile, at the key of tile, day and cell. Any number of attempts; there is no lease:
 * two at once write the same.
 */
export const imageryScene = queueFunction({
  name: 'imageryScene',
  queue: 'imagery-scene',
  message: SceneMessage,
  handle: ({ tile, scene }, { imagery }) => imagery.units.fanOut({ tile, scene }),
});
