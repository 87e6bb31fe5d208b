import { soundGeometry } from '../geo/soundShape.js';
import type { Extent, Geometry } from './land.js';
import { invalidRequest } from './resourceRules.js';

/** The geometry of a field with what it spans, as it was sent. @throws ServiceError 400 for one that is not sound */
export function fieldGeometry(value: unknown): { readonly geometry: Geometry; readonly extent: Extent } {
  const sound = soundGeometry(value);
  if (typeof sound === 'string') throw invalidRequest(`geometry: ${sound}`);
  const { geometry, box, areaHa } = sound;
  return { geometry, extent: { box, areaHa } };
}
