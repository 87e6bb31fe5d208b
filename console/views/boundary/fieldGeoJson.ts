import type { Polygon } from '../../../shared/geo/shapes/geoJson.js';
import { rightHanded } from '../../../shared/geo/shapes/rightHanded.js';

/** A field as a file that Add fields and any map program reads. */
export const geoJsonOf = (fieldId: string, geometry: Polygon): string =>
  JSON.stringify({
    type: 'FeatureCollection',
    features: [{ type: 'Feature', properties: { field_id: fieldId }, geometry: rightHanded(geometry) }],
  });
