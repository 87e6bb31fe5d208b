import { isJsonObject } from '../../kit/json/json.js';
import { isSameId } from '../../kit/ids.js';
import { filledList, optionalText, resourceAnswer, textOf, unexpected, type AnswerObject } from './answerParts.js';
import type { MultiPolygon, Point, Polygon, Position, Ring } from '../../geo/shapes/geoJson.js';
import { interiorPointOf } from '../../geo/shapes/interiorPoint.js';
import type { DataManagerField, Farm, Party } from './dataManager.js';

export function partyOf(answer: unknown, partyId: string): Party {
  return { id: textOf(resourceAnswer(answer, partyId), 'id') };
}

export function farmOf(answer: unknown, partyId: string, farmId: string): Farm {
  const farm = resourceAnswer(answer, farmId);
  return { id: textOf(farm, 'id'), partyId: owningParty(farm, partyId) };
}

export function fieldOf(answer: unknown, partyId: string, fieldId: string): DataManagerField {
  const field = resourceAnswer(answer, fieldId);
  const shape = field['geometry'] ?? undefined;
  const geometry = shape === undefined ? undefined : geometryOf(shape);
  return {
    id: textOf(field, 'id'),
    partyId: owningParty(field, partyId),
    ...optionalText(field, 'farmId'),
    ...optionalText(field, 'name'),
    ...(geometry === undefined || geometry.type === 'Point' ? {} : { point: interiorPointOf(geometry) }),
  };
}

function owningParty(resource: AnswerObject, partyId: string): string {
  const owner = textOf(resource, 'partyId');
  if (!isSameId(owner, partyId)) throw unexpected('a resource of another party');
  return owner;
}

function geometryOf(value: unknown): Point | Polygon | MultiPolygon {
  if (!isJsonObject(value)) throw unexpected('geometry is no object');
  const { type, coordinates } = value;
  switch (type) {
    case 'Point':
      return { type, coordinates: positionOf(coordinates) };
    case 'Polygon':
      return { type, coordinates: filledList(coordinates).map(ringOf) };
    case 'MultiPolygon':
      return { type, coordinates: filledList(coordinates).map((polygon) => filledList(polygon).map(ringOf)) };
    default:
      throw unexpected('geometry is no Point, Polygon or MultiPolygon');
  }
}

function ringOf(value: unknown): Ring {
  const ring = filledList(value).map(positionOf);
  const [first] = ring;
  const last = ring.at(-1);
  const isClosed = first?.[0] === last?.[0] && first?.[1] === last?.[1];
  if (ring.length < 4 || !isClosed) throw unexpected('a ring is not closed');
  return ring;
}

/** A third coordinate, the height, is dropped. */
function positionOf(value: unknown): Position {
  const [longitude, latitude] = filledList(value);
  if (typeof longitude !== 'number' || typeof latitude !== 'number') throw unexpected('a position without numbers');
  if (Math.abs(longitude) > 180 || Math.abs(latitude) > 90) throw unexpected('a position off the globe');
  return [longitude, latitude];
}
