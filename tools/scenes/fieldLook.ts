import { middleOf } from './convex.js';
import type { MapPlace } from './convex.js';
import { cropOn, crops, meadowGreen } from './crops.js';
import type { Crop } from './crops.js';
import type { Field } from './farmland.js';
import type { Palette } from './palette.js';
import { hashOf, Random } from './random.js';
import { spectra } from './spectra.js';
import type { Spectrum } from './spectra.js';

const { atan2, cos, exp, floor, log, max, min, sin, sqrt } = Math;

/** A part of a field that differs from the rest: where it begins, and by how much it is greener and lighter. */
export interface Difference {
  readonly from: number;
  readonly green: number;
  /** Factor */
  readonly light: number;
}

/** Everything about one field on one day that its pixels are painted from. */
export interface FieldLook {
  /** Ground between the plants, reflectance a band. */
  readonly ground: Spectrum;
  /** The plants. */
  readonly canopy: Spectrum;
  /** Share of the ground that plants cover, 0–1. */
  readonly green: number;
  /** How strongly the country's soil and growth patterns show, and the field's own slope of growth. */
  readonly growth: number;
  readonly slope: number;
  /** Rows and tramlines along the field: strength, width in metres. */
  readonly rows: {
    readonly strength: number;
    readonly widthM: number;
    readonly seed: number;
  };
  /** The part ahead of this position along the field is worked already; 2 is none. */
  readonly worked: Difference;
  /** The part ahead of this position across the field carries another variety; 2 is none. */
  readonly variety: Difference;
  /** Headlands: what lies farther than this from the middle along the field, towards either end. */
  readonly headland: Difference;
  /** Wet hollows, lodged or weedy spots: where the country's growth pattern exceeds this. */
  readonly spots: Difference;
  /** Tramlines: metres from one to the next, and how much darker they are, 0–1. */
  readonly tracks: { readonly periodM: number; readonly shiftM: number; readonly depth: number };
  /** The field's long axis, its middle, half its length and width: positions between about -1 and 1. */
  readonly axis: {
    readonly along: MapPlace;
    readonly middle: MapPlace;
    readonly halfM: number;
    readonly halfAcrossM: number;
  };
}

/** A day on the map's hemisphere. */
export interface SceneDay {
  readonly year: number;
  /** Day of the year as the north would have it: half a year later in the south. */
  readonly day: number;
  /** How uneven fields are within: patterns, slopes, rows and part-worked fields grow with it; 1 is usual. */
  readonly roughness: number;
  /** How much parts of a field differ from the rest: a factor on what is drawn; 1 is usual. */
  readonly contrast: number;
  /** Takes the calendar's place. */
  readonly palette: Palette | undefined;
}

/** What a country's farmers have in common in one year. */
interface Farming {
  readonly weights: readonly (readonly [Crop, number])[];
  readonly greenSd: number;
  readonly lightSd: number;
  readonly daysSd: number;
  readonly soil: Spectrum;
  readonly workedShare: number;
}

function farmingOf(regionSeed: number, year: number): Farming {
  const random = new Random(hashOf(regionSeed, 41));
  const evenness = random.between(0.5, 3);
  const soilLight = random.between(0.6, 1.5);
  const soil = spectra.bareSoil.map((value) => value * soilLight * (1 + 0.06 * random.normal()));
  const variety = random.pick([
    [0.02, 1],
    [0.05, 1],
    [0.1, 1],
  ]);
  const yearly = new Random(hashOf(regionSeed, 42, year));
  const isMonotone = random.isTrue(0.2);
  return {
    weights: crops.map((crop) => [crop, (-log(1 - random.next())) ** (isMonotone ? 4 : 1.6 / evenness)]),
    greenSd: isMonotone ? 0.04 : variety,
    lightSd: random.between(0.02, 0.1),
    daysSd: isMonotone ? 2 : random.between(3, 9),
    soil: [soil[0] ?? 0, soil[1] ?? 0, soil[2] ?? 0, soil[3] ?? 0],
    workedShare: yearly.between(0, 0.22),
  };
}

/** How a field looks on a day. */
export function fieldLook(field: Field, { year, day, roughness, contrast, palette }: SceneDay): FieldLook {
  const farming = farmingOf(field.regionSeed, year);
  const own = new Random(hashOf(field.id, 51, year));
  const shifted = day + farming.daysSd * own.normal();
  const light = exp(farming.lightSd * own.normal());
  const base = coverOf(field, farming, { own, day: shifted, palette });
  const weekly = new Random(hashOf(field.id, 52, year, floor(shifted / 9)));
  return {
    ...base,
    ground: scaled(base.ground, light),
    canopy: scaled(base.canopy, light),
    green: limited(base.green + farming.greenSd * own.normal()),
    growth: roughness * own.between(0.4, 1.6),
    slope: 0.035 * roughness * own.normal(),
    rows: rowsOf(field, own, roughness),
    ...partsOf(field, own, { roughness, contrast }),
    worked: workedPart(weekly, farming.workedShare * roughness, contrast),
    axis: axisOf(field),
  };
}

function coverOf(
  { use }: Field,
  { weights, soil }: Farming,
  { own, day, palette }: { readonly own: Random; readonly day: number; readonly palette: Palette | undefined },
): Pick<FieldLook, 'ground' | 'canopy' | 'green'> {
  const crop = own.pick(weights);
  if (use === 'meadow') {
    const lush = own.next();
    return {
      ground: soil,
      canopy: mixed(spectra.meadow, spectra.lushMeadow, lush),
      green: meadowGreen(day + 60 * own.next(), own.between(35, 70)),
    };
  }
  if (use === 'orchard')
    return { ground: mixed(soil, spectra.grass, 0.6), canopy: spectra.trees, green: own.between(0.3, 0.7) };
  if (use === 'forest') return { ground: spectra.forest, canopy: spectra.forest, green: 0.9 };
  if (use === 'town') return { ground: spectra.town, canopy: spectra.grass, green: 0.25 };
  if (palette !== undefined) return { ground: soil, ...own.pick(palette.crops) };
  const { canopy, green, isStubble } = cropOn(crop, day);
  const vigour = own.between(0.6, 1.25);
  const plants: Spectrum = [canopy[0], canopy[1], canopy[2], canopy[3] * (canopy === spectra.ripeCrop ? 1 : vigour)];
  const isPloughed = own.isTrue(0.5);
  return { ground: isStubble && !isPloughed ? mixed(soil, spectra.stubble, 0.75) : soil, canopy: plants, green };
}

function rowsOf({ use }: Field, own: Random, roughness: number): FieldLook['rows'] {
  const isOrchard = use === 'orchard';
  const strength = isOrchard ? own.between(0.05, 0.2) : own.isTrue(0.5) ? own.between(0, 0.06) : 0;
  return {
    strength: strength * roughness,
    widthM: own.pick([
      [5, 1],
      [10, 1],
      [20, 1],
    ]),
    seed: floor(own.next() * 2 ** 31),
  };
}

const nowhere = 9;

/** Lasting differences within a field; they make edges that are no boundaries. */
function partsOf(
  { use }: Field,
  own: Random,
  { roughness, contrast }: Pick<SceneDay, 'roughness' | 'contrast'>,
): Pick<FieldLook, 'variety' | 'headland' | 'spots' | 'tracks'> {
  const part = (share: number, from: number, greenSd: number, lightSd: number): Difference => ({
    from: own.isTrue(share * roughness) ? from : nowhere,
    green: contrast * greenSd * own.normal(),
    light: exp(contrast * lightSd * own.normal()),
  });
  const isCrop = use === 'arable';
  return {
    variety: part(isCrop ? 0.28 : 0.15, own.between(-0.7, 0.7), 0.07, 0.04),
    headland: part(isCrop ? 0.4 : 0.1, own.between(0.7, 0.95), 0.07, 0.05),
    spots: part(0.55, own.between(0.2, 1.7), 0.12, 0.07),
    tracks: {
      periodM: own.between(12, 36),
      shiftM: own.between(0, 36),
      depth: isCrop && own.isTrue(0.4 * roughness) ? own.between(0.02, 0.2) : 0,
    },
  };
}

/** On some days a field is worked up to a line; the line moves on until the next such week. */
function workedPart(weekly: Random, share: number, contrast: number): FieldLook['worked'] {
  const isWorked = weekly.isTrue(share);
  const isGreen = weekly.isTrue(0.5);
  return {
    from: isWorked ? weekly.between(-1, 1) : 2,
    green: isGreen ? contrast * 0.12 * weekly.normal() : 0,
    light: exp(contrast * 0.05 * weekly.normal()),
  };
}

/** Main direction of the outline by its second moments. */
function axisOf({ outline }: Field): FieldLook['axis'] {
  const middle = middleOf(outline);
  let [xx, yy, xy] = [0, 0, 0];
  for (const [x, y] of outline) {
    xx += (x - middle[0]) ** 2;
    yy += (y - middle[1]) ** 2;
    xy += (x - middle[0]) * (y - middle[1]);
  }
  const angle = 0.5 * atan2(2 * xy, xx - yy);
  // The corners of a rectangle's outline spread by about 0.37 of its length.
  const half = (squares: number): number => max(8, 1.35 * sqrt(squares / outline.length));
  const [cosine, sine] = [cos(angle), sin(angle)];
  const shared = 2 * xy * sine * cosine;
  return {
    along: [cosine, sine],
    middle,
    halfM: half(xx * cosine ** 2 + yy * sine ** 2 + shared),
    halfAcrossM: half(xx * sine ** 2 + yy * cosine ** 2 - shared),
  };
}

export const limited = (value: number): number => min(1, max(0, value));

function scaled(spectrum: Spectrum, factor: number): Spectrum {
  return [spectrum[0] * factor, spectrum[1] * factor, spectrum[2] * factor, spectrum[3] * factor];
}

export function mixed(a: Spectrum, b: Spectrum, share: number): Spectrum {
  const part = (k: 0 | 1 | 2 | 3): number => a[k] * (1 - share) + b[k] * share;
  return [part(0), part(1), part(2), part(3)];
}
