import { wavyFields } from '../load/uploads.js';
import { hostileShapes } from '../support/hostileGeoJson.js';
import { say, sized } from './figures.js';

/** Of an upload: processor time of the host until it is answered, ms. */
type CostOf = (geojson: string) => Promise<number>;

const ROUNDS = sized(3);

async function fewest(costOf: CostOf, geojson: string): Promise<number> {
  let least = Infinity;
  for (let round = 0; round < ROUNDS; round += 1) least = Math.min(least, await costOf(geojson));
  return least;
}

/** Holds uploads made to be slow against an honest one of their size. */
export async function compareHostileUploads(costOf: CostOf, bytes: number): Promise<void> {
  const honest = await fewest(costOf, wavyFields('honest', bytes));
  say(`an honest upload of ${(bytes / 2 ** 20).toFixed(0)} MB: ${honest.toFixed(0)} ms of CPU`);
  const ratios: number[] = [];
  for (const { name, text } of hostileShapes) {
    const cost = await fewest(costOf, text(bytes));
    ratios.push(cost / honest);
    say(`${(cost / honest).toFixed(2)} of it: ${name} (${cost.toFixed(0)} ms)`);
  }
  say(`worst of ${ratios.length} hostile shapes: ${Math.max(...ratios).toFixed(2)} of an honest upload`);
}
