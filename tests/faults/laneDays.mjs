// Workers of both lanes in this process, built with or without a protection.
import { rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { programWith } from './runningService.mjs';
import { changesWithout } from './variants.mjs';

/** Lives through it. @param options of `LaneDaysOptions` in laneDays.ts, one run for each */
export async function laneDays(without, ...runs) {
  const file = await programWith(changesWithout(without), 'laneDays', 'tests/faults');
  try {
    const built = await import(pathToFileURL(resolve(file)).href);
    const results = [];
    for (const options of runs) results.push(await built.laneDays(options));
    return results;
  } finally {
    rmSync(dirname(file), { recursive: true, force: true });
  }
}
