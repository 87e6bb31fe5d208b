import type { Enrollment } from '../../enrollments/enrollment.js';
import type { ReadyField } from '../../enrollments/field.js';
import { limiter } from '../../raster/limiter.js';
import { addDays } from '../../validation/calendar.js';
import { unusableFacts } from '../catalogue/unusableFacts.js';
import { updateIndexes, type UpdateIndexesPorts } from '../documents/updateIndexes.js';
import type { ImageryStore } from '../documents/blobImageryStore.js';
import type { FieldGeometrySource } from '../pixels/pixelPorts.js';
import type { FieldDateStore } from '../records/tableFieldDateStore.js';
import { interestsOf, type Interest, type InterestedField } from '../interest/interest.js';
import { groundsOf, missingLayers, type FieldDate } from '../records/fieldDate.js';
import { heldAgainstFiles, lastingRecord } from '../records/judgement.js';
import { recordFieldDates, type RecordPorts } from '../records/recordFieldDates.js';
import { fieldDays, tilesOf, sliceWorkOf, type FieldDay, type SliceWork } from '../units/renderCell.js';
import { slicesOf } from '../units/slices.js';
import type { Backfill } from './backfill.js';
import type { Found, SceneCatalogue, ShownItem } from '../catalogue/sceneCatalogue.js';
import { foundProducts } from './foundProducts.js';
import type { Product } from '../products/product.js';
import { searchArea } from './searchArea.js';
import type { Period } from '../catalogue/searchPeriods.js';

export interface MissingDaysPorts extends RecordPorts {
  readonly fields: UpdateIndexesPorts['fields'];
  readonly geometries: FieldGeometrySource;
  readonly fieldDates: FieldDateStore;
  readonly imagery: ImageryStore;
  readonly catalogue: Pick<SceneCatalogue, 'search'>;
  /** Days for which files are kept. */
  readonly retentionDays: number;
}

const CONCURRENT_READS = 8;

/** Days of fields of an enrollment. */
export interface DaysToLookThrough {
  readonly backfill: Pick<Backfill, 'from' | 'to' | 'why'>;
  readonly enrollment: Enrollment;
  readonly fields: readonly ReadyField[];
  /** UTC day. */
  readonly today: string;
}

/** Whether what is recorded as made is held against the files that are there: a field may have been enrolled before. */
const comparesFiles = ({ why }: DaysToLookThrough['backfill']): boolean => ['first', 'new', 'remake'].includes(why);

/**
 * What is recorded of a field. Where the search compares, days whose files are gone are recorded as such first, for the
 * work that makes them again goes by the record. Those that had their time are made again by `remake` alone: whatever
 * else made them would do so after each end of it.
 */
async function recordedOf(
  ports: MissingDaysPorts,
  { backfill, enrollment, today }: DaysToLookThrough,
  field: InterestedField,
): Promise<{ readonly recorded: readonly FieldDate[]; readonly lost: number }> {
  const { fieldId } = field;
  const { customer, enrollmentId } = enrollment;
  const recorded = await ports.fieldDates.list(customer, fieldId, backfill);
  const isEmpty = recorded.every(({ layers, outcome }) => layers.length === 0 && outcome !== 'expired');
  if (!comparesFiles(backfill) || isEmpty) return { recorded, lost: 0 };
  const files = await ports.imagery.listFiles(customer, fieldId);
  const keptFrom = addDays(today, -ports.retentionDays);
  const comparison = { files, today, keptFrom, isRemake: backfill.why === 'remake' };
  const now = recorded.map((fieldDate) => heldAgainstFiles(fieldDate, comparison));
  const lost = now.filter((fieldDate) => !recorded.includes(fieldDate));
  if (lost.length === 0) return { recorded, lost: 0 };
  await recordFieldDates(ports)(customer, enrollmentId, lost, { settle: (found) => found });
  await updateIndexes(ports)(customer, [field]);
  return { recorded: now, lost: lost.length };
}

/** Whether something of a field is missing on a day. */
function isMissing(
  { backfill, enrollment }: DaysToLookThrough,
  { geometryHash }: InterestedField,
  { day, recorded }: { readonly day: FieldDay; readonly recorded: FieldDate | undefined },
): boolean {
  const isInTime = backfill.from <= day.date && day.date <= backfill.to;
  // What others of the place have is theirs to keep.
  const isOther = backfill.why === 'retry' && recorded !== undefined && recorded.isToBeTriedAgain !== true;
  if (!isInTime || isOther) return false;
  return missingLayers(recorded, groundsOf(geometryHash, day.overpasses), enrollment.request.layers).length > 0;
}

/** What was found out about the fields of a tile. */
interface Compared {
  /** The days of a field on which something is missing. */
  readonly missing: ReadonlyMap<InterestedField, readonly FieldDay[]>;
  /** Days that failed and of which the catalogue has nothing any more: nothing will mend them. */
  readonly withdrawn: readonly FieldDate[];
  readonly lost: number;
}

async function compare(
  ports: MissingDaysPorts,
  search: DaysToLookThrough,
  { tile, fields, productsOf }: TileOfSearch,
): Promise<Compared> {
  const reading = limiter(CONCURRENT_READS);
  const looks = fields.map((field) =>
    reading(async () => {
      const { recorded, lost } = await recordedOf(ports, search, field);
      const byDate = new Map(recorded.map((fieldDate) => [fieldDate.date, fieldDate]));
      const days = fieldDays(productsOf(field), field, tile);
      const missing = days.filter((day) => isMissing(search, field, { day, recorded: byDate.get(day.date) }));
      const isGone = ({ date, isToBeTriedAgain }: FieldDate): boolean =>
        isToBeTriedAgain === true && !days.some((day) => day.date === date);
      return { field, missing, withdrawn: recorded.filter(isGone).map(lastingRecord), lost };
    }),
  );
  const found = await Promise.all(looks);
  return {
    missing: new Map(found.map(({ field, missing }) => [field, missing])),
    withdrawn: found.flatMap(({ withdrawn }) => withdrawn),
    lost: found.reduce((sum, { lost }) => sum + lost, 0),
  };
}

/** The work of each day, by entry of the index, as it is for units. */
function worksOf(entries: readonly Interest[], { missing }: Compared): readonly SliceWork[] {
  const dates = new Set([...missing.values()].flat().map(({ date }) => date));
  return [...dates].flatMap((date) =>
    slicesOf(entries).flatMap((slice) => {
      const shown = slice.fields.flatMap((field) => {
        const day = missing.get(field)?.find((found) => found.date === date);
        return day === undefined ? [] : [{ field, day }];
      });
      return sliceWorkOf(slice, date, shown) ?? [];
    }),
  );
}

/** The fields of an enrollment that have their home in a tile. */
interface TileOfSearch {
  readonly tile: string;
  readonly entries: readonly Interest[];
  readonly fields: readonly InterestedField[];
  readonly productsOf: (field: InterestedField) => readonly Product[];
}

/** The entries of fields by the tile that is their home. */
function entriesByHome({ enrollment, fields }: DaysToLookThrough): ReadonlyMap<string, readonly Interest[]> {
  const homes = new Map<string, Interest[]>();
  for (const entry of interestsOf(enrollment, fields)) {
    const { tile } = entry;
    const atHome = entry.fields.filter((field) => tilesOf(tile, field)[0] === tile);
    if (atHome.length > 0) homes.set(tile, [...(homes.get(tile) ?? []), { ...entry, fields: atHome }]);
  }
  return homes;
}

const AROUND_MS = 10 * 60_000;

/** From ten minutes before the first day to ten minutes after the last, so that an overpass at midnight is seen whole. */
const aroundMidnight = ({ from, to }: Period): { readonly from: string; readonly to: string } => ({
  from: new Date(Date.parse(`${from}T00:00:00Z`) - AROUND_MS).toISOString(),
  to: new Date(Date.parse(`${addDays(to, 1)}T00:00:00Z`) + AROUND_MS).toISOString(),
});

/** Searches for what shows the fields of a tile. Fields that no tile has whole are shown by several. */
async function searchedTile(
  ports: MissingDaysPorts,
  { backfill, today }: DaysToLookThrough,
  { tile, entries, signal }: { readonly tile: string; readonly entries: readonly Interest[]; signal: AbortSignal },
): Promise<{ readonly searched: TileOfSearch; readonly found: Found<ShownItem> }> {
  const fields = entries.flatMap((entry) => entry.fields);
  const query = { area: searchArea(fields.map(({ bbox }) => bbox)), ...aroundMidnight(backfill) };
  const found = await ports.catalogue.search(query, signal);
  const names = new Set([tile, ...fields.flatMap((field) => tilesOf(tile, field))]);
  const shown = new Map(
    [...names].map((name) => [name, foundProducts(found.items, { tile: name, wanted: fields, today })]),
  );
  const productsOf = (field: InterestedField): readonly Product[] =>
    tilesOf(tile, field).flatMap((name) => shown.get(name) ?? []);
  return { searched: { tile, entries, fields, productsOf }, found };
}

/**
 * Searches the catalogue for days of an enrollment's fields, tile by tile, and compares what it has with the record. Days
 * of which it has nothing any more are recorded as such.
 *
 * @returns what is to be made
 * @throws CatalogueError when the catalogue cannot be searched: then nothing is recorded
 */
export const missingDays =
  (ports: MissingDaysPorts) =>
  async (search: DaysToLookThrough, signal: AbortSignal): Promise<readonly SliceWork[]> => {
    const { customer, enrollmentId } = search.enrollment;
    const { from, to, why } = search.backfill;
    const all: SliceWork[] = [];
    for (const [tile, entries] of entriesByHome(search)) {
      const { searched, found } = await searchedTile(ports, search, { tile, entries, signal });
      const compared = await compare(ports, search, searched);
      signal.throwIfAborted();
      await recordFieldDates(ports)(customer, enrollmentId, compared.withdrawn);
      const changed = searched.fields.filter(({ fieldId }) =>
        compared.withdrawn.some((day) => day.fieldId === fieldId),
      );
      await updateIndexes(ports)(customer, changed, { signal });
      const works = worksOf(entries, compared);
      const facts = { customer, enrollmentId, from, to, why, tile, scenes: found.items.length, units: works.length };
      const ends = { withdrawn: compared.withdrawn.length, lost: compared.lost };
      ports.log('Imagery:Searched', { ...facts, ...ends, ...unusableFacts(found.unreadableIds ?? []) });
      all.push(...works);
    }
    return all;
  };
