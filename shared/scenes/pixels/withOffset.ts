import type { Pixels } from '../../raster/tiff/pixels.js';
import { correctedDn, type OffsetDn } from '../layers/reflectance.js';

/** Digital numbers of one scene as if they carried the offset of another. @param to 0: as reflectance × 10000 */
export function withOffset(pixels: Pixels, from: OffsetDn, to: OffsetDn): Pixels {
  if (from === to) return pixels;
  const data = Uint16Array.from(pixels.data, (dn) => (dn === 0 ? 0 : correctedDn(dn, from) - to));
  return { ...pixels, data };
}
