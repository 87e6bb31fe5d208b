import type { Position, Ring } from '../../../shared/geo/shapes/geoJson.js';
import type { FaultDetail } from '../../api/errors.js';
import type { ReadFeature } from './readFeatures.js';

/** Something that is wrong with one field. */
export interface FieldFault {
  /** Index of its feature in the file. */
  readonly feature: number;
  readonly code: string;
  readonly message: string;
  /** Where on the map, when it is about a place. */
  readonly place: Position | undefined;
}

/** Everything that is wrong with a submission, by where it is shown. */
export interface SubmissionFaults {
  readonly fields: readonly FieldFault[];
  /** By the property of the request: shown at its input. */
  readonly inputs: Readonly<Record<string, string>>;
  /** About the file as a whole. */
  readonly file: readonly string[];
}

/** A dry run's answer for one field. */
export interface TriedField {
  readonly field_id: string;
  readonly area_ha: number | null;
  readonly errors: readonly { readonly code: string; readonly message: string }[] | null;
}

const NAMED_PLACE = /longitude (-?\d+(?:\.\d+)?), latitude (-?\d+(?:\.\d+)?)/;

const isOpen = (ring: Ring): boolean => {
  const [first, last] = [ring[0], ring.at(-1)];
  return first !== undefined && last !== undefined && (first[0] !== last[0] || first[1] !== last[1]);
};

const ringsOf = (feature: ReadFeature | undefined): readonly Ring[] => {
  const geometry = feature?.geometry;
  if (geometry === undefined) return [];
  return geometry.type === 'Polygon' ? geometry.coordinates : geometry.coordinates.flat();
};

/** Where a fault is: the place its message names, the end of a ring that is open, else where the field begins. */
export function faultPlace(code: string, message: string, feature: ReadFeature | undefined): Position | undefined {
  const [, longitude, latitude] = NAMED_PLACE.exec(message) ?? [];
  if (longitude !== undefined && latitude !== undefined) return [Number(longitude), Number(latitude)];
  const rings = ringsOf(feature);
  const open = code === 'ring_not_closed' ? rings.find(isOpen)?.at(-1) : undefined;
  return open ?? rings[0]?.[0];
}

/** The faults that a dry run found. @param kept feature of each field in the answer */
export function faultsOfTrial(
  fields: readonly TriedField[],
  kept: readonly number[],
  features: readonly ReadFeature[],
): readonly FieldFault[] {
  return fields.flatMap(({ errors }, index) =>
    (errors ?? []).map(({ code, message }) => {
      const feature = kept[index] ?? index;
      return { feature, code, message, place: faultPlace(code, message, features[feature]) };
    }),
  );
}

/** The path says where, and each message begins with it: people see the rest. */
const withoutPath = ({ loc, msg }: FaultDetail): string => {
  const written = loc.reduce<string>(
    (path, part) => (typeof part === 'number' ? `${path}[${part}]` : path === '' ? part : `${path}.${part}`),
    '',
  );
  return msg.startsWith(written) ? msg.slice(written.length).trim() : msg;
};

/** Faults of a submission that was refused as a whole. @param kept feature of each feature that was sent */
export function faultsOfDetails(
  details: readonly FaultDetail[],
  kept: readonly number[],
  features: readonly ReadFeature[],
): SubmissionFaults {
  const fields: FieldFault[] = [];
  const inputs: Record<string, string> = {};
  const file: string[] = [];
  for (const detail of details) {
    const [part, name, index, ...rest] = detail.loc;
    if (part === 'geojson' && name === 'features' && typeof index === 'number') {
      const feature = kept[index] ?? index;
      const what = rest.length === 0 ? '' : `${rest.join('.')} `;
      const place = faultPlace(detail.type, detail.msg, features[feature]);
      fields.push({ feature, code: detail.type, message: `${what}${withoutPath(detail)}`, place });
    } else if (part === 'request' && typeof name === 'string') inputs[name] = withoutPath(detail);
    else file.push(detail.msg);
  }
  return { fields, inputs, file };
}
