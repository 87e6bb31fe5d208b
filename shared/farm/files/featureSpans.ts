import { isWgs84 } from '../../enrollments/upload/featureCollection.js';
import { mistakenCollection } from '../../enrollments/upload/mistakenFeatures.js';
import { readCrs } from '../../enrollments/upload/submittedFeatures.js';
import { scanJsonInput } from '../../kit/json/jsonInput.js';
import { place, readMembers, textAt, type TextMember } from '../../kit/json/jsonMembers.js';
import { JsonFault, OPEN_ARRAY, type JsonScanner } from '../../kit/json/jsonScanner.js';
import { geoJsonBudget } from '../../kit/json/structureBudget.js';

/** Where the features of a collection lie: begin and end of each, in bytes of the file. */
export type FeatureSpans =
  { readonly spans: Uint32Array; readonly fault?: undefined } | { readonly spans?: undefined; readonly fault: string };

/** More fields than one file of 50 MB can have. */
export const MOST_FEATURES = 250_000;

interface Found {
  type: TextMember;
  crs: TextMember;
  spans: number[] | undefined;
}

/**
 * Scans a whole FeatureCollection, so that a file that breaks off is refused before anything of it is written.
 *
 * @returns a text that says why the file can't be imported
 */
export function featureSpans(bytes: Uint8Array): FeatureSpans {
  let at = 0;
  let content: Uint8Array = bytes;
  const { value, fault } = scanJsonInput({ part: 'The file', bytes, budget: geoJsonBudget }, (scanner) => {
    scanner.peek();
    ({ at, bytes: content } = scanner);
    return readCollection(scanner);
  });
  if (fault !== undefined) return { fault: `${fault.msg}.` };
  const { type, crs, spans } = value;
  if (type !== 'FeatureCollection') {
    return { fault: `The file must be a FeatureCollection; ${mistakenCollection({ bytes: content, at, type })}.` };
  }
  if (!isWgs84(crs)) {
    return {
      fault:
        'The file has a crs other than WGS 84. Convert it: ogr2ogr -t_srs EPSG:4326 converted.geojson original.geojson',
    };
  }
  if (spans === undefined || spans.length === 0) return { fault: 'The file has no features.' };
  // A byte order mark was dropped.
  const mark = bytes.byteLength - content.byteLength;
  return { spans: Uint32Array.from(spans, (index) => index + mark) };
}

const TOO_MANY = `has more than ${MOST_FEATURES} features, the most that are taken at once; split it`;

/** A file with more features than are taken: a sentence. They are counted no further. */
export const tooManyFeatures = `The file ${TOO_MANY}.`;

function readCollection(scanner: JsonScanner): Found {
  const found: Found = { type: undefined, crs: undefined, spans: undefined };
  let type: number | undefined;
  readMembers(scanner, ['type', 'crs', 'features'], (name) => {
    if (name === 'type') type = place(scanner);
    else if (name === 'crs') found.crs = readCrs(scanner);
    else found.spans = readSpans(scanner);
  });
  found.type = textAt(scanner, type);
  return found;
}

function readSpans(scanner: JsonScanner): number[] | undefined {
  if (scanner.peek() !== OPEN_ARRAY) {
    scanner.skipValue();
    return undefined;
  }
  const spans: number[] = [];
  for (let more = scanner.enterArray(); more; more = scanner.hasMoreItems()) {
    if (spans.length === 2 * MOST_FEATURES) throw new JsonFault('too_complex', scanner.at, TOO_MANY);
    spans.push(place(scanner), scanner.at);
  }
  return spans;
}
