import { describe, expect, test } from '@jest/globals';
import { mapCodeOf, toDegrees } from '../../../shared/farm/shapefile/mapProjection.js';
import { utmProjection } from '../../../shared/geo/grid/utm.js';
import { utmText, WGS84 } from '../shapefiles.js';

const mercator = `PROJCS["WGS_1984_Web_Mercator_Auxiliary_Sphere",${WGS84},PROJECTION["Mercator_Auxiliary_Sphere"],PARAMETER["Central_Meridian",0.0],UNIT["Meter",1.0]]`;
const gdal = utmText(33)
  .replace('D_WGS_1984', 'WGS_1984')
  .replace('"Meter",1.0', '"metre", 1, AUTHORITY["EPSG","9001"]');
// As GeoTools writes it, and GeoServer with each shapefile.
const GEOTOOLS = `GEOGCS["WGS 84",
  DATUM["World Geodetic System 1984",
    SPHEROID["WGS 84", 6378137.0, 298.257223563, AUTHORITY["EPSG","7030"]],
    AUTHORITY["EPSG","6326"]],
  PRIMEM["Greenwich", 0.0, AUTHORITY["EPSG","8901"]],
  UNIT["degree", 0.017453292519943295],
  AXIS["Geodetic longitude", EAST],
  AXIS["Geodetic latitude", NORTH]`;
const geoToolsUtm = `PROJCS["WGS 84 / UTM zone 32N", ${GEOTOOLS}, AUTHORITY["EPSG","4326"]],
  PROJECTION["Transverse_Mercator", AUTHORITY["EPSG","9807"]],
  PARAMETER["central_meridian", 9.0], PARAMETER["latitude_of_origin", 0.0], PARAMETER["scale_factor", 0.9996],
  PARAMETER["false_easting", 500000.0], PARAMETER["false_northing", 0.0],
  UNIT["m", 1.0], AXIS["Easting", EAST], AXIS["Northing", NORTH], AUTHORITY["EPSG","32632"]]`;
const oldMercator = `PROJCS["WGS 84 / Pseudo-Mercator",${WGS84},PROJECTION["Mercator_1SP"],PARAMETER["central_meridian",0],PARAMETER["scale_factor",1],UNIT["metre",1],AUTHORITY["EPSG","3857"]]`;
// ISO 19162, as PROJ writes EPSG:25832, shortened.
const wkt2 = `PROJCRS["ETRS89 / UTM zone 32N",BASEGEOGCRS["ETRS89",ENSEMBLE["European Terrestrial Reference System 1989 ensemble",
  MEMBER["European Terrestrial Reference Frame 1989"],ELLIPSOID["GRS 1980",6378137,298.257222101,LENGTHUNIT["metre",1]],ENSEMBLEACCURACY[0.1]],
  PRIMEM["Greenwich",0,ANGLEUNIT["degree",0.0174532925199433]]],
  CONVERSION["UTM zone 32N",METHOD["Transverse Mercator",ID["EPSG",9807]],
    PARAMETER["Latitude of natural origin",0,ANGLEUNIT["degree",0.0174532925199433]],
    PARAMETER["Longitude of natural origin",9,ANGLEUNIT["degree",0.0174532925199433]],
    PARAMETER["Scale factor at natural origin",0.9996,SCALEUNIT["unity",1]],
    PARAMETER["False easting",500000,LENGTHUNIT["metre",1]],PARAMETER["False northing",0,LENGTHUNIT["metre",1]]],
  CS[Cartesian,2],AXIS["northing (N)",north,ORDER[1],LENGTHUNIT["metre",1]],AXIS["easting (E)",east,ORDER[2],LENGTHUNIT["metre",1]]]`;
const wkt2Degrees =
  'GEOGCRS["WGS 84",DATUM["World Geodetic System 1984",ELLIPSOID["WGS 84",6378137,298.257223563]],CS[ellipsoidal,2],AXIS["latitude",north],AXIS["longitude",east],ANGLEUNIT["degree",0.0174532925199433],ID["EPSG",4326]]';
const onDatum = (text: string, datum: string): string => text.replace('D_WGS_1984', datum);

describe('the reference system of a .prj file', () => {
  test.each([
    { why: 'degrees', text: WGS84, code: 4326 },
    { why: 'degrees as GeoTools writes them', text: `${GEOTOOLS}, AUTHORITY["EPSG","4326"]]`, code: 4326 },
    { why: 'degrees by their size, under a name of their own', text: WGS84.replace('Degree', 'Grad'), code: 4326 },
    { why: 'degrees behind a mark of the order of bytes', text: `\uFEFF${WGS84}`, code: 4326 },
    { why: 'degrees in WKT 2', text: wkt2Degrees, code: 4326 },
    { why: 'UTM north', text: utmText(32), code: 32632 },
    { why: 'UTM south', text: utmText(60, 10_000_000), code: 32760 },
    { why: 'UTM as OGC writes it', text: gdal, code: 32633 },
    { why: 'UTM as GeoTools writes it', text: geoToolsUtm, code: 32632 },
    { why: 'UTM in WKT 2, on ETRS89', text: wkt2, code: 32632 },
    { why: 'UTM with heights', text: `COMPD_CS["both",${utmText(32)},VERT_CS["EGM96"]]`, code: 32632 },
    { why: 'UTM by its code, under names that are not known', text: unknownNames('32632'), code: 32632 },
    { why: 'UTM on ETRS89 by its code', text: unknownNames('25833'), code: 32633 },
    { why: 'UTM south on GDA94 by its code', text: unknownNames('28355'), code: 32755 },
    { why: 'Web Mercator', text: mercator, code: 3857 },
    { why: 'Web Mercator, which is another Mercator but for its code', text: oldMercator, code: 3857 },
  ])('is understood: $why', ({ text, code }) => {
    expect(mapCodeOf(text)).toBe(code);
  });

  test.each([
    { datum: 'D_ETRS_1989' },
    { datum: 'European_Terrestrial_Reference_System_1989' },
    { datum: 'D_North_American_1983' },
    { datum: 'North_American_Datum_1983' },
    { datum: 'GDA2020' },
    { datum: 'D_SIRGAS_2000' },
    { datum: 'Reseau_Geodesique_Francais_1993' },
  ])('of the datum $datum, within metres of WGS 84, is that of WGS 84', ({ datum }) => {
    expect([mapCodeOf(onDatum(WGS84, datum)), mapCodeOf(onDatum(utmText(32), datum))]).toEqual([4326, 32632]);
  });

  test.each([
    { why: 'another datum', text: onDatum(WGS84, 'D_OSGB_1936'), said: 'a grid tells exactly: D_OSGB_1936' },
    { why: 'a zone on another datum', text: onDatum(utmText(32), 'D_European_1950'), said: 'D_European_1950' },
    { why: 'a datum that moves', text: onDatum(WGS84, 'D_North_American_1927') },
    { why: 'grads', text: WGS84.replace('0.0174532925199433', '0.0157079632679489') },
    { why: 'degrees from Paris', text: WGS84.replace('"Greenwich",0.0', '"Paris",2.337229') },
    { why: 'feet', text: utmText(32).replace('"Meter",1.0', '"Foot_US",0.3048006096') },
    { why: 'feet under a code of metres', text: unknownNames('32632').replace('"m",1', '"ft",0.3048') },
    { why: 'another meridian', text: utmText(32).replace('9.0]', '9.5]') },
    { why: 'another projection', text: utmText(32).replace('Transverse_Mercator', 'Lambert_Conformal_Conic') },
    { why: 'another Mercator', text: oldMercator.replace(',AUTHORITY["EPSG","3857"]', '').replace('Pseudo', 'True') },
    { why: 'Web Mercator around another meridian', text: mercator.replace('Meridian",0.0', 'Meridian",11.0') },
    {
      why: 'a code that its numbers contradict',
      text: geoToolsUtm.replace('"32632"', '"32633"'),
      said: 'says EPSG:32633, but describes EPSG:32632',
    },
    { why: 'no system of the earth', text: 'LOCAL_CS["x"]' },
    { why: 'nothing', text: '' },
    { why: 'brackets without an end', text: 'GEOGCS['.repeat(10_000) },
    { why: 'no text at all', text: '\u0000\uffff' },
  ])('is refused: $why', ({ text, said = 'The .prj file' }) => {
    expect(() => mapCodeOf(text)).toThrow(said);
    expect(() => mapCodeOf(text)).toThrow('ogr2ogr -t_srs EPSG:4326');
  });

  test('gives positions of UTM and of Web Mercator back', () => {
    const [x, y] = utmProjection(32632).toMap([9.3, 55.1]);
    const [longitude, latitude] = toDegrees(32632)([x, y]);
    expect([longitude, latitude].map((value) => value.toFixed(9))).toEqual(['9.300000000', '55.100000000']);
    // EPSG Guidance Note 7-2 has the formula; the point is that of 100.333… W, 24.381… N there.
    const [west, north] = toDegrees(3857)([-11169055.58, 2800000.0]);
    expect([west.toFixed(6), north.toFixed(6)]).toEqual(['-100.333333', '24.381787']);
  });
});

/** A map whose words are nobody's, but for its code. */
function unknownNames(code: string): string {
  return `PROJCS["Karte",GEOGCS["G",DATUM["Datum 89",SPHEROID["E",6378137,298.257]],UNIT["Grad",0.0174532925199433]],PROJECTION["Querachsig"],UNIT["m",1],AUTHORITY["EPSG","${code}"]]`;
}
