import type { BoundaryFeature, BoundaryRecord } from './boundaryRecord.js';

/** The boundary as a GeoJSON Feature (RFC 7946) that map programs open as it is. */
export const boundaryGeoJson = (record: BoundaryRecord): string => JSON.stringify(boundaryFeature(record));

export function boundaryFeature(record: BoundaryRecord): BoundaryFeature {
  const { insightId, boundary, ...rest } = record;
  const { areaHectares, perimeterMeters, confidence, confidenceClass, scenes, method, modelVersion, searchRegion } =
    rest;
  const { moreDatesMayHelp } = rest;
  return {
    type: 'Feature',
    id: insightId,
    geometry: boundary,
    properties: {
      areaHectares,
      perimeterMeters,
      confidence,
      confidenceClass,
      touchesSearchRegion: rest.touchesSearchRegion,
      ...(moreDatesMayHelp === undefined ? {} : { moreDatesMayHelp }),
      scenes,
      method,
      modelVersion,
      searchRegion,
      pointOnSurface: rest.pointOnSurface,
      jobId: rest.jobId,
    },
  };
}
