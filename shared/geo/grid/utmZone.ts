import type { Position } from '../shapes/geoJson.js';

/** One zone of the Universal Transverse Mercator grid on WGS 84. */
export interface UtmZone {
  /** 1 to 60, counted eastward from 180° W. */
  readonly number: number;
  readonly isSouth: boolean;
}

const NORTH = 32600;
const SOUTH = 32700;

/** Zones that are wider than 6°: south-west Norway, then Svalbard (whose band reaches to 84° N). */
const WIDENED = [
  { number: 32, west: 3, south: 56, east: 12, north: 64 },
  { number: 31, west: 0, south: 72, east: 9, north: 84 },
  { number: 33, west: 9, south: 72, east: 21, north: 84 },
  { number: 35, west: 21, south: 72, east: 33, north: 84 },
  { number: 37, west: 33, south: 72, east: 42, north: 84 },
] as const;

/** EPSG code of a zone on WGS 84: 32601–32660 north of the equator, 32701–32760 south. */
export function utmEpsg({ number, isSouth }: UtmZone): number {
  return (isSouth ? SOUTH : NORTH) + number;
}

/** The zone of an EPSG code, or undefined when the code is no UTM zone on WGS 84. */
export function findUtmZone(epsg: number): UtmZone | undefined {
  const isSouth = epsg > SOUTH;
  const number = epsg - (isSouth ? SOUTH : NORTH);
  return Number.isInteger(number) && number >= 1 && number <= 60 ? { number, isSouth } : undefined;
}

/**
 * EPSG code of the zone a place belongs to, with the widened zones of south-west Norway (32V) and Svalbard (31X–37X).
 *
 * The equator counts as north. Longitude 180° belongs to zone 1, as −180° does.
 *
 * @see NGA.STND.0037, Universal Grids and Grid Reference Systems, section 3
 */
export function utmEpsgAt([longitude, latitude]: Position): number {
  return utmEpsg({ number: zoneNumberAt(longitude, latitude), isSouth: latitude < 0 });
}

function zoneNumberAt(longitude: number, latitude: number): number {
  const widened = WIDENED.find(
    ({ west, south, east, north }) => longitude >= west && longitude < east && latitude >= south && latitude < north,
  );
  return widened?.number ?? (Math.floor((longitude + 180) / 6) % 60) + 1;
}
