import type { MultiPolygon, Polygon, Position } from '../../../../shared/geo/shapes/geoJson.js';
import { FileFault } from './fileFault.js';

type Values = Readonly<Record<string, string | number | boolean>>;

/** A field of a file that was no GeoJSON. */
export interface FieldFeature {
  readonly type: 'Feature';
  readonly properties: Values;
  readonly geometry: Polygon | MultiPolygon;
}

/** The fields of a file of another format, as GeoJSON has them. */
export interface ConvertedFile {
  readonly collection: { readonly type: 'FeatureCollection'; readonly features: readonly FieldFeature[] };
  /** What of the file is not among them. */
  readonly note: string | undefined;
}

/** All corners of a file: some 40 MB of GeoJSON. */
const MOST_POSITIONS = 1_000_000;
/** A tenth of a millimetre on the ground. */
const DECIMALS = 9;

/** Said of a file with more corners than are taken. */
export const tooManyPositions = (): FileFault =>
  new FileFault(
    `The file has more than ${MOST_POSITIONS.toLocaleString('en')} corners, which is the most that is taken. Split it, or simplify its boundaries.`,
  );

const rounded = (degrees: number): number => Number(degrees.toFixed(DECIMALS));

/** Gathers fields, and counts their corners. */
export function fieldGatherer(): {
  readonly add: (parts: readonly Polygon['coordinates'][], properties: Values) => void;
  readonly features: readonly FieldFeature[];
} {
  const features: FieldFeature[] = [];
  let positions = 0;
  return {
    features,
    add: (parts, properties) => {
      positions += parts.flat().reduce((sum, { length }) => sum + length, 0);
      if (positions > MOST_POSITIONS) throw tooManyPositions();
      const coordinates = parts.map((rings) =>
        rings.map((ring) => ring.map(([x, y]): Position => [rounded(x), rounded(y)])),
      );
      const [only] = coordinates;
      const geometry: FieldFeature['geometry'] =
        only !== undefined && coordinates.length === 1
          ? { type: 'Polygon', coordinates: only }
          : { type: 'MultiPolygon', coordinates };
      features.push({ type: 'Feature', properties, geometry });
    },
  };
}
