import { kmlText, placemark, polygonElement, ringElement } from '../../farm/kml.js';
import { dbfFile, recordsOf, shpFile, shxFile, square, WGS84, zipped } from '../../farm/shapefiles.js';
import { uploadRequest, wavyFields } from '../../load/uploads.js';
import { multipartBody, multipartType, submissionParts } from '../../support/multipart.js';
import { inChunks } from './inChunks.js';
import type { StallCase, StalledService } from './stallCase.js';

const MB = 2 ** 20;
/** A little less than an import or an enrollment may have. */
const LARGE = 45 * MB;
const ASK_AGAIN_MS = 250;
const GEO_JSON = 'application/geo+json';
const NDJSON = 'application/x-ndjson';
const ZIP = 'application/zip';
const KML = 'application/vnd.google-earth.kml+xml';

const SQUARE = '{"type":"Polygon","coordinates":[[[9,55],[9.01,55],[9.01,55.01],[9,55.01],[9,55]]]}';
const collection = (features: string): string => `{"type":"FeatureCollection","features":[${features}]}`;
const feature = (properties: string, geometry = SQUARE, more = ''): string =>
  `{"type":"Feature","properties":{${properties}},"geometry":${geometry}${more}}`;

/** What `piece` gives for 0, 1, 2, … until there are about as many bytes. */
function repeated(bytes: number, piece: (index: number) => string, separator = ','): string {
  const pieces: string[] = [];
  for (let size = 0; size < bytes; size += (pieces.at(-1) ?? '').length + 1) pieces.push(piece(pieces.length));
  return pieces.join(separator);
}

const properties = (bytes: number): string => repeated(bytes, (index) => `"p${index}":"v${index}"`);
const list = (count: number, piece: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => piece(index)).join(',');

/** Corners of a field whose outline runs in waves, the last one the first. */
function corners(count: number, field = 0): readonly (readonly [number, number])[] {
  const ring = Array.from({ length: count - 1 }, (_, index): [number, number] => {
    const angle = (index / (count - 1)) * 2 * Math.PI;
    const radius = 1 + 0.1 * Math.sin(7 * angle);
    const [x, y] = [9 + field * 0.02 + 0.006 * radius * Math.cos(angle), 55 + 0.004 * radius * Math.sin(angle)];
    return [Number(x.toFixed(9)), Number(y.toFixed(9))];
  });
  return [...ring, ring[0] ?? [9, 55]];
}

/** Fields with as many positions as one may have. */
const largeFields = (count: number, start = 0): string =>
  collection(
    list(count, (index) => {
      const ring = corners(100_000, index);
      const turned = [...ring.slice(start, -1), ...ring.slice(0, start + 1)];
      return feature('', JSON.stringify({ type: 'Polygon', coordinates: [turned] }));
    }),
  );

/** A zip file of one entry whose content is one block again and again, packed block by block: zipSync would take minutes. */
const nullShapes = (count: number, bytes: number): Buffer => {
  const content = Buffer.alloc(bytes);
  const shp = Buffer.alloc(100 + count * (8 + bytes));
  shpFile([]).copy(shp);
  for (let index = 0, at = 100; index < count; index += 1, at += 8 + bytes) {
    shp.writeInt32BE(index + 1, at);
    shp.writeInt32BE(bytes / 2, at + 4);
    content.copy(shp, at + 8);
  }
  const rows = dbfFile(
    [{ name: 'ID', length: 6 }],
    Array.from({ length: count }, (_, index) => [String(index)]),
  );
  return zipped({ 'a.shp': shp, 'a.shx': shxFile(recordsOf(shp)), 'a.dbf': rows, 'a.prj': WGS84 });
};

/** A table whose rows are as long as they may be, beside squares. */
function longRows(count: number, columns: number): Buffer {
  const shapes = Array.from({ length: count }, (_, index) => [square([9 + index / 1e5, 55])]);
  const named = Array.from({ length: columns }, (_, index) => ({ name: `C${index}`, length: 254 }));
  const row = named.map((_, index) => `value ${index}`);
  return zipped({
    'a.shp': shpFile(shapes),
    'a.dbf': dbfFile(
      named,
      shapes.map(() => row),
    ),
    'a.prj': WGS84,
  });
}

const asFarmer = ({ jwt }: StalledService) => ({ authorization: `Bearer ${jwt}` });
const sleep = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

async function imported(service: StalledService, type: string, body: Buffer, query: string): Promise<string> {
  const { baseUrl, partyId } = service;
  const party = type === NDJSON ? '' : `partyId=${partyId}&`;
  const headers = { ...asFarmer(service), 'content-type': type };
  const sent = await fetch(`${baseUrl}/v1/imports?${party}${query}`, {
    method: 'POST',
    headers,
    ...inChunks(body),
  });
  const text = await sent.text();
  if (sent.status !== 202) return `${sent.status}: ${text.slice(0, 160)}`;
  const { id } = JSON.parse(text) as { readonly id: string };
  for (;;) {
    const answer = await fetch(`${baseUrl}/v1/imports/${id}`, { headers: asFarmer(service) });
    const state = (await answer.json()) as Imported;
    if (state.status === 'Succeeded' || state.status === 'Failed') return shown(state);
    await sleep(ASK_AGAIN_MS);
  }
}

interface Imported {
  readonly status: string;
  readonly message?: string;
  readonly written: number;
  readonly failed: number;
  readonly errors: readonly { readonly message: string }[];
}

const shown = ({ status, message, written, failed, errors: [first] }: Imported): string =>
  [status, `${written} written`, `${failed} failed`, message ?? first?.message ?? ''].join(', ');

/** An import of one file, made before it is sent. */
function importOf(name: string, type: string, make: () => string | Buffer, query = ''): StallCase {
  let body = Buffer.alloc(0);
  return {
    name: `import: ${name}`,
    prepare: () => {
      body = Buffer.from(make());
      return Promise.resolve();
    },
    run: (service) => imported(service, type, body, query),
  };
}

async function submitted(service: StalledService, geojson: string, query: string): Promise<string> {
  const { baseUrl, apiKey } = service;
  const headers = { 'api-key': apiKey, 'content-type': multipartType() };
  const body = new Uint8Array(multipartBody(submissionParts(uploadRequest, geojson)));
  const sent = await fetch(`${baseUrl}/v1/enrollments${query}`, { method: 'POST', headers, body });
  const text = await sent.text();
  if (sent.status !== 202) return `${sent.status}: ${text.slice(0, 160)}`;
  const { enrollment_id: id } = JSON.parse(text) as { readonly enrollment_id: string };
  for (;;) {
    const answer = await fetch(`${baseUrl}/v1/enrollments/${id}`, { headers: { 'api-key': apiKey } });
    const { status, processed_fields: fields } = (await answer.json()) as { status: string; processed_fields: number };
    if (status === 'completed' || status === 'failed') return `${status}, ${fields} fields`;
    await sleep(ASK_AGAIN_MS);
  }
}

function enrollmentOf(name: string, make: () => string, query = ''): StallCase {
  let body = '';
  return {
    name: `enrollment: ${name}`,
    prepare: () => {
      body = make();
      return Promise.resolve();
    },
    run: (service) => submitted(service, body, query),
  };
}

const identified = (inner: string, geometry = SQUARE): string =>
  feature(`"field_id":"north"${inner === '' ? '' : `,${inner}`}`, geometry);
const polygonOf = (coordinates: string): string => `{"type":"Polygon","coordinates":${coordinates}}`;
const asText = (ring: readonly (readonly [number, number])[]): string => ring.map(([x, y]) => `${x},${y}`).join(' ');
const line = (resource: string, more = ''): string => `{"path":"/parties/p1","resource":{${resource}}${more}}`;
const extended = (bytes: number): string =>
  repeated(bytes, (index) => `<Data name="p${index}"><value>v${index}</value></Data>`, '');

/** Files and uploads. */
export const importCases: readonly StallCase[] = [
  importOf('an ndjson line of 45 MB of properties', NDJSON, () => line(`"properties":{${properties(LARGE)}}`)),
  importOf('an ndjson line of 45 MB of unknown members', NDJSON, () => line('"name":"x"', `,${properties(LARGE)}`)),
  importOf(
    'an ndjson line of 45 MB of one geometry',
    NDJSON,
    () =>
      `{"path":"/parties/p1/fields/f","resource":{"geometry":{"type":"MultiPolygon","coordinates":[${repeated(LARGE, () => '[[[9,55],[9.01,55],[9,55.01],[9,55]]]')}]}}}`,
  ),
  importOf('ndjson of 50 MB of blank lines', NDJSON, () => '\n'.repeat(50 * MB)),
  importOf('ndjson of 250,000 lines that are none', NDJSON, () => '{}\n'.repeat(250_000)),
  importOf('a feature of 45 MB of properties', GEO_JSON, () => collection(feature(properties(LARGE)))),
  importOf('features of 1.9 MB of properties', GEO_JSON, () =>
    collection(list(22, () => feature(properties(1.9 * MB)))),
  ),
  importOf('a feature of 45 MB of unknown members', GEO_JSON, () =>
    collection(feature('', SQUARE, `,${properties(LARGE)}`)),
  ),
  importOf('a feature of 45 MB of one ring', GEO_JSON, () =>
    collection(feature('', polygonOf(`[[${repeated(LARGE, () => '[9.0000000,55.000000]')}]]`))),
  ),
  importOf('50 MB of [', GEO_JSON, () => '['.repeat(50 * MB)),
  importOf('a name of 50 MB', GEO_JSON, () => `{"${'x'.repeat(50 * MB - 10)}":0}`),
  importOf('250,001 features', GEO_JSON, () =>
    collection(list(250_001, () => feature('"name":"x"', polygonOf('[[[9,55],[9.1,55],[9,55.1],[9,55]]]')))),
  ),
  importOf('250,000 features that are none', GEO_JSON, () => collection(list(250_000, () => '0'))),
  importOf('10 fields of 100,000 positions', GEO_JSON, () => largeFields(10)),
  importOf('the same fields, begun at another corner', GEO_JSON, () => largeFields(10, 50_000)),
  importOf('the same fields with other properties', GEO_JSON, () =>
    largeFields(10).replaceAll('"properties":{}', '"properties":{"crop":"corn"}'),
  ),
  importOf('a zipped .shp of 480 MB of null shapes', ZIP, () => nullShapes(249_000, 2_000)),
  importOf('a zipped .dbf of 200 MB', ZIP, () => longRows(3_000, 257)),
  importOf('a zipped shape of 8 MB', ZIP, () =>
    zipped({
      'a.shp': shpFile([Array.from({ length: 6_000 }, (_, index) => square([9 + index / 1e4, 55], 0.00005))]),
      'a.dbf': dbfFile([{ name: 'ID' }], [['one']]),
      'a.prj': WGS84,
    }),
  ),
  importOf('a placemark of 45 MB of ExtendedData', KML, () =>
    kmlText(placemark(`<ExtendedData>${extended(LARGE)}</ExtendedData>${polygonElement('9,55 9.01,55 9,55.01')}`)),
  ),
  importOf('a placemark of 45 MB of one ring', KML, () =>
    kmlText(placemark(polygonElement(repeated(LARGE, (index) => `9.${String(index).padEnd(60, '0')},55`, ' ')))),
  ),
  importOf('a placemark of 45 MB of numbers alone', KML, () =>
    kmlText(placemark(polygonElement('1 '.repeat(LARGE / 2)))),
  ),
  importOf('a placemark of 45 MB of rings', KML, () =>
    kmlText(
      placemark(
        polygonElement('9,55 9.01,55 9,55.01', '').replace(
          '</Polygon>',
          `<innerBoundaryIs>${repeated(LARGE, () => ringElement('9,55 9.1,55 9,55.1'), '')}</innerBoundaryIs></Polygon>`,
        ),
      ),
    ),
  ),
  importOf('a tag of 45 MB of attributes', KML, () =>
    kmlText(`<Placemark ${repeated(LARGE, (index) => `a${index}="1"`, ' ')}></Placemark>`),
  ),
  importOf('300,000 empty placemarks, zipped', ZIP, () =>
    zipped({ 'doc.kml': kmlText('<Placemark/>'.repeat(240_000)) }),
  ),
  importOf('5 placemarks of 100,000 corners', KML, () =>
    kmlText(list(5, (index) => placemark(polygonElement(asText(corners(99_999, index)))))),
  ),
  enrollmentOf('50 MB of 250 fields', () => wavyFields('honest', 50 * MB - 100_000)),
  enrollmentOf('50 MB of 250 fields, tried', () => wavyFields('honest', 50 * MB - 100_000), '?dry_run=true'),
  enrollmentOf('a feature of 45 MB of properties', () => collection(identified(properties(LARGE)))),
  enrollmentOf('45 MB of unknown members', () => collection(identified('')).replace('{', `{${properties(LARGE)},`)),
  enrollmentOf('50 MB of [', () => '['.repeat(50 * MB)),
  enrollmentOf('a boundary of 45 MB', () =>
    collection(identified('', polygonOf(`[[${repeated(LARGE, () => '[9.0000000,55.000000]')}]]`))),
  ),
  enrollmentOf('45 MB of features', () => collection(repeated(LARGE, (index) => feature(`"field_id":"f${index}"`)))),
  enrollmentOf('10 fields of 100,000 positions', () => enrolledFields(10)),
  enrollmentOf('the same fields, begun at another corner', () => enrolledFields(10, 50_000)),
];

const enrolledFields = (count: number, start = 0): string => {
  let index = 0;
  return largeFields(count, start).replaceAll(
    '"properties":{}',
    () => `"properties":{"field_id":"large-${(index += 1)}"}`,
  );
};
