import type { ListedField } from '../../api/fields.js';

/** The fields for any map program. */
export const fieldsGeoJson = (fields: readonly ListedField[]): string =>
  JSON.stringify({
    type: 'FeatureCollection',
    features: fields.map(({ field_id: id, group, geometry, area_ha: areaHa }) => ({
      type: 'Feature',
      properties: { field_id: id, group, area_ha: areaHa },
      geometry,
    })),
  });
