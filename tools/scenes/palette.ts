import type { CropState } from './crops.js';
import { hashOf, Random } from './random.js';
import { spectra } from './spectra.js';

const { floor, log, max, min, PI, sin } = Math;

/** How strongly the country's patterns show within fields. */
export interface Unevenness {
  /** Share by which soil that is one standard deviation lighter is lighter. */
  readonly soilLight: number;
  /** Green cover, 0–1, per standard deviation of the pattern of growth and of the soil's. */
  readonly growthGreen: number;
  readonly soilGreen: number;
  /** Size of the patterns, 1 is usual. */
  readonly scale: number;
}

export const usualUnevenness: Unevenness = { soilLight: 0.12, growthGreen: 0.09, soilGreen: -0.05, scale: 1 };

/**
 * Crops and patterns of one day that owe nothing to a calendar: what is learned on many of them can't rely on what
 * grows where, and when.
 */
export interface Palette {
  /** What stands on arable land, and how common it is. Fields of one crop differ by their cover and light alone. */
  readonly crops: readonly (readonly [CropState, number])[];
  readonly unevenness: Unevenness;
}

const alikeShare = 0.25;
const ripeShare = 0.2;

/**
 * A palette of 2 to 7 crops, mostly nearly bare or nearly closed; in one of four all look much alike.
 *
 * @param seed for what lasts: which crops there are, how common, and the size of patterns
 * @param daySeed for how they look on the day
 */
export function paletteOf(seed: number, daySeed: number): Palette {
  const lasting = new Random(hashOf(seed, 45));
  const daily = new Random(hashOf(daySeed, 46));
  const evenness = lasting.between(0.5, 3);
  const areAlike = lasting.isTrue(alikeShare);
  const [middle, areRipe] = [daily.next(), daily.isTrue(0.15)];
  const count = 2 + floor(lasting.between(0, 6));
  const crops = Array.from({ length: count }, (): [CropState, number] => {
    // The arcsine law.
    const green = areAlike ? middle + 0.06 * daily.normal() : sin((PI / 2) * daily.next()) ** 2;
    const density = lasting.between(0.5, 1.3);
    const isRipe = daily.isTrue(ripeShare);
    const [blue, greenLight, red, nir] = spectra.greenCrop;
    const canopy = (areAlike ? areRipe : isRipe) ? spectra.ripeCrop : ([blue, greenLight, red, nir * density] as const);
    const weight = (-log(1 - lasting.next())) ** (1.6 / evenness);
    return [{ green: min(0.98, max(0.02, green)), canopy, isStubble: false }, weight];
  });
  const unevenness = {
    soilLight: daily.between(0.02, 0.28),
    growthGreen: daily.between(0, 0.14),
    soilGreen: daily.between(-0.12, 0.12),
    scale: lasting.between(0.4, 1.6),
  };
  return { crops, unevenness };
}
