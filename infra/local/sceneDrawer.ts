// The thread that draws synthetic scenes, so that the stand-ins go on answering meanwhile.
import { parentPort } from 'node:worker_threads';
import { renderScene } from '../../tools/scenes/renderScene.js';
import type { DrawingAnswer, DrawingRequest } from './standIns/drawingThread.js';

function draw({ id, order: { grid, date, cloudFraction } }: DrawingRequest): DrawingAnswer {
  try {
    return { id, scene: renderScene({ ...grid, date }, { cloudFraction }) };
  } catch (cause) {
    return { id, failure: String(cause) };
  }
}

parentPort?.on('message', (request: DrawingRequest) => {
  parentPort?.postMessage(draw(request));
});
