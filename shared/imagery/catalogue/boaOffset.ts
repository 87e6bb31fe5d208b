import type { OffsetDn } from '../layers/reflectance.js';

/**
 * How it is known what must be added to a scene's digital numbers:
 *
 * - `baseline`: follows from the processing baseline
 * - `asset`: the catalogue's scale and offset of the band
 * - `catalogue`: the catalogue says that the offset was removed
 * - `measured`: lit ground too dark to carry the offset proves that it was removed
 * - `metadata`: the baseline says that it is there, and the pixels don't prove the contrary
 */
export type OffsetBasis = 'baseline' | 'asset' | 'catalogue' | 'measured' | 'metadata';

export interface KnownOffset {
  readonly offsetDn: OffsetDn;
  readonly basis: OffsetBasis;
}

/** What the catalogue says about the offset: a value, which no pixel overrules, or that the pixels have to be asked. */
export type OffsetRule = KnownOffset | 'measure';

/** What a catalogue says about one scene, as far as the offset depends on it. */
export interface OffsetFacts {
  readonly collection: string;
  /** Processing baseline such as 05.09; empty when unknown. */
  readonly baseline: string;
  /** `earthsearch:boa_offset_applied`: whether the offset was removed from the pixels. */
  readonly isRemoved?: boolean;
  /** Offset of the red band's values in reflectance, from `raster:bands`. */
  readonly bandOffset?: number;
}

/** Collections whose metadata describe the pixels as they are. */
const FAITHFUL = new Set(['sentinel-2-c1-l2a']);
const FIRST_BASELINE_WITH_OFFSET = 4;

const none = (basis: OffsetBasis): KnownOffset => ({ offsetDn: 0, basis });
const present = (basis: OffsetBasis): KnownOffset => ({ offsetDn: -1000, basis });

/**
 * Whether the pixels of a scene carry the offset of −1000 (BOA_ADD_OFFSET) that Sen2Cor adds from baseline 04.00 on.
 *
 * Never by date: reprocessed scenes of 2015 have it. In Earth Search's `sentinel-2-l2a`, `raster:bands` shows −0.1
 * whether or not the offset was removed, so only the flag counts, and a missing or false flag has been seen to be
 * wrong (Element84/earth-search issues 9, 66, 71).
 */
export function offsetRule({ collection, baseline, isRemoved, bandOffset }: OffsetFacts): OffsetRule {
  const number = baseline === '' ? undefined : Number(baseline);
  const isOld = number !== undefined && number < FIRST_BASELINE_WITH_OFFSET;
  if (FAITHFUL.has(collection)) {
    if (bandOffset === -0.1) return present('asset');
    return bandOffset === 0 ? none('asset') : byBaseline(number);
  }
  if (isRemoved === true) return none('catalogue');
  return isOld ? none('baseline') : 'measure';
}

/**
 * The same for the Planetary Computer, which serves the pixels as ESA made them.
 *
 * @param baseline such as 05.09; empty when unknown
 */
export function untouchedOffsetRule(baseline: string): OffsetRule {
  return byBaseline(baseline === '' ? undefined : Number(baseline));
}

function byBaseline(number: number | undefined): OffsetRule {
  if (number === undefined || Number.isNaN(number)) return 'measure';
  return number < FIRST_BASELINE_WITH_OFFSET ? none('baseline') : present('baseline');
}
