import { Worker } from 'node:worker_threads';
import type { RenderedScene } from '../../../tools/scenes/renderScene.js';
import type { Render, RenderOrder } from './stac/render.js';

/** What the thread is asked to draw. */
export interface DrawingRequest {
  readonly id: number;
  readonly order: RenderOrder;
}

/** What it answers, in the order of the requests. */
export type DrawingAnswer =
  { readonly id: number; readonly scene: RenderedScene } | { readonly id: number; readonly failure: string };

interface Waiting {
  readonly resolve: (scene: RenderedScene) => void;
  readonly reject: (cause: Error) => void;
}

/** Draws scenes on a thread of its own, one after the other; the thread begins with the first one. */
export class DrawingThread {
  readonly #file: URL;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #latest = 0;

  /** @param file the bundled sceneDrawer.ts */
  constructor(file: URL) {
    this.#file = file;
  }

  readonly render: Render = (order) =>
    new Promise((resolve, reject) => {
      this.#latest += 1;
      this.#waiting.set(this.#latest, { resolve, reject });
      this.#worker ??= this.#start();
      this.#worker.postMessage({ id: this.#latest, order } satisfies DrawingRequest);
    });

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(this.#file);
    // The stand-ins' servers keep the process alive, not their thread.
    worker.unref();
    worker.on('message', (answer: DrawingAnswer) => {
      const waiting = this.#waiting.get(answer.id);
      this.#waiting.delete(answer.id);
      if ('scene' in answer) waiting?.resolve(answer.scene);
      else waiting?.reject(new Error(`A scene could not be drawn: ${answer.failure}`));
    });
    worker.on('error', (cause: Error) => {
      this.#failAll(cause);
    });
    worker.on('exit', () => {
      this.#failAll(new Error('The thread that draws scenes has ended.'));
    });
    return worker;
  }

  #failAll(cause: Error): void {
    this.#worker = undefined;
    for (const { reject } of this.#waiting.values()) reject(cause);
    this.#waiting.clear();
  }
}
