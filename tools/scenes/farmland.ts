import { hashOf, Random } from './random.js';
import { parcelsOf, usualStyles } from './layout.js';
import type { FieldStyle, Parcel, StyleShares } from './layout.js';
import { noiseAt } from './noise.js';
import type { Noise } from './noise.js';
import { areaOf, middleOf } from './convex.js';
import type { MapPlace } from './convex.js';
import { regionOf, squaresNear } from './regions.js';
import type { Region } from './regions.js';

const { ceil, hypot, max, min } = Math;

/** What grows or stands on a parcel, year in, year out. */
export type LandUse = 'arable' | 'meadow' | 'orchard' | 'forest' | 'town';

/** A parcel as it lies on the map, with the land's bends. */
export interface Field {
  /** Follows from the place alone; everything about the field derives from it. */
  readonly id: number;
  /** Seed of the country round it. */
  readonly regionSeed: number;
  readonly use: LandUse;
  readonly style: FieldStyle;
  /** UTM metres, counter-clockwise, the first corner not repeated. */
  readonly outline: readonly MapPlace[];
  /** [west, south, east, north] in metres. */
  readonly box: MapBox;
  readonly areaM2: number;
}

export type MapBox = readonly [west: number, south: number, east: number, north: number];

/** What the country is like; another seed is another country. */
export interface FarmlandOptions {
  readonly seed?: number;
  readonly styles?: StyleShares;
}

/** A region's parcels, and those of them that have been asked for, as they lie on the map. */
interface Stretch {
  readonly region: Region;
  readonly box: MapBox;
  parcels?: readonly (Parcel & { readonly box: MapBox })[];
  readonly fields: Map<number, Field>;
}

/** How far the land's bends move a place at most. */
const largestBendM = 170;
const rememberedStretches = 200;

/** A country without end on one map: the same place always gives the same fields. */
export class Farmland {
  readonly #seed: number;
  readonly #styles: StyleShares;
  readonly #bends: Bends;
  readonly #stretches = new Map<string, Stretch>();

  constructor(epsg: number, { seed = 1, styles = usualStyles }: FarmlandOptions = {}) {
    this.#seed = hashOf(epsg, seed);
    this.#styles = styles;
    this.#bends = bendsOf(this.#seed);
  }

  get seed(): number {
    return this.#seed;
  }

  /** Fields whose box meets the given one. */
  fieldsIn(box: MapBox): Field[] {
    const near = widened(box, largestBendM);
    return squaresNear(box)
      .map(([column, row]) => this.#stretchOf(column, row))
      .filter((stretch) => boxesMeet(stretch.box, near))
      .flatMap((stretch) =>
        this.#parcelsOf(stretch).flatMap((parcel) =>
          boxesMeet(parcel.box, near) ? this.#fieldOf(stretch, parcel) : [],
        ),
      )
      .filter((field) => boxesMeet(field.box, box));
  }

  #stretchOf(column: number, row: number): Stretch {
    const key = `${column},${row}`;
    const known = this.#stretches.get(key);
    if (known !== undefined) return known;
    const region = regionOf(this.#seed, column, row);
    const stretch: Stretch = { region, box: boxOf(region.cell), fields: new Map() };
    if (this.#stretches.size >= rememberedStretches) this.#stretches.clear();
    this.#stretches.set(key, stretch);
    return stretch;
  }

  #parcelsOf(stretch: Stretch): readonly (Parcel & { readonly box: MapBox })[] {
    stretch.parcels ??= parcelsOf(stretch.region, this.#styles).map((parcel) => ({
      ...parcel,
      box: boxOf(parcel.outline),
    }));
    return stretch.parcels;
  }

  #fieldOf({ region, fields }: Stretch, { seed, outline, style }: Parcel): Field {
    const known = fields.get(seed);
    if (known !== undefined) return known;
    const bent = densified(outline).map((place) => moved(this.#bends, place));
    const field: Field = {
      id: seed,
      regionSeed: region.seed,
      use: this.#useOf(seed, region.seed, middleOf(bent)),
      style,
      outline: bent,
      box: boxOf(bent),
      areaM2: areaOf(bent),
    };
    fields.set(seed, field);
    return field;
  }

  #useOf(seed: number, regionSeed: number, [x, y]: MapPlace): LandUse {
    const random = new Random(hashOf(seed, 11));
    const at = (salt: number, scaleM: number): number => noiseAt({ seed: hashOf(this.#seed, salt), scaleM }, x, y);
    if (at(21, 900) + 0.25 * random.normal() > 1.35) return 'forest';
    if (at(22, 800) + 0.2 * random.normal() > 1.6) return 'town';
    if (random.isTrue(meadowShares[hashOf(regionSeed, 12) % meadowShares.length] ?? 0)) return 'meadow';
    return at(23, 1500) > 1.2 && random.isTrue(0.7) ? 'orchard' : 'arable';
  }
}

const meadowShares = [0, 0.1, 0.1, 0.3, 0.7];
const longestStraightM = 15;

/** The outline with corners at most 15 m apart, so that it can bend. */
function densified(outline: readonly MapPlace[]): MapPlace[] {
  return outline.flatMap((from, k) => {
    const to = outline[(k + 1) % outline.length] ?? from;
    const parts = max(1, ceil(hypot(to[0] - from[0], to[1] - from[1]) / longestStraightM));
    return Array.from({ length: parts }, (_, part): MapPlace => {
      const share = part / parts;
      return [from[0] + share * (to[0] - from[0]), from[1] + share * (to[1] - from[1])];
    });
  });
}

/** The noises that bend the land: how much of wide and narrow bends there is, and both bends in x and y. */
interface Bends {
  readonly wideness: Noise;
  readonly narrowness: Noise;
  readonly wide: readonly [Noise, Noise];
  readonly narrow: readonly [Noise, Noise];
}

function bendsOf(seed: number): Bends {
  const noise = (salt: number, scaleM: number): Noise => ({ seed: hashOf(seed, salt), scaleM });
  return {
    wideness: noise(31, 4000),
    narrowness: noise(32, 3000),
    wide: [noise(33, 620), noise(34, 620)],
    narrow: [noise(35, 210), noise(36, 210)],
  };
}

/** Moves a place the way the land bends there: hardly at all in some parts, by tens of metres in others. */
function moved({ wideness, narrowness, wide, narrow }: Bends, [x, y]: MapPlace): MapPlace {
  const wideM = 22 * max(0, 0.35 + noiseAt(wideness, x, y));
  const narrowM = 6 * max(0, noiseAt(narrowness, x, y));
  return [
    x + wideM * noiseAt(wide[0], x, y) + narrowM * noiseAt(narrow[0], x, y),
    y + wideM * noiseAt(wide[1], x, y) + narrowM * noiseAt(narrow[1], x, y),
  ];
}

function widened([west, south, east, north]: MapBox, byM: number): MapBox {
  return [west - byM, south - byM, east + byM, north + byM];
}

function boxOf(outline: readonly MapPlace[]): MapBox {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x, y] of outline) {
    west = min(west, x);
    east = max(east, x);
    south = min(south, y);
    north = max(north, y);
  }
  return [west, south, east, north];
}

function boxesMeet(a: MapBox, b: MapBox): boolean {
  return a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
}
