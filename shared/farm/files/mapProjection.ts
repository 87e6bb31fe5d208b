import type { Position } from '../../geo/geoJson.js';
import { utmProjection, type MapPoint } from '../../raster/utm.js';
import { ImportFault } from './importFault.js';

/** A coordinate reference system that is read: degrees, Web Mercator, or a UTM zone, each on WGS 84; by its EPSG code. */
export type MapCode = number;

const DEGREES = 4326;
const WEB_MERCATOR = 3857;
const EARTH_RADIUS_M = 6378137;
const DEGREES_PER_RADIAN = 180 / Math.PI;

/** Longitude and latitude of a point of the map. */
export function toDegrees(code: MapCode): (point: MapPoint) => Position {
  if (code === DEGREES) return ([x, y]) => [x, y];
  if (code !== WEB_MERCATOR) return utmProjection(code).toPosition;
  return ([x, y]) => [
    (x / EARTH_RADIUS_M) * DEGREES_PER_RADIAN,
    Math.atan(Math.sinh(y / EARTH_RADIUS_M)) * DEGREES_PER_RADIAN,
  ];
}

/** A keyword of well-known text with what stands in its brackets. */
interface Wkt {
  readonly keyword: string;
  readonly values: readonly (Wkt | string)[];
}

/** Deeper than any real one. */
const MOST_LEVELS = 8;

/**
 * The code of the reference system that a .prj file describes, in the well-known text of OGC 01-009 or of Esri.
 *
 * @throws ImportFault for any other system
 */
export function mapCodeOf(prj: string): MapCode {
  const root = new WktReader(prj).read();
  const code = root === undefined || !isOnWgs84(root) ? undefined : codeOf(root);
  if (code !== undefined) return code;
  const shown = prj.trim().slice(0, 60).replaceAll(/\p{C}/gu, '?');
  throw new ImportFault(
    `The .prj file describes another reference system than WGS 84 in degrees, a UTM zone on it or Web Mercator: ${shown}. Convert the file: ${CONVERSION}`,
  );
}

/** What converts a shapefile of whatever reference system. */
export const CONVERSION = 'ogr2ogr -t_srs EPSG:4326 converted.shp original.shp';

function codeOf(root: Wkt): MapCode | undefined {
  if (root.keyword === 'GEOGCS') return unitOf(root) === undefined ? DEGREES : undefined;
  if (root.keyword !== 'PROJCS') return undefined;
  const projection = textOf(find(root, 'PROJECTION')).toLowerCase();
  if (projection === 'transverse_mercator') return utmCodeOf(root);
  // Mercator on the ellipsoid is another projection by the same parameters.
  const isWeb = projection === 'mercator_auxiliary_sphere' || /pseudo.mercator/i.test(textOf(root));
  return isWeb && inMetres(root) ? WEB_MERCATOR : undefined;
}

function utmCodeOf(root: Wkt): MapCode | undefined {
  const zone = (parameter(root, 'central_meridian') + 183) / 6;
  const northing = parameter(root, 'false_northing');
  const isUtm =
    parameter(root, 'false_easting') === 500_000 &&
    parameter(root, 'scale_factor') === 0.9996 &&
    parameter(root, 'latitude_of_origin') === 0 &&
    inMetres(root);
  const isZone = Number.isInteger(zone) && zone >= 1 && zone <= 60 && [0, 10_000_000].includes(northing);
  return isUtm && isZone ? (northing === 0 ? 32_600 : 32_700) + zone : undefined;
}

const isOnWgs84 = (root: Wkt): boolean => {
  const system = root.keyword === 'GEOGCS' ? root : find(root, 'GEOGCS');
  return /^(D_)?WGS_?(19)?84$/i.test(textOf(system === undefined ? undefined : find(system, 'DATUM')));
};

/** Undefined for degrees. */
function unitOf(system: Wkt): string | undefined {
  const unit = textOf(find(system, 'UNIT'));
  return /^degree/i.test(unit) ? undefined : unit;
}

const inMetres = (root: Wkt): boolean => {
  const unit = find(root, 'UNIT');
  return unit !== undefined && /^met(re|er)$/i.test(textOf(unit)) && Number(unit.values[1]) === 1;
};

const parameter = (root: Wkt, name: string): number => {
  const found = root.values.find(
    (value) => typeof value !== 'string' && value.keyword === 'PARAMETER' && textOf(value).toLowerCase() === name,
  );
  return typeof found === 'object' ? Number(found.values[1]) : NaN;
};

const find = ({ values }: Wkt, keyword: string): Wkt | undefined =>
  values.find((value): value is Wkt => typeof value !== 'string' && value.keyword === keyword);

const textOf = (wkt: Wkt | undefined): string => {
  const first = wkt?.values[0];
  return typeof first === 'string' ? first.replaceAll(' ', '_') : '';
};

class WktReader {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(text: string) {
    this.#tokens = text.match(/"[^"]*"|[[\](),]|[^\s[\](),"]+/g) ?? [];
  }

  /** Undefined for a text that is no well-known text. */
  read(level = 0): Wkt | undefined {
    const keyword = this.#next().toUpperCase();
    if (!/^[A-Z0-9_]+$/.test(keyword) || level > MOST_LEVELS || !'[('.includes(this.#next())) return undefined;
    const values: (Wkt | string)[] = [];
    for (let more = true; more; more = this.#next() === ',') {
      const isNested = '[('.includes(this.#tokens[this.#at + 1] ?? ' ');
      const value = isNested ? this.read(level + 1) : this.#next().replaceAll('"', '');
      if (value === undefined) return undefined;
      values.push(value);
    }
    return { keyword, values };
  }

  #next(): string {
    const token = this.#tokens[this.#at] ?? ' ';
    this.#at += 1;
    return token;
  }
}
