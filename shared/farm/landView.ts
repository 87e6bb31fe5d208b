import type { Authorship, Land } from './land.js';
import type { WireObject } from './resourceRules.js';
import { joinedJson } from '../json.js';
import { wireTime } from './wireTime.js';

/** A party, farm or field as callers see it. No member is ever null; the geometry begins with its type. */
export function landView({ kind, partyId, farmId, geometry, ...land }: Land): WireObject {
  return {
    ...(kind === 'party' ? {} : { partyId }),
    ...(farmId === undefined ? {} : { farmId }),
    ...commonView(land),
    ...(geometry === undefined ? {} : { geometry: { type: geometry.type, coordinates: geometry.coordinates } }),
  };
}

/** The same as JSON, its geometry as it lies there. */
export function landJson({ geometryJson, ...land }: Land): Uint8Array {
  const json = JSON.stringify(landView(land));
  return joinedJson(geometryJson === undefined ? [json] : [json.slice(0, -1), ',"geometry":', geometryJson, '}']);
}

type Common = Pick<Land, 'id' | 'eTag' | 'name' | 'description' | 'status' | 'source' | 'properties'> & Authorship;

/** What every kind of resource shows. */
export function commonView(resource: Common): WireObject {
  const { id, eTag, name, description, status, source, properties } = resource;
  const texts = Object.entries({ name, description, status, source, properties }).filter(
    ([, value]) => value !== undefined,
  );
  return {
    id,
    eTag,
    ...Object.fromEntries(texts),
    createdDateTime: wireTime(resource.createdAt),
    createdBy: resource.createdBy,
    modifiedDateTime: wireTime(resource.modifiedAt),
    modifiedBy: resource.modifiedBy,
  };
}

/** What a caller wrote of a resource: the target of a merge patch. */
export function writtenPart({ name, description, status, source, properties, farmId, geometry }: Land): WireObject {
  const members = Object.entries({ name, description, status, source, properties, farmId, geometry });
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}
