import type { MultiPolygon, Point, Polygon, Position, Ring } from '../geo/geoJson.js';
import { DataManagerError, type Farm, type Field, type Party } from './dataManager.js';

/** A JSON object of the data manager, before anything in it is believed. */
type Answer = Readonly<Record<string, unknown>>;

/**
 * The answer as an object that speaks of the resource we asked for. Ids are compared without case.
 *
 * @throws DataManagerError `unavailable` for anything else: no caller can mend it
 */
export function resourceAnswer(answer: unknown, id: string): Answer {
  if (!isObject(answer)) throw unexpected('no object');
  if (textOf(answer, 'id').toLowerCase() !== id.toLowerCase()) throw unexpected('another id than asked for');
  return answer;
}

export function partyOf(answer: unknown, partyId: string): Party {
  return { id: textOf(resourceAnswer(answer, partyId), 'id') };
}

export function farmOf(answer: unknown, partyId: string, farmId: string): Farm {
  const farm = resourceAnswer(answer, farmId);
  return { id: textOf(farm, 'id'), partyId: owningParty(farm, partyId) };
}

export function fieldOf(answer: unknown, partyId: string, fieldId: string): Field {
  const field = resourceAnswer(answer, fieldId);
  const geometry = field['geometry'] ?? undefined;
  return {
    id: textOf(field, 'id'),
    partyId: owningParty(field, partyId),
    ...optionalText(field, 'farmId'),
    ...optionalText(field, 'name'),
    ...(geometry === undefined ? {} : { geometry: geometryOf(geometry) }),
  };
}

/** The names of an insight's measurements. */
export function measurementNames(answer: unknown, insightId: string): readonly string[] {
  const measurements = resourceAnswer(answer, insightId)['measurements'] ?? {};
  if (!isObject(measurements)) throw unexpected('measurements are no object');
  return Object.keys(measurements);
}

function owningParty(resource: Answer, partyId: string): string {
  const owner = textOf(resource, 'partyId');
  if (owner.toLowerCase() !== partyId.toLowerCase()) throw unexpected('a resource of another party');
  return owner;
}

function geometryOf(value: unknown): Point | Polygon | MultiPolygon {
  if (!isObject(value)) throw unexpected('geometry is no object');
  const { type, coordinates } = value;
  switch (type) {
    case 'Point':
      return { type, coordinates: positionOf(coordinates) };
    case 'Polygon':
      return { type, coordinates: listOf(coordinates).map(ringOf) };
    case 'MultiPolygon':
      return { type, coordinates: listOf(coordinates).map((polygon) => listOf(polygon).map(ringOf)) };
    default:
      throw unexpected('geometry is no Point, Polygon or MultiPolygon');
  }
}

function ringOf(value: unknown): Ring {
  const ring = listOf(value).map(positionOf);
  const [first] = ring;
  const last = ring.at(-1);
  const isClosed = first?.[0] === last?.[0] && first?.[1] === last?.[1];
  if (ring.length < 4 || !isClosed) throw unexpected('a ring is not closed');
  return ring;
}

/** A third coordinate, the height, is dropped. */
function positionOf(value: unknown): Position {
  const [longitude, latitude] = listOf(value);
  if (typeof longitude !== 'number' || typeof latitude !== 'number') throw unexpected('a position without numbers');
  if (Math.abs(longitude) > 180 || Math.abs(latitude) > 90) throw unexpected('a position off the globe');
  return [longitude, latitude];
}

function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value) || value.length === 0) throw unexpected('geometry without coordinates');
  return value;
}

function textOf(answer: Answer, name: string): string {
  const value = answer[name];
  if (typeof value !== 'string') throw unexpected(`${name} is no text`);
  return value;
}

function optionalText(answer: Answer, name: 'farmId' | 'name'): Partial<Record<typeof name, string>> {
  return (answer[name] ?? undefined) === undefined ? {} : { [name]: textOf(answer, name) };
}

function isObject(value: unknown): value is Answer {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unexpected(what: string): DataManagerError {
  return new DataManagerError('unavailable', `The data manager answered in an unexpected shape: ${what}.`, {
    status: 200,
  });
}
