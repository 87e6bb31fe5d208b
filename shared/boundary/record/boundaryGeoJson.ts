import type { BoundaryFeature, BoundaryRecord } from './boundaryRecord.js';

/** The boundary as the text of a GeoJSON Feature (RFC 7946) that map programs open. */
export const boundaryGeoJson = (record: BoundaryRecord): string => JSON.stringify(boundaryFeature(record));

/** The boundary as a GeoJSON Feature (RFC 7946). */
export function boundaryFeature(record: BoundaryRecord): BoundaryFeature {
  const { moreDatesMayHelp } = record;
  return {
    type: 'Feature',
    id: record.insightId,
    geometry: record.boundary,
    properties: {
      areaHectares: record.areaHectares,
      perimeterMeters: record.perimeterMeters,
      confidence: record.confidence,
      confidenceClass: record.confidenceClass,
      touchesSearchRegion: record.touchesSearchRegion,
      ...(moreDatesMayHelp === undefined ? {} : { moreDatesMayHelp }),
      scenes: record.scenes,
      method: record.method,
      modelVersion: record.modelVersion,
      searchRegion: record.searchRegion,
      pointOnSurface: record.pointOnSurface,
      jobId: record.jobId,
    },
  };
}
