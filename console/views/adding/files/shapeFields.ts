import type { Polygon } from '../../../../shared/geo/geoJson.js';
import { encodingOf, valuesOf } from '../../../../shared/farm/files/dbase.js';
import { CONVERSION } from '../../../../shared/farm/files/mapProjection.js';
import { openShapefile } from '../../../../shared/farm/files/shapefile.js';
import { shapePolygon } from '../../../../shared/farm/files/shapePolygon.js';
import { fieldGatherer, type ConvertedFile } from './fieldCollection.js';
import { FileFault, shownText } from './fileFault.js';
import { positionsBy } from './projection.js';

/** Longest .prj and .cpg file. */
const SMALL_BYTES = 64 * 1024;
/** Far more than one enrollment takes. */
const MOST_RECORDS = 10_000;

/** The fields of a shapefile. @param name that of its .shp file, by which its other parts are found @throws FileFault */
export async function shapeFields(name: string, files: ReadonlyMap<string, Uint8Array>): Promise<ConvertedFile> {
  const part = partsOf(name, files);
  const [shapes, table] = [needed(part('shp'), name, 'shp'), needed(part('dbf'), name, 'dbf')];
  const toPosition = await positionsBy(smallText(needed(part('prj'), name, 'prj'), '.prj'));
  const decode = decoderOf(part('cpg'));
  const opened = await openShapefile({ shapes: whole(shapes), table: whole(table) });
  const fields = fieldGatherer();
  const faults: string[] = [];
  let count = 0;
  for await (const { shape, row } of opened.shapes()) {
    count += 1;
    if (count > MOST_RECORDS) throw new FileFault(`${shownText(name)} has more than 10,000 records. Split it.`);
    const geometry = shapePolygon(shape, toPosition);
    if (typeof geometry === 'string') faults.push(geometry);
    else fields.add(partsOfGeometry(geometry), row === undefined ? {} : valuesOf(row, opened.table, decode));
  }
  if (fields.features.length === 0) throw new FileFault(`${shownText(name)} has no polygon. ${faults[0] ?? ''}`.trim());
  const note =
    faults.length === 0 ? undefined : `${faults.length} of ${count} records are left out: ${faults[0] ?? ''}`;
  return { collection: { type: 'FeatureCollection', features: fields.features }, note };
}

const partsOf =
  (name: string, files: ReadonlyMap<string, Uint8Array>) =>
  (ending: string): Uint8Array | undefined =>
    [...files].find(([each]) => each.toLowerCase() === `${name.slice(0, -3)}${ending}`.toLowerCase())?.[1];

function needed(bytes: Uint8Array | undefined, name: string, ending: 'shp' | 'dbf' | 'prj'): Uint8Array {
  if (bytes !== undefined) return bytes;
  const why = ending === 'prj' ? 'so its reference system is unknown' : 'so its fields have no names';
  const remedy = ending === 'prj' ? `One is made by: ${CONVERSION}` : 'Pack .shp, .dbf, .prj and .cpg together.';
  throw new FileFault(`The archive has no .${ending} file beside ${shownText(name)}, ${why}. ${remedy}`);
}

const whole = (bytes: Uint8Array) => ({
  // eslint-disable-next-line @typescript-eslint/require-await -- a stream of one piece
  read: async function* (): AsyncIterable<Uint8Array> {
    yield bytes;
  },
});

function smallText(bytes: Uint8Array, ending: string): string {
  if (bytes.byteLength > SMALL_BYTES) throw new FileFault(`The ${ending} file has more than ${SMALL_BYTES} bytes.`);
  return new TextDecoder().decode(bytes);
}

/** By the .cpg file. Without one UTF-8, and what is none by the code page of Windows that most writers have. */
function decoderOf(cpg: Uint8Array | undefined): (bytes: Uint8Array) => string {
  if (cpg !== undefined) {
    const named = new TextDecoder(encodingOf(smallText(cpg, '.cpg')));
    return (bytes) => named.decode(bytes);
  }
  const [strict, other] = [new TextDecoder('utf-8', { fatal: true }), new TextDecoder('windows-1252')];
  return (bytes) => {
    try {
      return strict.decode(bytes);
    } catch {
      return other.decode(bytes);
    }
  };
}

const partsOfGeometry = (
  geometry: Exclude<ReturnType<typeof shapePolygon>, string>,
): readonly Polygon['coordinates'][] => (geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates);
