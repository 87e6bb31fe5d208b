import { SceneMessage } from '../../shared/imagery/discovery/sceneMessage.js';
import { queueFunction } from '../../shared/triggers/queueFunction.js';

/** Queue imagery-scene-poison — sends the message of a product again, hidden for a minute; its row says whether it is done. */
export const upkeepImageryScenePoison = queueFunction({
  name: 'upkeepImageryScenePoison',
  queue: 'imagery-scene-poison',
  message: SceneMessage,
  handle: (message, { putBack }) => putBack('imagery-scene', message),
});
