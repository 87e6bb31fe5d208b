/** Reflectance 0–1 of a surface at the top of its canopy: B02, B03, B04, B08. */
export type Spectrum = readonly [blue: number, green: number, red: number, nir: number];

/** Typical surfaces; the mixtures of these and their random variation make the scenes. */
export const spectra = {
  greenCrop: [0.022, 0.055, 0.028, 0.42],
  floweringRape: [0.045, 0.13, 0.11, 0.44],
  ripeCrop: [0.05, 0.09, 0.11, 0.28],
  stubble: [0.075, 0.11, 0.15, 0.26],
  bareSoil: [0.075, 0.105, 0.14, 0.22],
  meadow: [0.03, 0.06, 0.05, 0.26],
  lushMeadow: [0.027, 0.065, 0.035, 0.38],
  forest: [0.018, 0.035, 0.02, 0.27],
  trees: [0.02, 0.04, 0.025, 0.28],
  grass: [0.03, 0.06, 0.04, 0.32],
  gravel: [0.11, 0.14, 0.17, 0.25],
  paved: [0.11, 0.13, 0.14, 0.21],
  ditch: [0.035, 0.05, 0.045, 0.15],
  water: [0.05, 0.05, 0.035, 0.02],
  town: [0.1, 0.11, 0.11, 0.22],
  cloud: [0.55, 0.54, 0.54, 0.58],
} as const satisfies Record<string, Spectrum>;
