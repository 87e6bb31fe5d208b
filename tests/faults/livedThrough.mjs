// Programs that live through days in this process (holeDays.ts and the like), built with or without a protection.
import { rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { seededRandom } from './random.mjs';
import { programWith } from './runningService.mjs';
import { changesWithout } from './variants.mjs';

/** So many breaches tell what is wrong. */
const SHOWN = 10;

/**
 * @param name of the program in this folder, and of what it exports
 * @param runs what each run is told, besides its random numbers
 * @returns what came of each
 */
export async function livedThrough(name, { seed, without }, ...runs) {
  const file = await programWith(changesWithout(without), name, 'tests/faults');
  try {
    const built = await import(pathToFileURL(resolve(file)).href);
    const results = [];
    for (const options of runs) {
      const { breaches = [], ...rest } = await built[name]({ random: seededRandom(seed), ...options });
      results.push({ ...rest, breaches: breaches.slice(0, SHOWN) });
    }
    return results;
  } finally {
    rmSync(dirname(file), { recursive: true, force: true });
  }
}
