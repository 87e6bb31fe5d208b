// Weeks of the feed in this process, built with or without a protection.
import { rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { seededRandom } from './random.mjs';
import { programWith } from './runningService.mjs';
import { changesWithout } from './variants.mjs';

/** Lives through days. @param options of `FeedDaysOptions` in feedDays.ts, and `limitMinutes` until a scene must be known */
export async function feedDays({ seed, without }, { limitMinutes = 20, ...options }) {
  const file = await programWith(changesWithout(without), 'feedDays', 'tests/faults');
  try {
    const built = await import(pathToFileURL(resolve(file)).href);
    const { counts, breaches } = await built.feedDays({ random: seededRandom(seed), ...options }, limitMinutes);
    const shown = breaches.slice(0, 10);
    return { counts, breaches: shown.map((text) => `I6: ${text}`) };
  } finally {
    rmSync(dirname(file), { recursive: true, force: true });
  }
}
