import type { MultiPolygon, Polygon, Ring } from './geoJson.js';
import { signedArea } from './rings.js';

/**
 * An area as GeoJSON goes out: outer rings counter-clockwise, holes clockwise, each begun where it was. What is stored stays as
 * it was sent, and so do its hash and the pixels within.
 *
 * @see RFC 7946, section 3.1.6
 */
export const rightHanded = (geometry: Polygon | MultiPolygon): Polygon | MultiPolygon =>
  geometry.type === 'Polygon'
    ? { type: 'Polygon', coordinates: turned(geometry.coordinates) }
    : { type: 'MultiPolygon', coordinates: geometry.coordinates.map(turned) };

const turned = (rings: readonly Ring[]): readonly Ring[] =>
  rings.map((ring, index) => {
    const area = signedArea(ring);
    return area > 0 === (index === 0) || area === 0 ? ring : ring.toReversed();
  });
