import type { Position } from '../shapes/geoJson.js';
import { findUtmZone } from './utmZone.js';

/** A place on a map grid: easting and northing in metres, or longitude and latitude in degrees for EPSG:4326. */
export type MapPoint = readonly [x: number, y: number];

/** Between WGS 84 longitude/latitude and one coordinate reference system. */
export interface Projection {
  readonly toMap: (position: Position) => MapPoint;
  readonly toPosition: (point: MapPoint) => Position;
  /** Map length ÷ ground length at a place; 1 for EPSG:4326, whose unit is no length. */
  readonly scaleAt: (position: Position) => number;
}

const EQUATORIAL_RADIUS_M = 6378137;
const FLATTENING = 1 / 298.257223563;
const CENTRAL_SCALE = 0.9996;
const FALSE_EASTING_M = 500_000;
const FALSE_NORTHING_SOUTH_M = 10_000_000;

const N = FLATTENING / (2 - FLATTENING);
const ECCENTRICITY = Math.sqrt(FLATTENING * (2 - FLATTENING));
/** Radius of the circle as long as the meridian, times the scale on the central meridian. */
const RADIUS_M = ((CENTRAL_SCALE * EQUATORIAL_RADIUS_M) / (1 + N)) * (1 + N ** 2 / 4 + N ** 4 / 64 + N ** 6 / 256);
const RADIANS = Math.PI / 180;

/** One coefficient of a Krüger series: its terms in N to the power `first`, `first` + 1, … */
const coefficient = (first: number, ...terms: readonly number[]): number =>
  terms.reduce((sum, term, index) => sum + term * N ** (first + index), 0);

/**
 * Krüger's series to the sixth order: ellipsoid to map, good to nanometres within the zone.
 *
 * @see Karney (2011), Transverse Mercator with an accuracy of a few nanometers, equations 35 and 36
 */
const FORWARD: readonly number[] = [
  coefficient(1, 1 / 2, -2 / 3, 5 / 16, 41 / 180, -127 / 288, 7891 / 37800),
  coefficient(2, 13 / 48, -3 / 5, 557 / 1440, 281 / 630, -1983433 / 1935360),
  coefficient(3, 61 / 240, -103 / 140, 15061 / 26880, 167603 / 181440),
  coefficient(4, 49561 / 161280, -179 / 168, 6601661 / 7257600),
  coefficient(5, 34729 / 80640, -3418889 / 1995840),
  coefficient(6, 212378941 / 319334400),
];
const INVERSE: readonly number[] = [
  coefficient(1, 1 / 2, -2 / 3, 37 / 96, -1 / 360, -81 / 512, 96199 / 604800),
  coefficient(2, 1 / 48, 1 / 15, -437 / 1440, 46 / 105, -1118711 / 3870720),
  coefficient(3, 17 / 480, -37 / 840, -209 / 4480, 5569 / 90720),
  coefficient(4, 4397 / 161280, -11 / 504, -830251 / 7257600),
  coefficient(5, 4583 / 161280, -108847 / 3991680),
  coefficient(6, 20648693 / 638668800),
];

/** Tangent of the conformal latitude, from the tangent of the geographic latitude (Karney, equations 7 to 9). */
function conformalTangent(tangent: number): number {
  const secant = Math.hypot(1, tangent);
  const sigma = Math.sinh(ECCENTRICITY * Math.atanh((ECCENTRICITY * tangent) / secant));
  return tangent * Math.hypot(1, sigma) - sigma * secant;
}

/** Tangent of the geographic latitude, by Newton's method (Karney, equations 19 to 21); three steps reach 1e-15. */
function geographicTangent(conformal: number): number {
  const oneMinusE2 = 1 - ECCENTRICITY ** 2;
  let tangent = conformal / oneMinusE2;
  for (let step = 0; step < 4; step += 1) {
    const reached = conformalTangent(tangent);
    tangent +=
      ((conformal - reached) / Math.hypot(1, reached)) *
      ((1 + oneMinusE2 * tangent * tangent) / (oneMinusE2 * Math.hypot(1, tangent)));
  }
  return tangent;
}

/** Sum of the series at (xi, eta): north and east parts. */
function seriesAt(terms: readonly number[], xi: number, eta: number): readonly [north: number, east: number] {
  let [north, east] = [0, 0];
  terms.forEach((term, index) => {
    const order = 2 * (index + 1);
    north += term * Math.sin(order * xi) * Math.cosh(order * eta);
    east += term * Math.cos(order * xi) * Math.sinh(order * eta);
  });
  return [north, east];
}

/** Place on the sphere of conformal latitudes, turned so that the central meridian is its equator. */
function turnedSphere([longitude, latitude]: Position, centralMeridian: number) {
  const tangent = Math.tan(latitude * RADIANS);
  const conformal = conformalTangent(tangent);
  const turned = (((longitude - centralMeridian + 540) % 360) - 180) * RADIANS;
  const cosine = Math.cos(turned);
  return {
    tangent,
    cosine,
    conformal,
    xi: Math.atan2(conformal, cosine),
    eta: Math.asinh(Math.sin(turned) / Math.hypot(conformal, cosine)),
  };
}

/** Point scale (Karney, equations 23 to 25, the ellipsoid's part written with the tangents). */
function pointScale(position: Position, centralMeridian: number): number {
  const { tangent, conformal, cosine, xi, eta } = turnedSphere(position, centralMeridian);
  let [p, q] = [1, 0];
  FORWARD.forEach((term, index) => {
    const order = 2 * (index + 1);
    p += order * term * Math.cos(order * xi) * Math.cosh(order * eta);
    q += order * term * Math.sin(order * xi) * Math.sinh(order * eta);
  });
  const parallel = Math.sqrt(1 + (1 - ECCENTRICITY ** 2) * tangent * tangent) / Math.hypot(conformal, cosine);
  return (RADIUS_M / EQUATORIAL_RADIUS_M) * Math.hypot(p, q) * parallel;
}

/**
 * The projection of one UTM zone on WGS 84.
 *
 * Metres east of (central meridian − 500 km) and north of the equator (south zones: + 10,000 km). Within 10° of the
 * central meridian it agrees with PROJ to 1e-8 m. Positions may lie outside the zone: a field that straddles two
 * zones is drawn on one of them.
 *
 * @throws RangeError when `epsg` is no UTM zone on WGS 84 (32601–32660, 32701–32760)
 */
export function utmProjection(epsg: number): Projection {
  const zone = findUtmZone(epsg);
  if (zone === undefined) throw new RangeError(`EPSG:${epsg} is no UTM zone on WGS 84.`);
  const centralMeridian = zone.number * 6 - 183;
  const falseNorthingM = zone.isSouth ? FALSE_NORTHING_SOUTH_M : 0;
  return {
    toMap: (position) => {
      const { xi, eta } = turnedSphere(position, centralMeridian);
      const [north, east] = seriesAt(FORWARD, xi, eta);
      return [FALSE_EASTING_M + RADIUS_M * (eta + east), falseNorthingM + RADIUS_M * (xi + north)];
    },
    toPosition: ([x, y]) => {
      const xi = (y - falseNorthingM) / RADIUS_M;
      const eta = (x - FALSE_EASTING_M) / RADIUS_M;
      const [north, east] = seriesAt(INVERSE, xi, eta);
      const [sinhEta, cosXi] = [Math.sinh(eta - east), Math.cos(xi - north)];
      const latitude = Math.atan(geographicTangent(Math.sin(xi - north) / Math.hypot(sinhEta, cosXi))) / RADIANS;
      const longitude = centralMeridian + Math.atan2(sinhEta, cosXi) / RADIANS;
      return [((longitude + 540) % 360) - 180, latitude];
    },
    scaleAt: (position) => pointScale(position, centralMeridian),
  };
}

const GEOGRAPHIC_EPSG = 4326;
const geographic: Projection = {
  toMap: (position) => position,
  toPosition: (point) => point,
  scaleAt: () => 1,
};

/**
 * The projection of a raster's reference system: EPSG:4326 or a UTM zone on WGS 84.
 *
 * @throws RangeError for any other code
 */
export function projectionOf(epsg: number): Projection {
  return epsg === GEOGRAPHIC_EPSG ? geographic : utmProjection(epsg);
}
