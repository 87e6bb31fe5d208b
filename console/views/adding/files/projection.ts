import type { Position } from '../../../../shared/geo/geoJson.js';
import type { PlanePoint } from '../../../../shared/geo/rings.js';
import { ImportFault } from '../../../../shared/farm/files/importFault.js';
import { CONVERSION, mapCodeOf, toDegrees } from '../../../../shared/farm/files/mapProjection.js';
import { FileFault, shownText } from './fileFault.js';

type ToPosition = (point: PlanePoint) => Position;

/**
 * Datums within some two metres of WGS 84, by the names of Esri and of EPSG without marks. From all others a place is
 * moved by up to hundreds of metres, exactly only by a grid, which a page does not have.
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

/** Longitude and latitude of a point, by what a .prj file says of its map. @throws FileFault for maps that are not taken */
export async function positionsBy(prj: string): Promise<ToPosition> {
  try {
    return toDegrees(mapCodeOf(prj));
  } catch (error) {
    if (!(error instanceof ImportFault)) throw error;
  }
  const datum = /\bDATUM\s*\[\s*"([^"]*)"/i.exec(prj)?.[1];
  if (datum === undefined) throw refused(`is no reference system that is known: ${shownText(prj)}`);
  const name = datum
    .toLowerCase()
    .replace(/^d_/, '')
    .replaceAll(/[^a-z0-9]/g, '');
  if (!NEAR_WGS84.some((near) => near.test(name)) && !/\bTOWGS84\s*\[/i.test(prj)) {
    throw refused(`has the datum ${shownText(datum)}, whose distance to WGS 84 only a grid tells exactly`);
  }
  return byLibrary(prj);
}

/** Any projection, by a library that is loaded for it alone. */
async function byLibrary(prj: string): Promise<ToPosition> {
  const { default: proj4 } = await import('proj4');
  try {
    const { inverse } = proj4(prj);
    inverse([0, 0]);
    return ([x, y]) => {
      const [longitude = NaN, latitude = NaN] = inverse([x, y]);
      return [longitude, latitude];
    };
  } catch {
    throw refused(`describes a map that is not known: ${shownText(prj)}`);
  }
}

const refused = (why: string): FileFault => new FileFault(`The .prj file ${why}. Convert the shapefile: ${CONVERSION}`);
