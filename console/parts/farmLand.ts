import type { MultiPolygon, Polygon } from '../../shared/geo/shapes/geoJson.js';
import { polygonAreaHa } from '../../shared/geo/grid/polygonArea.js';
import { listFarmFields, listFarms, landName, MOST_OUTLINES, readOutlines } from '../api/farm.js';
import type { Farm, FarmFieldRecord, Listed } from '../api/farm.js';
import { useLoaded, type Loaded } from './useLoaded.js';

/** A party, a farm of it or empty for all of them. */
export interface FarmPlace {
  readonly partyId: string;
  readonly farmId: string;
}

/** A field as lists and maps of the page show it. */
export interface LandField {
  readonly id: string;
  readonly name: string;
  readonly farmId: string | undefined;
  /** Undefined for a point, and for fields beyond those that the map shows. */
  readonly geometry: Polygon | MultiPolygon | undefined;
  /** Hectares. */
  readonly areaHa: number | undefined;
}

/** The fields of a farm. */
export interface LandFields {
  readonly fields: readonly LandField[];
  /** What of it is missing, in a sentence. */
  readonly note: string | undefined;
  /** True when there are more than are listed. */
  readonly isCut: boolean;
  /** Why the map shows none. */
  readonly mapError?: unknown;
}

/** Joins a list with the outlines of its fields: what is no field of the list is not shown on the map either. */
export function landFieldsOf(
  { items, isCut }: Listed<FarmFieldRecord>,
  outlines: ReadonlyMap<string, Polygon | MultiPolygon>,
): LandFields {
  const fields = items.map((field): LandField => {
    const geometry = outlines.get(field.id);
    const areaHa = geometry === undefined ? undefined : polygonAreaHa(geometry);
    return { id: field.id, name: landName(field), farmId: field.farmId, geometry, areaHa };
  });
  return { fields, note: noteOf(items.length, isCut), isCut };
}

function noteOf(count: number, isCut: boolean): string | undefined {
  if (isCut) return `Only the first ${count} fields are listed. Choose a farm to see the others.`;
  return count > MOST_OUTLINES
    ? `The map shows the first ${MOST_OUTLINES} fields. Choose a farm to see others.`
    : undefined;
}

async function readFields(place: FarmPlace, signal: AbortSignal): Promise<LandFields> {
  const outlines = readOutlines(place, signal).then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  const listed = await listFarmFields(place, signal);
  const drawn = await outlines;
  // The list is of use without a map.
  if ('error' in drawn) return { ...landFieldsOf(listed, new Map()), mapError: drawn.error };
  return landFieldsOf(listed, drawn.value);
}

/** The farms of a party; none of no party. */
export const useFarms = (partyId: string): Loaded<Listed<Farm>> =>
  useLoaded(partyId === '' ? undefined : partyId, (signal) => listFarms(partyId, signal));

/** The fields of a party or farm; none of no party. */
export const useLandFields = (place: FarmPlace | undefined): Loaded<LandFields> =>
  useLoaded(
    place === undefined || place.partyId === '' ? undefined : JSON.stringify([place.partyId, place.farmId]),
    (signal) => readFields(place ?? { partyId: '', farmId: '' }, signal),
  );
