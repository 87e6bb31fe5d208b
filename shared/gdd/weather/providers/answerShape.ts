/** Readers of a provider's JSON answer: each names the member that does not have the documented kind of value. */
import { WeatherError, type WeatherOrigin } from '../weatherSource.js';

/** The members of a JSON object, not checked yet. */
export type JsonMembers = Readonly<Record<string, unknown>>;

/** The answer does not have the shape it is documented to have. */
export class ShapeError extends Error {}

/** Reads an answer. @throws WeatherError `invalid` instead of a ShapeError of `read` */
export function readAnswer<Answer>(provider: string, json: unknown, read: (json: unknown) => Answer): Answer {
  try {
    return read(json);
  } catch (error) {
    if (!(error instanceof ShapeError)) throw error;
    throw new WeatherError('invalid', provider, `sent an unusable answer: ${error.message}.`, { cause: error });
  }
}

/** The members of an object. */
export function membersOf(value: unknown, name: string): JsonMembers {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new ShapeError(`no object ${name}`);
  return value as JsonMembers;
}

/** The members of an object within an object. */
export const memberOf = (value: unknown, name: string): JsonMembers =>
  membersOf(membersOf(value, 'around')[name], name);

/** The members of an object that may be left out: none where it is absent or null. */
export const optionalMembersOf = (value: unknown, name: string): JsonMembers =>
  value === undefined || value === null ? {} : membersOf(value, name);

/** A finite number. */
export function numberOf(value: unknown, name: string): number {
  if (typeof value !== 'number' || !Number.isFinite(value)) throw new ShapeError(`no number ${name}`);
  return value;
}

/** A list, which may be empty. */
export function arrayOf(value: unknown, name: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new ShapeError(`no list ${name}`);
  return value;
}

/** A finite number, or null where the provider has no value: absent or null. */
export const temperatureOf = (value: unknown, name: string): number | null =>
  value === undefined || value === null ? null : numberOf(value, name);

/** Refuses every value but one. */
export function expectText(value: unknown, expected: string, name: string): void {
  if (value !== expected) throw new ShapeError(`${name} is not ${expected}`);
}

type GridCell = Pick<WeatherOrigin, 'gridLatitude' | 'gridLongitude' | 'gridElevationM'>;

/** Whether the ground may have this height, m; a fill value is none. */
const isHeight = (value: unknown): value is number => typeof value === 'number' && value > -500 && value < 9000;

/** The grid cell of an answer: degrees WGS 84, and metres where the answer tells the height. */
export const gridCellOf = ({ latitude, longitude, elevation }: JsonMembers): GridCell => ({
  gridLatitude: numberOf(latitude, 'latitude'),
  gridLongitude: numberOf(longitude, 'longitude'),
  ...(isHeight(elevation) && { gridElevationM: elevation }),
});

/** The grid cell of a GeoJSON answer: its third coordinate is the height. */
export function geoJsonCellOf(answer: unknown): GridCell {
  const [longitude, latitude, elevation] = arrayOf(memberOf(answer, 'geometry')['coordinates'], 'geometry.coordinates');
  return gridCellOf({ latitude, longitude, elevation });
}
