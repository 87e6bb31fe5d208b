import type { OffsetDn } from '../layers/reflectance.js';

/**
 * How it is known what must be added to a scene's digital numbers:
 *
 * - `baseline`: follows from the processing baseline
 * - `asset`: the catalogue's scale and offset of the band
 * - `catalogue`: the catalogue says that the offset was removed
 * - `measured`: lit ground too dark to carry the offset proves that it was removed
 * - `metadata`: the baseline says that the offset is there, and the pixels don't disprove it
 */
export type OffsetBasis = 'baseline' | 'asset' | 'catalogue' | 'measured' | 'metadata';

export interface KnownOffset {
  readonly offsetDn: OffsetDn;
  readonly basis: OffsetBasis;
}

/** What the catalogue says about the offset: a value that counts whatever the pixels show, or that pixels must be measured. */
export type OffsetRule = KnownOffset | 'measure';

/** What a catalogue says about one scene, as far as the offset depends on it. */
export interface OffsetFacts {
  readonly collection: string;
  /** Processing baseline such as 05.09; empty when unknown. */
  readonly baseline: string;
  /** `earthsearch:boa_offset_applied`: whether the offset was removed from the pixels. */
  readonly isRemoved?: boolean | undefined;
  /** The offset that the bands' assets name. */
  readonly bandOffsetDn?: OffsetDn | undefined;
}

/** Whether the metadata of a collection describe the pixels as they are. */
export const isFaithful = (collection: string): boolean => collection === 'sentinel-2-c1-l2a';

const FIRST_BASELINE_WITH_OFFSET = 4;

/** NaN when unknown. */
const numberOf = (baseline: string): number => (baseline === '' ? NaN : Number(baseline));

/**
 * Whether the pixels of a scene carry the offset of −1000 (BOA_ADD_OFFSET) that Sen2Cor adds from baseline 04.00 on.
 *
 * Never by date: reprocessed scenes of 2015 have it. In Earth Search's `sentinel-2-l2a`, `raster:bands` shows −0.1
 * whether or not the offset was removed, so only the flag counts, and a missing or false flag has been seen to be
 * wrong (Element84/earth-search issues 9, 66, 71).
 */
export function offsetRule({ collection, baseline, isRemoved, bandOffsetDn }: OffsetFacts): OffsetRule {
  if (isFaithful(collection)) {
    return bandOffsetDn === undefined ? untouchedOffsetRule(baseline) : { offsetDn: bandOffsetDn, basis: 'asset' };
  }
  if (isRemoved === true) return { offsetDn: 0, basis: 'catalogue' };
  return numberOf(baseline) < FIRST_BASELINE_WITH_OFFSET ? { offsetDn: 0, basis: 'baseline' } : 'measure';
}

/** The same for pixels as ESA made them, which the Planetary Computer serves. @param baseline such as 05.09; empty when unknown */
export function untouchedOffsetRule(baseline: string): OffsetRule {
  const number = numberOf(baseline);
  if (Number.isNaN(number)) return 'measure';
  return { offsetDn: number < FIRST_BASELINE_WITH_OFFSET ? 0 : -1000, basis: 'baseline' };
}
