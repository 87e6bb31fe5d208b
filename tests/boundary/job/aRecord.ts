import type { Position } from '../../../shared/geo/shapes/geoJson.js';
import type { BoundaryRecord } from '../../../shared/boundary/record/boundaryRecord.js';
import { searchRegion } from '../../../shared/boundary/stack/searchRegion.js';

export const point: Position = [-92.972469, 41.518232];
export const pictureGrid = searchRegion(point, 0).grid;

const square = (halfDegrees: number): BoundaryRecord['boundary'] => {
  const [west, east] = [point[0] - halfDegrees, point[0] + halfDegrees];
  const [south, north] = [point[1] - halfDegrees, point[1] + halfDegrees];
  return {
    type: 'Polygon',
    coordinates: [
      [
        [west, south],
        [east, south],
        [east, north],
        [west, north],
        [west, south],
      ],
    ],
  };
};

/** A record with sane values. */
export const aRecord = (changes: Partial<BoundaryRecord> = {}): BoundaryRecord => ({
  insightId: '0c5d8a1e-7b1f-5e0a-9f55-5a0b8b1d3c77',
  kind: 'SMART_BOUNDARY',
  jobId: 'north-field',
  partyId: 'p',
  resourceType: 'FARM',
  resourceId: 'f',
  pointOnSurface: { longitude: point[0], latitude: point[1] },
  imageStartDate: '2026-06-01',
  imageEndDate: '2026-06-12',
  boundary: square(0.004),
  areaHectares: 61.2,
  perimeterMeters: 3129.4,
  confidence: 0.87,
  confidenceClass: 'high',
  touchesSearchRegion: false,
  moreDatesMayHelp: false,
  alternatives: [{ boundary: square(0.002), areaHectares: 15.3, confidence: 0.5, reading: 'part' }],
  scenes: [
    { date: '2026-06-03', sceneIds: ['a'], isUsed: false, clearFraction: 0.1, reason: 'clouds lie over the point' },
    { date: '2026-06-08', sceneIds: ['b'], isUsed: true, clearFraction: 1 },
  ],
  searchRegion: { fieldId: 'search', sideMeters: 2560, bbox: [-92.99, 41.5, -92.95, 41.53] },
  method: 'network',
  modelVersion: '1.1.0',
  asOf: '2026-06-20T12:00:00.000Z',
  ...changes,
});
