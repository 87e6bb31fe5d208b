// Writes synthetic scenes for train.py: node infra/build/run.mjs tools/boundary-model/trainingScenes.ts --out folder --count 2000
//
// scenes.bin holds one record a scene: uint16 [4][side][side] reflectance × 10000 of B02, B03, B04, B08, then uint8
// [side][side] labels (bit 0 boundary, bit 1 field); little endian. scenes.json tells side and count.
import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { boundaryLabels, trainingScene } from './trainingSample.js';

const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    count: { type: 'string', default: '2000' },
    first: { type: 'string', default: '100000' },
    side: { type: 'string', default: '160' },
    palettes: { type: 'string', default: '0.5' },
  },
});
const { out } = values;
if (out === undefined) throw new Error('Give --out, the folder to write to.');
const [count, first, side] = [Number(values.count), Number(values.first), Number(values.side)];
const options = { side, dates: 1, paletteShare: Number(values.palettes) };

mkdirSync(out, { recursive: true });
const file = openSync(`${out}/scenes.bin`, 'w');
for (let seed = first; seed < first + count; seed += 1) {
  const { renderer, window, dates } = trainingScene(seed, options);
  const [seen] = dates;
  if (seen === undefined) continue;
  const { B02, B03, B04, B08 } = seen.scene.bands;
  for (const band of [B02, B03, B04, B08]) writeSync(file, new Uint8Array(band.buffer));
  writeSync(file, boundaryLabels(renderer.coverOf(window)));
  writeFileSync(`${out}/scenes.json`, JSON.stringify({ side, count: seed - first + 1, first }));
}
closeSync(file);
