import type { Enrollment } from '../../enrollments/record/enrollment.js';
import type { ReadyField } from '../../enrollments/fields/field.js';
import { limiter } from '../../kit/limiter.js';
import { addDays } from '../../kit/validation/calendar.js';
import type { Found, SceneCatalogue, ShownItem } from '../../scenes/stac/sceneCatalogue.js';
import type { Period } from '../../scenes/stac/searchPeriods.js';
import { unusableFacts } from '../../scenes/item/unusableFacts.js';
import { updateIndexes, type UpdateIndexesPorts } from '../documents/updateIndexes.js';
import type { ImageryStore } from '../documents/blobImageryStore.js';
import type { FieldGeometrySource } from '../../scenes/pixels/pixelPorts.js';
import type { FieldDateStore } from '../records/tableFieldDateStore.js';
import { interestsOf, type Interest, type InterestedField } from '../interest/interest.js';
import type { Product } from '../products/product.js';
import { groundsOf, missingLayers, type FieldDate } from '../../enrollments/fields/fieldDate.js';
import { heldAgainstFiles, lastingRecord } from '../records/judgement.js';
import { recordFieldDates, type RecordPorts } from '../records/recordFieldDates.js';
import { fieldDays, tilesOf, sliceWorkOf, type FieldDay, type SliceWork } from '../units/renderCell.js';
import { slicesOf } from '../units/slices.js';
import type { Backfill } from './backfill.js';
import { foundProducts } from './foundProducts.js';
import { searchArea } from './searchArea.js';

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

/** Whether records are compared with the files: the fields of a new enrollment may have been enrolled before. */
const comparesFiles = ({ why }: DaysToLookThrough['backfill']): boolean => ['first', 'new', 'remake'].includes(why);

/**
 * The records of a field. Where the backfill compares files, days whose files are gone are first recorded as such, for the
 * work that makes the files again goes by the record. Files whose time is over are made again by `remake` alone; anything
 * else would make them again after each expiry.
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
  if (lost.length > 0) {
    await recordFieldDates(ports)(customer, enrollmentId, lost, { settle: (found) => found });
    await updateIndexes(ports)(customer, [field]);
  }
  return { recorded: now, lost: lost.length };
}

/** Whether something of a field is missing on a day. */
function isMissing(
  { backfill, enrollment }: DaysToLookThrough,
  { geometryHash }: InterestedField,
  { day, recorded }: { readonly day: FieldDay; readonly recorded: FieldDate | undefined },
): boolean {
  const isInTime = backfill.from <= day.date && day.date <= backfill.to;
  // A retry concerns days that failed; what is recorded of other days stays.
  const isOther = backfill.why === 'retry' && recorded !== undefined && recorded.isToBeTriedAgain !== true;
  if (!isInTime || isOther) return false;
  return missingLayers(recorded, groundsOf(geometryHash, day.overpasses), enrollment.request.layers).length > 0;
}

/** The fields of an enrollment that have their home in a tile, and what a search around them found. */
interface SearchedTile {
  readonly tile: string;
  readonly fields: readonly InterestedField[];
  readonly found: Found<ShownItem>;
  readonly productsOf: (field: InterestedField) => readonly Product[];
}

/** What the fields of a tile miss. */
interface Compared {
  /** By field, the days on which something is missing. */
  readonly missing: ReadonlyMap<InterestedField, readonly FieldDay[]>;
  /** Days that failed and of which the catalogue has nothing any more, so that no retry helps. */
  readonly withdrawn: readonly FieldDate[];
  /** Days whose files are gone. */
  readonly lost: number;
}

async function compare(
  ports: MissingDaysPorts,
  search: DaysToLookThrough,
  { tile, fields, productsOf }: SearchedTile,
): Promise<Compared> {
  const reading = limiter(CONCURRENT_READS);
  const look = async (field: InterestedField) => {
    const { recorded, lost } = await recordedOf(ports, search, field);
    const byDate = new Map(recorded.map((fieldDate) => [fieldDate.date, fieldDate]));
    const days = fieldDays(productsOf(field), field, tile);
    const missing = days.filter((day) => isMissing(search, field, { day, recorded: byDate.get(day.date) }));
    const isGone = ({ date, isToBeTriedAgain }: FieldDate): boolean =>
      isToBeTriedAgain === true && !days.some((day) => day.date === date);
    return { field, missing, withdrawn: recorded.filter(isGone).map(lastingRecord), lost };
  };
  const found = await Promise.all(fields.map((field) => reading(() => look(field))));
  return {
    missing: new Map(found.map(({ field, missing }) => [field, missing])),
    withdrawn: found.flatMap(({ withdrawn }) => withdrawn),
    lost: found.reduce((sum, { lost }) => sum + lost, 0),
  };
}

/** What is to be made, by day and slice, in the form that units have too. */
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

/** From ten minutes before the first day to ten minutes after the last, so that an overpass at midnight is found whole. */
const aroundMidnight = ({ from, to }: Period): { readonly from: string; readonly to: string } => ({
  from: new Date(Date.parse(`${from}T00:00:00Z`) - AROUND_MS).toISOString(),
  to: new Date(Date.parse(`${addDays(to, 1)}T00:00:00Z`) + AROUND_MS).toISOString(),
});

/** Searches for what shows the fields of a tile. A field that no tile shows whole is shown by several. */
async function searchedTile(
  { catalogue }: MissingDaysPorts,
  { backfill, today }: DaysToLookThrough,
  { tile, entries, signal }: { readonly tile: string; readonly entries: readonly Interest[]; signal: AbortSignal },
): Promise<SearchedTile> {
  const fields = entries.flatMap((entry) => entry.fields);
  const area = searchArea(fields.map(({ bbox }) => bbox));
  const found = await catalogue.search({ area, ...aroundMidnight(backfill) }, signal);
  const names = new Set([tile, ...fields.flatMap((field) => tilesOf(tile, field))]);
  const shown = new Map(
    [...names].map((name) => [name, foundProducts(found.items, { tile: name, wanted: fields, today })]),
  );
  const productsOf = (field: InterestedField): readonly Product[] =>
    tilesOf(tile, field).flatMap((name) => shown.get(name) ?? []);
  return { tile, fields, found, productsOf };
}

/**
 * Searches the catalogue for days of an enrollment's fields, tile by tile, and compares what it has with the records. Days
 * that failed and of which the catalogue has nothing any more are recorded as such.
 *
 * @returns what is to be made
 * @throws CatalogueError when the catalogue can't be searched: then nothing is recorded
 */
export const missingDays =
  (ports: MissingDaysPorts) =>
  async (search: DaysToLookThrough, signal: AbortSignal): Promise<readonly SliceWork[]> => {
    const { customer, enrollmentId } = search.enrollment;
    const { from, to, why } = search.backfill;
    const all: SliceWork[] = [];
    for (const [tile, entries] of entriesByHome(search)) {
      const searched = await searchedTile(ports, search, { tile, entries, signal });
      const compared = await compare(ports, search, searched);
      const { withdrawn, lost } = compared;
      signal.throwIfAborted();
      await recordFieldDates(ports)(customer, enrollmentId, withdrawn);
      const changed = searched.fields.filter(({ fieldId }) => withdrawn.some((day) => day.fieldId === fieldId));
      await updateIndexes(ports)(customer, changed, { signal });
      const works = worksOf(entries, compared);
      const { items, unreadableIds = [] } = searched.found;
      const facts = { customer, enrollmentId, from, to, why, tile, scenes: items.length, units: works.length };
      const ends = { withdrawn: withdrawn.length, lost };
      ports.log('Imagery:Searched', { ...facts, ...ends, ...unusableFacts(unreadableIds) });
      all.push(...works);
    }
    return all;
  };
