/** Work on imported files that runs beside the event loop: pure functions of bytes. */
import { valuesOf, type DbaseTable } from '../files/dbase.js';
import type { KmlPlacemark } from '../files/kmlPlacemark.js';
import { toDegrees, type MapCode } from '../files/mapProjection.js';
import { shapePolygon } from '../files/shapePolygon.js';
import type { RawShape } from '../files/shapefile.js';
import { invalidRequest } from '../resourceRules.js';
import type { ImportOptions } from './importJob.js';
import { caught, preparedFeature, type FeatureRules, type Prepared } from './preparedFeature.js';
import { preparedLine } from './preparedLine.js';

/** Some features of a file, as the file has them. */
export type RawFeatures =
  | {
      readonly form: 'features' | 'lines';
      /** Index of the first one. */
      readonly first: number;
      readonly pieces: readonly Uint8Array[];
    }
  | {
      readonly form: 'shapes';
      readonly shapes: readonly RawShape[];
      readonly table: DbaseTable;
      readonly encoding: string;
      readonly code: MapCode;
    }
  | { readonly form: 'placemarks'; readonly placemarks: readonly KmlPlacemark[] };

export interface FeaturesToPrepare {
  readonly raw: RawFeatures;
  readonly options: Pick<ImportOptions, 'partyId' | 'farmId' | 'idProperty' | 'nameProperty'>;
}

/** Reads and checks some features; each by itself. */
export function prepareFeatures({ raw, options }: FeaturesToPrepare): readonly Prepared[] {
  if (raw.form === 'lines') return raw.pieces.map((line, at) => preparedLine(line, raw.first + at, options));
  const rules: FeatureRules = { ...options, partyId: options.partyId ?? '' };
  if (raw.form === 'placemarks') return raw.placemarks.map((placemark) => preparedPlacemark(placemark, rules));
  if (raw.form === 'shapes') return preparedShapes(raw, rules);
  return raw.pieces.map((piece, at) => preparedFeature(parsed(piece), raw.first + at, rules));
}

/** JSON that was scanned with the whole file. */
const parsed = (piece: Uint8Array): unknown => JSON.parse(Buffer.from(piece).toString('utf8')) as unknown;

function preparedShapes(
  { shapes, table, encoding, code }: RawFeatures & { readonly form: 'shapes' },
  rules: FeatureRules,
): readonly Prepared[] {
  const position = toDegrees(code);
  const decoder = new TextDecoder(encoding);
  return shapes.map(({ index, shape, row }) =>
    caught(index, () => {
      const geometry = shapePolygon(shape, position);
      if (typeof geometry === 'string') throw invalidRequest(geometry);
      const properties = row === undefined ? {} : valuesOf(row, table, (bytes) => decoder.decode(bytes));
      return preparedFeature({ type: 'Feature', geometry, properties }, index, rules);
    }),
  );
}

const preparedPlacemark = ({ index, parts, properties, fault }: KmlPlacemark, rules: FeatureRules): Prepared =>
  caught(index, () => {
    const [only] = parts;
    if (fault !== undefined || only === undefined) throw invalidRequest(fault ?? NO_POLYGON);
    const geometry =
      parts.length === 1 ? { type: 'Polygon', coordinates: only } : { type: 'MultiPolygon', coordinates: parts };
    return preparedFeature({ type: 'Feature', geometry, properties }, index, rules);
  });

const NO_POLYGON = 'The placemark has no polygon; draw the field as one, not as a path or place.';
