import { kmlGen } from '@tmcw/togeojson';
import { DOMParser } from '@xmldom/xmldom';
import type { Polygon } from '../../../../shared/geo/geoJson.js';
import { fieldGatherer, tooManyPositions, type ConvertedFile, type FieldFeature } from './fieldCollection.js';
import { FileFault, shownText } from './fileFault.js';

const MB = 1024 * 1024;
const MOST_MB = 50;
/** Of elements: each takes some hundred bytes as long as the file is read. */
const MOST_TAGS = 1_000_000;
/** Real ones have some ten; deeper ones would only take time. */
const MOST_LEVELS = 200;
/** A corner has one comma, or two where it has a height; texts have some. */
const MOST_COMMAS = 3_000_000;
/** Longer ones are no names. */
const MOST_TEXT = 500;
/** How a placemark is drawn, and what is said of it, is nothing of the field. */
const OF_THE_PICTURE =
  /^(styleUrl|styleHash|styleMapHash|(stroke|fill|icon)(-.*)?|label-.*|@.*|visibility|open|description|snippet|(altitude|gx:).*)$/;

/** The fields of a KML file: of each placemark its polygons, without heights. @throws FileFault */
export function kmlFields(name: string, bytes: Uint8Array): ConvertedFile {
  const file = shownText(name);
  if (bytes.byteLength > MOST_MB * MB) {
    const text = `${file} has ${Math.round(bytes.byteLength / MB)} MB; at most ${MOST_MB} MB are taken. Split it.`;
    throw new FileFault(text);
  }
  const text = new TextDecoder(encodingOfXml(bytes)).decode(bytes);
  if (isMoreThan(text, '<', MOST_TAGS)) {
    const most = MOST_TAGS.toLocaleString('en');
    throw new FileFault(`${file} has more than ${most} elements, which is the most that is taken. Split it.`);
  }
  if (levelsOf(text) > MOST_LEVELS) {
    throw new FileFault(`${file} is nested more than ${MOST_LEVELS} levels deep. Save it anew, with fewer folders.`);
  }
  if (isMoreThan(text, ',', MOST_COMMAS)) throw tooManyPositions();
  const { features, count } = placemarksIn(text, file);
  if (features.length === 0) throw new FileFault(noPolygon(file, text));
  const others = count - features.length;
  return {
    collection: { type: 'FeatureCollection', features },
    note: others === 0 ? undefined : `${others} of ${count} placemarks are left out: they have no polygon.`,
  };
}

/** UTF-8, unless a mark at the beginning or the declaration says otherwise. */
function encodingOfXml(bytes: Uint8Array): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const head = String.fromCharCode(...bytes.subarray(0, 200));
  const named = /^[^<]*<\?xml[^>]*\sencoding=["']([\w.:-]+)["']/.exec(head)?.[1] ?? 'utf-8';
  try {
    return new TextDecoder(named).encoding;
  } catch {
    throw new FileFault(`The file names the encoding ${named}, which is not known. Save it as UTF-8.`);
  }
}

function isMoreThan(text: string, character: string, most: number): boolean {
  let count = 0;
  for (let at = text.indexOf(character); at >= 0 && count <= most; at = text.indexOf(character, at + 1)) count += 1;
  return count > most;
}

/** How deep the elements of a text lie in each other, as far as its tags are sound. */
function levelsOf(text: string): number {
  let [level, deepest] = [0, 0];
  const tags = text.replaceAll(/<!\[CDATA\[[^]*?\]\]>|<!--[^]*?-->/g, '').matchAll(/<(\/?)\w[^<>]*?(\/?)>/g);
  for (const [, isEnd, isEmpty] of tags) {
    level += isEnd === '/' ? -1 : isEmpty === '/' ? 0 : 1;
    deepest = Math.max(deepest, level);
  }
  return deepest;
}

function placemarksIn(
  text: string,
  file: string,
): { readonly features: readonly FieldFeature[]; readonly count: number } {
  const fields = fieldGatherer();
  let count = 0;
  try {
    for (const { geometry, properties } of kmlGen(parsedXml(text)) as Iterable<Placemark>) {
      // A picture laid on the ground becomes a polygon too.
      if (properties?.['@geometry-type'] === 'groundoverlay') continue;
      count += 1;
      const parts = polygonsOf(geometry);
      if (parts.length > 0) fields.add(parts, valuesOfPlacemark(properties ?? {}));
    }
  } catch (error) {
    if (error instanceof FileFault) throw error;
    throw new FileFault(`${file} is no sound KML (${shownText((error as Error).message)}). Save it anew.`);
  }
  return { features: fields.features, count };
}

const parsedXml = (text: string) =>
  new DOMParser({
    onError: (level, message) => {
      if (level !== 'warning') throw new Error(message);
    },
  }).parseFromString(text.replace(/^\uFEFF/, ''), 'text/xml');

/** What the library makes of a placemark. */
interface Placemark {
  readonly geometry: KmlGeometry | null;
  readonly properties: Readonly<Record<string, unknown>> | null;
}

interface KmlGeometry {
  readonly type: string;
  readonly coordinates?: unknown;
  readonly geometries?: readonly KmlGeometry[];
}

/** The polygons of a geometry, those of a collection too. */
function polygonsOf(geometry: KmlGeometry | null): readonly Polygon['coordinates'][] {
  if (geometry?.geometries !== undefined) return geometry.geometries.flatMap(polygonsOf);
  if (geometry?.type === 'Polygon') return [geometry.coordinates as Polygon['coordinates']];
  return geometry?.type === 'MultiPolygon' ? (geometry.coordinates as readonly Polygon['coordinates'][]) : [];
}

function valuesOfPlacemark(properties: Readonly<Record<string, unknown>>): FieldFeature['properties'] {
  const values = Object.entries(properties).filter(
    (entry): entry is [string, string | number | boolean] =>
      !OF_THE_PICTURE.test(entry[0]) &&
      (typeof entry[1] === 'number' ||
        typeof entry[1] === 'boolean' ||
        (typeof entry[1] === 'string' && entry[1].length <= MOST_TEXT)),
  );
  return Object.fromEntries(values);
}

const noPolygon = (file: string, text: string): string =>
  text.includes('<NetworkLink')
    ? `${file} has no fields of its own: it links to another file. Open the link, and save the fields themselves.`
    : `${file} has no placemark with a polygon. Draw the fields as polygons, not as paths or places.`;
