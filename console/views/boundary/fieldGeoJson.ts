import type { Polygon } from '../../../shared/geo/geoJson.js';

/** A field as a file that Add fields and any map program reads. */
export const geoJsonOf = (fieldId: string, geometry: Polygon): string =>
  JSON.stringify({
    type: 'FeatureCollection',
    features: [{ type: 'Feature', properties: { field_id: fieldId }, geometry }],
  });
