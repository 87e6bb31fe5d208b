import type { Authorship, Land } from '../land/land.js';
import { jsonOfShape } from '../land/packedShape.js';
import type { WireObject } from './resourceRules.js';
import { joinedJson } from '../../kit/json/json.js';
import { wireTime } from './wireTime.js';

/** A party, farm or field as callers see it, without its geometry. No member is ever null. */
export function landView({ kind, partyId, farmId, ...land }: Land): WireObject {
  return {
    ...(kind === 'party' ? {} : { partyId }),
    ...(farmId === undefined ? {} : { farmId }),
    ...commonView(land),
  };
}

/** The same as JSON, with its geometry. */
export async function landJson({ packed, ...land }: Land): Promise<Uint8Array> {
  const json = JSON.stringify(landView(land));
  return joinedJson(
    packed === undefined ? [json] : [json.slice(0, -1), ',"geometry":', await jsonOfShape(packed), '}'],
  );
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

/** What a caller wrote of a resource beside its geometry: the target of a merge patch. */
export function writtenPart({ name, description, status, source, properties, farmId }: Land): WireObject {
  const members = Object.entries({ name, description, status, source, properties, farmId });
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}
