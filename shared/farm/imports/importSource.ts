import { setImmediate as nextTurn } from 'node:timers/promises';
import { archivedFields } from '../shapefile/archivedFields.js';
import { smallFile } from '../files/archive.js';
import type { ArchivedShapefile } from '../shapefile/archivedShapefile.js';
import { ImportFault } from '../files/importFault.js';
import type { KmlPlacemark } from '../files/kmlPlacemark.js';
import { kmlPlacemarks, MOST_KML_BYTES, type KmlFile } from '../files/kmlPlacemarks.js';
import { mapCodeOf } from '../shapefile/mapProjection.js';
import { openShapefile, type RawShape } from '../shapefile/shapefile.js';
import { openZip } from '../files/zip.js';
import { MOST_FEATURE_BYTES, tooLong } from '../files/featureSize.js';
import { MOST_FEATURES, tooManyFeatures, type FeatureSpans } from '../files/featureSpans.js';
import { KML_TYPE, KMZ_TYPE, type ImportType } from './importJob.js';
import type { RawFeatures } from './importTasks.js';

/** A file, feature by feature. */
export interface ImportSource {
  readonly total: number;
  /** Features from this index on, a hundred at most at a time, and some megabytes. */
  readonly from: (index: number) => AsyncIterable<RawFeatures>;
}

export interface ImportSourcePorts {
  /** Runs beside the event loop. */
  readonly featureSpans: (bytes: Uint8Array) => Promise<FeatureSpans>;
}

const MOST_AT_ONCE = 100;
const MOST_BYTES_AT_ONCE = 4 * 1024 * 1024;
const NEWLINE = 0x0a;
/** Lines found between two turns of the event loop. */
const LINES_A_TURN = 10_000;

/** Opens the file of an import. @throws ImportFault for one that can't be read at all */
export async function openSource(ports: ImportSourcePorts, type: ImportType, bytes: Buffer): Promise<ImportSource> {
  if (type === 'application/zip' || type === KMZ_TYPE) return archiveSource(bytes);
  if (type === KML_TYPE) return kmlSource({ name: 'The file', bytes });
  const form = type === 'application/geo+json' ? 'features' : 'lines';
  const spans = form === 'features' ? await spansOf(ports, bytes) : await lineSpans(bytes);
  return { total: spans.length / 2, from: (index) => pieces(form, { bytes, spans, index }) };
}

async function spansOf(ports: ImportSourcePorts, bytes: Buffer): Promise<ArrayLike<number>> {
  const { spans, fault } = await ports.featureSpans(bytes);
  if (fault !== undefined) throw new ImportFault(fault);
  return spans;
}

/** Begin and end of each line that is not blank. */
async function lineSpans(bytes: Buffer): Promise<ArrayLike<number>> {
  const spans: number[] = [];
  for (let start = 0, count = 0; start < bytes.byteLength; count += 1) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline < 0 ? bytes.byteLength : newline;
    // A line that is blank holds a carriage return at most.
    if (end - start > 1) spans.push(start, end);
    if (spans.length > 2 * MOST_FEATURES) throw new ImportFault(tooManyFeatures);
    start = end + 1;
    if (count % LINES_A_TURN === 0) await nextTurn();
  }
  if (spans.length === 0) throw new ImportFault('The file has no lines.');
  return spans;
}

interface Pieces {
  readonly bytes: Buffer;
  readonly spans: ArrayLike<number>;
  readonly index: number;
}

async function* pieces(form: 'features' | 'lines', { bytes, spans, index }: Pieces): AsyncIterable<RawFeatures> {
  let first = index;
  while (first < spans.length / 2) {
    const some: (Buffer | string)[] = [];
    for (let at = first, size = 0; at < spans.length / 2 && some.length < MOST_AT_ONCE; at += 1) {
      const piece = pieceOf(form, bytes.subarray(spans[2 * at], spans[2 * at + 1]));
      size += piece.length;
      if (some.length > 0 && size > MOST_BYTES_AT_ONCE) break;
      some.push(piece);
    }
    yield { form, first, pieces: some };
    first += some.length;
    await nextTurn();
  }
}

/** @returns a text that says why it isn't read */
const pieceOf = (form: 'features' | 'lines', piece: Buffer): Buffer | string =>
  piece.byteLength <= MOST_FEATURE_BYTES
    ? piece
    : tooLong(form === 'features' ? 'The feature' : 'The line', piece.byteLength);

async function archiveSource(bytes: Buffer): Promise<ImportSource> {
  const { shapefile, kml } = await archivedFields(await openZip(bytes));
  if (kml === undefined) return shapeSource(shapefile);
  return kmlSource({ name: kml.name, bytes: await smallFile(kml, kml.name, MOST_KML_BYTES) });
}

/** A whole file is read before its first placemark, so that one that is cut off is refused before anything is written. */
async function kmlSource(file: KmlFile): Promise<ImportSource> {
  const turn = (): Promise<void> => nextTurn();
  let total = 0;
  for await (const { index } of kmlPlacemarks(file, turn)) {
    total = index + 1;
    if (total > MOST_FEATURES) throw new ImportFault(tooManyFeatures);
  }
  const sizeOf = ({ polygons }: KmlPlacemark): number =>
    polygons.flatMap(({ outer, inner }) => [...outer, ...inner]).reduce((sum, { length }) => sum + length, 0);
  return {
    total,
    from: async function* (index) {
      for await (const placemarks of someOf(kmlPlacemarks(file, turn), index, sizeOf)) {
        yield { form: 'placemarks', placemarks };
      }
    },
  };
}

async function shapeSource(file: ArchivedShapefile): Promise<ImportSource> {
  const code = mapCodeOf(file.prj);
  const { table, count, shapes } = await openShapefile(file, MOST_FEATURES);
  const sizeOf = ({ shape }: RawShape): number => shape.length;
  return {
    total: count,
    from: async function* (index) {
      for await (const some of someOf(shapes(), index, sizeOf)) yield { form: 'shapes', shapes: some, table, code };
    },
  };
}

/** What a file has from this index on, some at a time. @param sizeOf bytes of one */
async function* someOf<T extends { readonly index: number }>(
  all: AsyncIterable<T>,
  from: number,
  sizeOf: (one: T) => number,
): AsyncIterable<readonly T[]> {
  let some: T[] = [];
  let size = 0;
  for await (const one of all) {
    if (one.index < from) continue;
    if (some.length === MOST_AT_ONCE || (some.length > 0 && size + sizeOf(one) > MOST_BYTES_AT_ONCE)) {
      yield some;
      [some, size] = [[], 0];
    }
    some.push(one);
    size += sizeOf(one);
  }
  if (some.length > 0) yield some;
}
