import { spectra } from './spectra.js';
import type { Spectrum } from './spectra.js';

const { max, min } = Math;

/** How a crop looks through the year. Days of the year on the northern hemisphere. */
export interface Crop {
  readonly name: string;
  /** Green cover 0–1 at days of the year, linear between them, constant before and after. */
  readonly green: readonly (readonly [day: number, cover: number])[];
  /** What the plants are: green, in flower, ripe; each from its day on. */
  readonly canopy: readonly (readonly [day: number, spectrum: Spectrum])[];
  /** Days on which the ground under the plants changes: stubble after harvest, soil after ploughing. */
  readonly harvested?: number;
  readonly ploughed?: number;
}

const winterGrain = (name: string, earlierDays: number): Crop => ({
  name,
  green: [
    [50, 0.25],
    [120 - earlierDays, 0.93],
    [200 - earlierDays, 0.9],
    [207 - earlierDays, 0.05],
    [285, 0.03],
    [330, 0.25],
  ],
  canopy: [
    [0, spectra.greenCrop],
    [182 - earlierDays, spectra.ripeCrop],
    [260, spectra.greenCrop],
  ],
  harvested: 206 - earlierDays,
  ploughed: 238 - earlierDays,
});

/** A crop sown in spring into bare soil. */
const summerCrop = (name: string, [sown, closed, ripe, gone]: readonly [number, number, number, number]): Crop => ({
  name,
  green: [
    [sown, 0.03],
    [closed, 0.92],
    [gone - 3, 0.85],
    [gone, 0.06],
  ],
  canopy: [
    [0, spectra.greenCrop],
    [ripe, spectra.ripeCrop],
    [gone + 25, spectra.greenCrop],
  ],
  harvested: gone,
  ploughed: gone + 25,
});

/** The crops of the synthetic country. */
export const crops: readonly Crop[] = [
  winterGrain('winter wheat', 0),
  winterGrain('winter barley', 16),
  {
    name: 'winter rape',
    green: [
      [50, 0.45],
      [105, 0.9],
      [192, 0.85],
      [200, 0.08],
      [240, 0.1],
      [290, 0.6],
    ],
    canopy: [
      [0, spectra.greenCrop],
      [116, spectra.floweringRape],
      [138, spectra.greenCrop],
      [180, spectra.ripeCrop],
      [205, spectra.greenCrop],
    ],
    harvested: 200,
    ploughed: 222,
  },
  summerCrop('maize', [135, 198, 258, 275]),
  summerCrop('spring barley', [92, 148, 184, 212]),
  summerCrop('sugar beet', [118, 182, 330, 295]),
  summerCrop('potatoes', [138, 186, 236, 255]),
  summerCrop('sunflower', [128, 185, 232, 252]),
  summerCrop('soya', [138, 200, 248, 268]),
  { name: 'fallow', green: [[0, 0.35]], canopy: [[0, spectra.meadow]] },
];

/** A crop's look on one day. */
export interface CropState {
  /** 0–1 */
  readonly green: number;
  readonly canopy: Spectrum;
  readonly isStubble: boolean;
}

/** How a crop looks on a day of the year; the day may lie outside 1–366. */
export function cropOn(crop: Crop, day: number): CropState {
  const { harvested = Infinity, ploughed = Infinity } = crop;
  const canopy = crop.canopy.findLast(([from]) => day >= from) ?? crop.canopy[0];
  return {
    green: interpolated(crop.green, day),
    canopy: canopy?.[1] ?? spectra.greenCrop,
    isStubble: day >= harvested && day < ploughed,
  };
}

function interpolated(knots: readonly (readonly [number, number])[], day: number): number {
  let [fromDay, from] = knots[0] ?? [0, 0];
  if (day <= fromDay) return from;
  for (const [toDay, to] of knots) {
    if (day < toDay) return from + ((to - from) * (day - fromDay)) / (toDay - fromDay);
    [fromDay, from] = [toDay, to];
  }
  return from;
}

/** Green cover of a meadow that is cut every `intervalDays`, 0–1. */
export function meadowGreen(day: number, intervalDays: number): number {
  const sinceCut = (((day - 100) % intervalDays) + intervalDays) % intervalDays;
  const season = min(1, max(0.55, (day - 50) / 70));
  return season * min(0.93, 0.45 + 0.5 * min(1, sinceCut / 22));
}
