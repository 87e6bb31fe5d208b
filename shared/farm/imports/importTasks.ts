/** Work on imported files that runs beside the event loop: pure functions of bytes. */
import { isSameLand } from '../../geo/shapes/sameLand.js';
import { parseExact } from '../../kit/json/exactJson.js';
import type { DbaseTable } from '../shapefile/dbase.js';
import { partsOfPlacemark, type KmlPlacemark } from '../files/kmlPlacemark.js';
import { toDegrees, type MapCode } from '../shapefile/mapProjection.js';
import { featureReader, type RawShape } from '../shapefile/shapefile.js';
import { tooLarge } from '../files/featureSize.js';
import type { PackedShape } from '../land/land.js';
import { unpacked } from '../land/packedShape.js';
import { invalidRequest } from '../wire/resourceRules.js';
import type { ImportOptions } from './importJob.js';
import { caught, preparedFeature, type FeatureRules, type Prepared } from './preparedFeature.js';
import { preparedLine } from './preparedLine.js';

/** Some features of a file, as the file has them. */
export type RawFeatures =
  | {
      readonly form: 'features' | 'lines';
      /** Index of the first one. */
      readonly first: number;
      /** Each, or a text that says why it isn't read. */
      readonly pieces: readonly (Uint8Array | string)[];
    }
  | {
      readonly form: 'shapes';
      readonly shapes: readonly RawShape[];
      readonly table: DbaseTable;
      readonly code: MapCode;
    }
  | { readonly form: 'placemarks'; readonly placemarks: readonly KmlPlacemark[] };

export interface FeaturesToPrepare {
  readonly raw: RawFeatures;
  readonly options: Pick<ImportOptions, 'partyId' | 'farmId' | 'idProperty' | 'nameProperty'>;
}

/** Whether two geometries are the same land, however either is written. */
export async function compareLand([one, other]: readonly [PackedShape, PackedShape]): Promise<boolean> {
  return isSameLand(await unpacked(one), await unpacked(other));
}

/** Reads and checks some features; each by itself. */
export function prepareFeatures({ raw, options }: FeaturesToPrepare): readonly Prepared[] {
  if (raw.form === 'lines') return preparedPieces(raw, (line, index) => preparedLine(line, index, options));
  const rules: FeatureRules = { ...options, partyId: options.partyId ?? '' };
  if (raw.form === 'placemarks') return raw.placemarks.map((placemark) => preparedPlacemark(placemark, rules));
  if (raw.form === 'shapes') return preparedShapes(raw, rules);
  return preparedPieces(raw, (piece, index) => preparedFeature(parsed(piece), index, rules));
}

/** Features or lines of a file; what is too large is a fault of its own. */
function preparedPieces(
  { form, first, pieces }: RawFeatures & { readonly form: 'features' | 'lines' },
  read: (piece: Uint8Array, index: number) => Prepared,
): readonly Prepared[] {
  return pieces.map((piece, at) => caught(first + at, () => read(readable(form, piece), first + at)));
}

/** @throws ServiceError 400 for what is too large */
function readable(form: 'features' | 'lines', piece: Uint8Array | string): Uint8Array {
  if (typeof piece === 'string') throw invalidRequest(piece);
  const wrong = tooLarge(form === 'features' ? 'The feature' : 'The line', piece);
  if (wrong !== undefined) throw invalidRequest(wrong);
  return piece;
}

/** JSON that was scanned with the whole file. */
const parsed = (piece: Uint8Array): unknown => parseExact(Buffer.from(piece).toString('utf8'));

function preparedShapes(
  { shapes, table, code }: RawFeatures & { readonly form: 'shapes' },
  rules: FeatureRules,
): readonly Prepared[] {
  const read = featureReader(table, toDegrees(code));
  return shapes.map((shape) =>
    caught(shape.index, () => {
      const feature = read(shape);
      if (typeof feature === 'string') throw invalidRequest(feature);
      return preparedFeature(feature, shape.index, rules);
    }),
  );
}

const preparedPlacemark = (placemark: KmlPlacemark, rules: FeatureRules): Prepared =>
  caught(placemark.index, () => {
    const { index, properties } = placemark;
    const { parts, fault } = partsOfPlacemark(placemark);
    const [only] = parts;
    if (fault !== undefined || only === undefined) throw invalidRequest(fault ?? NO_POLYGON);
    const geometry =
      parts.length === 1 ? { type: 'Polygon', coordinates: only } : { type: 'MultiPolygon', coordinates: parts };
    return preparedFeature({ type: 'Feature', geometry, properties }, index, rules);
  });

const NO_POLYGON = 'The placemark has no polygon; draw the field as one, not as a path or place.';
