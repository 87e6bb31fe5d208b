import type { Polygon } from '../../../shared/geo/shapes/geoJson.js';
import type { FieldFinding } from '../../../shared/boundary/job/findField.js';

/** Where the field of a finding lies. */
export const square: Polygon = {
  type: 'Polygon',
  coordinates: [
    [
      [-92.98, 41.51],
      [-92.96, 41.51],
      [-92.96, 41.53],
      [-92.98, 41.53],
      [-92.98, 41.51],
    ],
  ],
};
/** The one day of a finding. */
const date = { date: '2026-06-08', sceneIds: ['s'], clearFraction: 1, isUsed: true };
/** A finding without pixels, for what does not depend on them. */
export const found = (changes: Partial<FieldFinding> = {}): FieldFinding => ({
  answer: {
    outcome: 'field',
    polygon: square,
    areaHectares: 370,
    perimeterMeters: 7780,
    confidence: 0.8,
    confidenceClass: 'high',
    touchesWindow: false,
    alternatives: [],
    moreDatesMayHelp: false,
    dates: [date],
    method: 'network',
    modelVersion: 'test',
  },
  passed: [],
  mayGrow: false,
  picture: undefined,
  ...changes,
});

/** A finding that names no field. */
export const refused = (reason: 'no-clear-date' | 'not-farmland' | 'no-field'): FieldFinding => ({
  ...found(),
  answer: {
    outcome: 'refused',
    reason,
    confidence: 0.2,
    touchesWindow: false,
    dates: [date],
    method: 'network',
    modelVersion: 'test',
  },
});

/** Options of a world in which the search for a field finds this. */
export const finds = (finding: FieldFinding = found()) => ({ findField: () => Promise.resolve(finding) });
