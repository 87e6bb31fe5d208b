// Writes synthetic scenes with their truth at 2.5 m for train_mask.py:
//
//   node infra/build/run.mjs tools/boundary-model/pointScenes.ts --out folder --first 200000 --count 200
//
// scenes.bin holds one record a scene, little endian: uint16 [4][256][256] reflectance × 10000 of B02, B03, B04, B08, then
// int16 [1024][1024] numbers of fields (-1: no field) at 2.5 m. scenes.json holds for each scene the points to ask for:
// [row, column, number of the field or -1], in samples of 2.5 m.
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Cover } from '../scenes/cover.js';
import { hashOf, Random } from '../scenes/random.js';
import { paintedMarginPixels, samplesPerPixel } from '../scenes/sensor.js';
import { pointsOf } from './rankerPoints.js';
import { disturbedFamily } from './sceneFamilies.js';
import { trainingScene } from './trainingSample.js';

const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    first: { type: 'string' },
    count: { type: 'string' },
  },
});
const { out, first, count } = values;
if (out === undefined || first === undefined || count === undefined)
  throw new Error('Give --out, --first and --count.');

const side = 256;
const fineSide = side * samplesPerPixel;
const pointCounts = { inFields: 40, outsideShare: 0.5 };
/** Kinds of scenes that take turns: usual ones, ones as uneven as a ranker's, and hard negatives. */
const kinds = [{}, { roughness: 1.8 }, { roughness: 1.4, family: disturbedFamily }] as const;

/** The fields' numbers without the painted margin. */
function fieldNumbers({ grid, samples }: Cover): Int16Array {
  const margin = paintedMarginPixels * samplesPerPixel;
  return Int16Array.from({ length: fineSide * fineSide }, (_, k) => {
    const row = Math.floor(k / fineSide);
    return Math.max(-1, samples[(row + margin) * grid.width + margin + k - row * fineSide] ?? -1);
  });
}

mkdirSync(out, { recursive: true });
const file = openSync(`${out}/scenes.bin`, 'w');
const points: (readonly [row: number, column: number, field: number])[][] = [];
for (let seed = Number(first); seed < Number(first) + Number(count); seed += 1) {
  const options = { side, dates: 1, paletteShare: 0.5, ...kinds[seed % kinds.length] };
  const { renderer, window, dates } = trainingScene(seed, options);
  const bands = dates[0]?.scene.bands;
  if (bands === undefined) continue;
  const cover = renderer.coverOf(window);
  const fields = fieldNumbers(cover);
  for (const band of [bands.B02, bands.B03, bands.B04, bands.B08]) writeSync(file, new Uint8Array(band.buffer));
  writeSync(file, new Uint8Array(fields.buffer));
  points.push(
    pointsOf(cover, window, new Random(hashOf(seed, 7005)), pointCounts).map(({ pixel, areaHa }) => {
      const [row, column] = [pixel.row, pixel.column].map((place) => (place + 0.5) * samplesPerPixel) as [
        number,
        number,
      ];
      return [row, column, areaHa === 0 ? -1 : (fields[row * fineSide + column] ?? -1)] as const;
    }),
  );
}
closeSync(file);
writeFileSync(`${out}/scenes.json`, JSON.stringify({ side, points }));
