import type { Polygon } from '../../../shared/geo/geoJson.js';

/** A field as a file that Add fields and any map program reads. */
export const geoJsonOf = (fieldId: string, geometry: Polygon): string =>
  JSON.stringify({
    type: 'FeatureCollection',
    features: [{ type: 'Feature', properties: { field_id: fieldId }, geometry }],
  });

/** Saves a text as a file. */
export function saveText(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The download has its own hold on the bytes by now.
  URL.revokeObjectURL(address);
}
