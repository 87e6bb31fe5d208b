import type { Position } from '../../geo/shapes/geoJson.js';
import { utmProjection, type MapPoint } from '../../geo/grid/utm.js';
import { ImportFault } from '../files/importFault.js';
import { wktName, wktNumber, plainWord, readWkt, within, type Wkt } from './wkt.js';

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

/** What converts a shapefile of whatever reference system. */
export const CONVERSION = 'ogr2ogr -t_srs EPSG:4326 converted.shp original.shp';

/**
 * The code of the map that a .prj file describes.
 *
 * @throws ImportFault for any other map, and for a datum that is not within metres of WGS 84
 */
export function mapCodeOf(prj: string): MapCode {
  const code = nearMapOf(prj);
  if (code !== undefined) return code;
  throw otherMap('describes another map than degrees, a UTM zone or Web Mercator', prj);
}

/**
 * As `mapCodeOf`, but undefined for any other map on a datum within metres of WGS 84, or with the way from there.
 *
 * @throws ImportFault for any other datum
 */
export function nearMapOf(prj: string): MapCode | undefined {
  const root = systemIn(readWkt(prj));
  if (root === undefined) throw otherMap('describes no reference system that is known', prj);
  const [code, datum] = [codeOf(root), datumOf(root)];
  if (code !== undefined) return code;
  if (isGeographic(root) && !hasUnit(root, DEGREE)) throw otherMap('has another unit than degrees', prj);
  if (isNear(datum) || (datum !== undefined && within(datum, 'TOWGS84') !== undefined)) return undefined;
  throw otherMap('has a datum whose distance to WGS 84 only a grid tells exactly', wktName(datum));
}

/** What is said of a map that is not taken, with a text of the file. */
export function otherMap(why: string, text: string): ImportFault {
  const shown = text.trim().slice(0, 60).replaceAll(/\p{C}/gu, '?');
  return new ImportFault(`The .prj file ${why}: ${shown}. Convert the shapefile: ${CONVERSION}`);
}

const GEOGRAPHIC = ['GEOGCS', 'GEOGCRS', 'GEODCRS', 'BASEGEOGCRS', 'BASEGEODCRS'];
const PROJECTED = ['PROJCS', 'PROJCRS'];
/** A horizontal system with heights, or with the way to another. */
const AROUND = ['COMPD_CS', 'COMPOUNDCRS', 'BOUNDCRS', 'SOURCECRS'];

const isGeographic = ({ keyword }: Wkt): boolean => GEOGRAPHIC.includes(keyword);

function systemIn(wkt: Wkt | undefined): Wkt | undefined {
  if (wkt === undefined || isGeographic(wkt) || PROJECTED.includes(wkt.keyword)) return wkt;
  return AROUND.includes(wkt.keyword) ? systemIn(within(wkt, ...AROUND, ...GEOGRAPHIC, ...PROJECTED)) : undefined;
}

/**
 * By the EPSG code of the system, else by what is described. Where they contradict each other some programs believe the
 * one and some the other, and the file is nobody's.
 */
function codeOf(root: Wkt): MapCode | undefined {
  if (!hasUnit(root, isGeographic(root) ? DEGREE : METRE)) return undefined;
  const authority = within(root, 'AUTHORITY', 'ID');
  const said = plainWord(wktName(authority)) === 'epsg' ? wktNumber(authority) : NaN;
  const [byCode, described] = [codeOfEpsg(said), describedCode(root)];
  if (byCode === undefined || described === undefined || byCode === described) return byCode ?? described;
  throw otherMap(`says EPSG:${said}, but describes EPSG:${described}`, wktName(root));
}

/** In degrees, on WGS 84, ETRS89, NAD83, GDA94, GDA2020, SIRGAS 2000. */
const DEGREE_CODES = [DEGREES, 4258, 4269, 4283, 7844, 4674];
/** UTM zones on the same datums: the first and last code, the first zone by its code on WGS 84. */
const UTM_CODES = [
  [32_601, 32_660, 32_601],
  [32_701, 32_760, 32_701],
  [25_828, 25_838, 32_628],
  [26_901, 26_923, 32_601],
  [28_348, 28_358, 32_748],
  [7_846, 7_859, 32_746],
  [31_965, 31_976, 32_611],
  [31_977, 31_985, 32_717],
] as const;

function codeOfEpsg(code: number): MapCode | undefined {
  if (code === WEB_MERCATOR) return WEB_MERCATOR;
  if (DEGREE_CODES.includes(code)) return DEGREES;
  const series = UTM_CODES.find(([first, last]) => code >= first && code <= last);
  return series && series[2] + code - series[0];
}

function describedCode(root: Wkt): MapCode | undefined {
  if (!isNear(datumOf(root)) || !isFromGreenwich(root)) return undefined;
  if (isGeographic(root)) return DEGREES;
  const numbers = parametersOf(root);
  const projection = plainWord(wktName(within(within(root, 'CONVERSION') ?? root, 'PROJECTION', 'METHOD')));
  if (projection === 'transversemercator') return utmCodeOf(numbers);
  // Mercator on the ellipsoid is another projection by the same parameters.
  const isWeb = [projection, plainWord(wktName(root))].some((name) => /auxiliarysphere|pseudomercator/.test(name));
  return isWeb && OFFSETS.every((name) => (numbers.get(name) ?? 0) === 0) ? WEB_MERCATOR : undefined;
}

/** Parameters that Web Mercator does not have. */
const OFFSETS = ['falseeasting', 'falsenorthing', 'centralmeridian', 'latitudeoforigin'];

/** What all UTM zones have in common. */
const OF_UTM = [
  ['falseeasting', 500_000],
  ['scalefactor', 0.9996],
  ['latitudeoforigin', 0],
] as const;

function utmCodeOf(numbers: ReadonlyMap<string, number>): MapCode | undefined {
  const zone = ((numbers.get('centralmeridian') ?? NaN) + 183) / 6;
  const northing = numbers.get('falsenorthing') ?? 0;
  const isUtm = OF_UTM.every(([name, value]) => (numbers.get(name) ?? 0) === value);
  const isZone = Number.isInteger(zone) && zone >= 1 && zone <= 60 && [0, 10_000_000].includes(northing);
  return isUtm && isZone ? (northing === 0 ? 32_600 : 32_700) + zone : undefined;
}

/** Names of parameters in WKT 2, by those of WKT 1. */
const SAME_PARAMETERS: Readonly<Record<string, string>> = {
  latitudeofnaturalorigin: 'latitudeoforigin',
  longitudeofnaturalorigin: 'centralmeridian',
  scalefactoratnaturalorigin: 'scalefactor',
};

/** The parameters of a projection by their plain names. */
const parametersOf = (root: Wkt): ReadonlyMap<string, number> =>
  new Map(
    (within(root, 'CONVERSION') ?? root).values.flatMap((value) => {
      if (typeof value === 'string' || value.keyword !== 'PARAMETER') return [];
      const name = plainWord(wktName(value));
      return [[SAME_PARAMETERS[name] ?? name, wktNumber(value)]];
    }),
  );

const geographicOf = (root: Wkt): Wkt | undefined => (isGeographic(root) ? root : within(root, ...GEOGRAPHIC));

function datumOf(root: Wkt): Wkt | undefined {
  const system = geographicOf(root);
  return system && within(system, 'DATUM', 'ENSEMBLE', 'GEODETICDATUM', 'TRF');
}

function isFromGreenwich(root: Wkt): boolean {
  const meridian = within(geographicOf(root) ?? root, 'PRIMEM');
  return meridian === undefined || wktNumber(meridian) === 0;
}

/** In the unit of international units. */
const [DEGREE, METRE] = [Math.PI / 180, 1];

/** Whether a system is in this unit: names of units are many. WKT 2 may say it of each axis alone. */
function hasUnit(system: Wkt, size: number): boolean {
  const units = ['UNIT', 'ANGLEUNIT', 'LENGTHUNIT'];
  const axis = within(system, 'AXIS');
  const unit = within(system, ...units) ?? (axis && within(axis, ...units));
  return Math.abs(wktNumber(unit) / size - 1) < 1e-8;
}

/**
 * Datums within some two metres of WGS 84, by the names of Esri and of EPSG. From all others a place is moved by up to
 * hundreds of metres, exactly only by a grid, which is not here.
 */
const NEAR_WGS84 = [
  /^wgs(19)?84|^worldgeodeticsystem1984/,
  /^nad(19)?83|^northamerican(datum(of)?)?1983/,
  /^etrs(19)?89|^europeanterrestrialreferencesystem(of)?1989/,
  /^gda(1994|94|2020)$|^geocentricdatumofaustralia(1994|2020)/,
  /^nzgd2000$|^newzealandgeodeticdatum2000/,
  /^sirgas2000$|^sistemadereferenciageocentricoparalas?americ?as2000/,
  /^rgf(19)?93|^reseaugeodesiquefrancais1993/,
  /^sweref99$|^hartebeesthoek(19)?94$|^jgd(2000|2011)$|^japanesegeodeticdatum(2000|2011)/,
  /^(geocentricdatumof)?korea(2000)?$|^china(geodeticcoordinatesystem)?2000$|^cgcs2000$/,
];

function isNear(datum: Wkt | undefined): boolean {
  const name = plainWord(wktName(datum).replace(/^D_/i, ''));
  return NEAR_WGS84.some((near) => near.test(name));
}
