/** Digital numbers per unit of reflectance, in every processing baseline. */
export const DN_PER_REFLECTANCE = 10_000;

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

/**
 * How dark the darkest pixels of a band are: the 0.1 percentile of its digital numbers without nodata.
 *
 * @param dns an overview of the red band (a quarter of the size is enough)
 * @returns undefined when there is no data
 */
export function darkFloorDn(dns: Uint16Array): number | undefined {
  const counts = new Uint32Array(65_536);
  let total = 0;
  for (const dn of dns) {
    if (dn === 0) continue;
    counts[dn] = (counts[dn] ?? 0) + 1;
    total += 1;
  }
  let below = 0;
  const rank = Math.floor(total * 0.001);
  const floor = counts.findIndex((count) => {
    below += count;
    return below > rank;
  });
  return total === 0 ? undefined : floor;
}

/** No surface is this dark with the offset still in: 1000 DN are zero reflectance, haze and noise reach to about 850. */
const DARKEST_WITH_OFFSET_DN = 800;

/**
 * Whether a dark floor proves that the offset was already removed from the pixels. The contrary proves nothing: a
 * scene of bright soil has a high floor either way.
 */
export function isOffsetRemoved(floorDn: number | undefined): boolean {
  return floorDn !== undefined && floorDn < DARKEST_WITH_OFFSET_DN;
}

/** Share of vegetation and soil pixels that may fall to zero or below before a correction is taken for a mistake. */
const MOST_DARK_FRACTION = 0.02;

/**
 * Whether subtracting the offset would remove it for the second time: more than 2 % of the vegetation and soil pixels
 * would have no reflectance left.
 *
 * @param dns a band as stored, nodata 0
 * @param classes scene classification of the same pixels; 4 is vegetation, 5 bare soil
 */
export function isRemovedTwice(dns: Uint16Array, classes: Uint8Array, offsetDn: OffsetDn): boolean {
  let [land, dark] = [0, 0];
  classes.forEach((value, index) => {
    const dn = dns[index] ?? 0;
    if ((value !== 4 && value !== 5) || dn === 0) return;
    land += 1;
    if (dn + offsetDn <= 0) dark += 1;
  });
  return dark > land * MOST_DARK_FRACTION;
}
