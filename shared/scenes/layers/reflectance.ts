/** Digital numbers per unit of reflectance, in every processing baseline. */
export const DN_PER_REFLECTANCE = 10_000;

/**
 * The largest digital number: Sentinel-2 has 15 bits. Larger ones are no data: negative numbers after a producer has
 * subtracted the offset from unsigned ones, and saturated pixels (65,535).
 */
export const MOST_DN = 2 ** 15 - 1;

/**
 * What must be added to a scene's digital numbers: −1000 when its pixels carry the offset of baselines from 04.00 on
 * (BOA_ADD_OFFSET), 0 when they carry none or it was removed.
 */
export type OffsetDn = 0 | -1000;

/**
 * A digital number without the offset. 0 is nodata and stays 0; data never fall below 1, so that dark pixels don't
 * become nodata.
 */
export function correctedDn(dn: number, offsetDn: OffsetDn): number {
  return dn === 0 ? 0 : Math.max(dn + offsetDn, 1);
}

/** Surface reflectance of a digital number, 0–1 for nearly all surfaces; 0 is nodata. */
export function reflectanceOf(dn: number, offsetDn: OffsetDn): number {
  return correctedDn(dn, offsetDn) / DN_PER_REFLECTANCE;
}
