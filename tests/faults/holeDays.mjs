// Weeks of a catalogue with holes in this process, built with or without a protection.
import { rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { seededRandom } from './random.mjs';
import { programWith } from './runningService.mjs';
import { changesWithout } from './variants.mjs';

/** Lives through so many days. */
export async function holeDays({ seed, without }, days) {
  const file = await programWith(changesWithout(without), 'holeDays', 'tests/faults');
  try {
    const built = await import(pathToFileURL(resolve(file)).href);
    const { counts, breaches } = await built.holeDays({ random: seededRandom(seed), days });
    return { counts, breaches: breaches.slice(0, 10) };
  } finally {
    rmSync(dirname(file), { recursive: true, force: true });
  }
}
