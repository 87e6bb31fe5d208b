import type { BoundaryRecord } from './boundaryRecord.js';

/** The boundary as a GeoJSON Feature (RFC 7946) that map programs open as it is. */
export function boundaryGeoJson(record: BoundaryRecord): string {
  const { insightId, boundary, ...rest } = record;
  const { areaHectares, perimeterMeters, confidence, confidenceClass, scenes, method, modelVersion, searchRegion } =
    rest;
  return JSON.stringify({
    type: 'Feature',
    id: insightId,
    geometry: boundary,
    properties: {
      areaHectares,
      perimeterMeters,
      confidence,
      confidenceClass,
      touchesSearchRegion: rest.touchesSearchRegion,
      scenes,
      method,
      modelVersion,
      searchRegion,
      pointOnSurface: rest.pointOnSurface,
      jobId: rest.jobId,
    },
  });
}
