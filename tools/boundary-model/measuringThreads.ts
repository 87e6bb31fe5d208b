import { once } from 'node:events';
import { parentPort, Worker } from 'node:worker_threads';
import { measuredSeeds } from './measuredSeeds.js';
import type { MeasuredSeed, Measurement } from './measuredSeeds.js';
import type { Part } from './measure.js';

/** Measures, with one thread or several. */
export interface Measurer {
  readonly measure: (measurement: Measurement) => Promise<MeasuredSeed[]>;
  readonly end: () => Promise<unknown>;
}

interface Order {
  readonly measurement: Measurement;
  readonly part: Part;
}

/** @param program that calls `serveMeasurements` where it isn't the main thread */
export function measurerOf(jobs: number, program: URL): Measurer {
  if (jobs < 2) return { measure: (measurement) => measuredSeeds(measurement), end: () => Promise.resolve() };
  const workers = Array.from({ length: jobs }, () => new Worker(program));
  return {
    measure: async (measurement) => {
      const parts = await Promise.all(
        workers.map(async (worker, index) => {
          worker.postMessage({ measurement, part: { index, of: jobs } } satisfies Order);
          const [results] = (await once(worker, 'message')) as [MeasuredSeed[]];
          return results;
        }),
      );
      return interleaved(parts);
    },
    end: () => Promise.all(workers.map((worker) => worker.terminate())),
  };
}

/** Parts of seeds that took turns, in the order of the seeds. */
export function interleaved<Value>(parts: readonly (readonly Value[])[]): Value[] {
  const [longest = []] = parts;
  return longest.flatMap((_, k) => parts.flatMap((part) => part.slice(k, k + 1)));
}

/** Measures what the main thread asks for. */
export function serveMeasurements(): void {
  parentPort?.on('message', ({ measurement, part }: Order) => {
    void measuredSeeds(measurement, part).then((results) => parentPort?.postMessage(results));
  });
}
