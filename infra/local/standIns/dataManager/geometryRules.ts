import { isJsonObject } from '../http/exchange.js';
import { invalid } from './wire.js';

/** Refuses what is no Point, Polygon or MultiPolygon in longitude and latitude (RFC 7946). */
export function checkGeometry(geometry: unknown): void {
  if (!isJsonObject(geometry)) throw invalid('geometry must be an object.');
  const { type, coordinates } = geometry;
  switch (type) {
    case 'Point':
      checkPosition(coordinates);
      break;
    case 'Polygon':
      checkPolygon(coordinates);
      break;
    case 'MultiPolygon':
      listOf(coordinates, 'A MultiPolygon').forEach(checkPolygon);
      break;
    default:
      throw invalid('geometry must be a Point, a Polygon or a MultiPolygon.');
  }
}

function checkPolygon(coordinates: unknown): void {
  for (const ring of listOf(coordinates, 'A Polygon')) {
    const positions = listOf(ring, 'A ring');
    positions.forEach(checkPosition);
    if (positions.length < 4 || JSON.stringify(positions[0]) !== JSON.stringify(positions.at(-1))) {
      throw invalid('A ring has at least four positions and ends where it begins.');
    }
  }
}

function checkPosition(position: unknown): void {
  const [longitude, latitude] = listOf(position, 'A position');
  if (!isWithin(longitude, 180) || !isWithin(latitude, 90)) {
    throw invalid('A position is [longitude, latitude] in degrees, within ±180 and ±90.');
  }
}

function isWithin(value: unknown, limit: number): boolean {
  return typeof value === 'number' && Math.abs(value) <= limit;
}

function listOf(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value) || value.length === 0) throw invalid(`${what} must be a list that is not empty.`);
  return value;
}
