import type { Enrollment } from '../../enrollments/enrollment.js';
import type { FieldStore } from '../../enrollments/enrollmentPorts.js';
import type { ReadyField } from '../../enrollments/field.js';
import type { Clock } from '../../clock.js';
import { limiter } from '../../raster/limiter.js';
import type { Log } from '../../telemetry/telemetry.js';
import { addDays } from '../../validation/calendar.js';
import { groundsOf, missingLayers, type FieldDate } from '../records/fieldDate.js';
import type { Backfill } from './backfill.js';
import { searchArea } from './fieldGroups.js';
import { coverOf } from '../catalogue/footprint.js';
import type { FieldDateStore, FieldGeometrySource, ImageryStore, SceneCatalogue } from '../imageryPorts.js';
import { failedRecord, heldAgainstFiles, lastingRecord } from '../records/judgement.js';
import { recordFieldDates, type RecordPorts } from '../records/recordFieldDates.js';
import { unitsOf, type MissingFieldDate, type RenderUnit } from '../units/renderUnit.js';
import { dayOfScene, type Scene, type UnusableScene } from '../catalogue/scene.js';
import { sceneDays } from '../catalogue/sceneChoice.js';
import { isUsable } from '../catalogue/sceneOfItem.js';
import { updateIndexes, type UpdateIndexesPorts } from '../documents/updateIndexes.js';

export interface SearchPorts extends RecordPorts {
  readonly fields: Pick<FieldStore, 'listFields'> & UpdateIndexesPorts['fields'];
  readonly fieldDates: FieldDateStore;
  readonly imagery: ImageryStore;
  readonly geometries: FieldGeometrySource;
  readonly catalogue: SceneCatalogue;
  /** Days for which files are kept. */
  readonly retentionDays: number;
  readonly clock: Clock;
  readonly log: Log;
}

const CONCURRENT_READS = 8;

/** Days of some fields of an enrollment that lie near each other. */
export interface Search {
  readonly backfill: Pick<Backfill, 'from' | 'to' | 'why'>;
  readonly enrollment: Enrollment;
  readonly fields: readonly ReadyField[];
  /** UTC day. */
  readonly today: string;
}

/** Whether what is recorded as made is held against the files that are there: a field may have been enrolled before. */
const comparesFiles = ({ why }: Search['backfill']): boolean => ['first', 'new', 'remake'].includes(why);

/** What a search found of a field, and what is recorded of it. */
interface Found {
  readonly scenes: readonly Scene[];
  readonly unusable: readonly UnusableScene[];
  readonly recorded: readonly FieldDate[];
}

/** The days of a field on which something is missing, by day. */
function missingOf(
  { backfill, enrollment }: Search,
  field: ReadyField,
  found: { readonly scenes: readonly Scene[]; readonly recorded: readonly FieldDate[] },
): readonly (readonly [date: string, missing: MissingFieldDate])[] {
  const recorded = new Map(found.recorded.map((fieldDate) => [fieldDate.date, fieldDate]));
  const { bbox, epsg, geometryHash } = field.shape;
  return sceneDays(found.scenes, { bbox, epsg }).flatMap(({ date, overpasses }) => {
    if (date < backfill.from || date > backfill.to) return [];
    const isOther = backfill.why === 'retry' && recorded.has(date) && recorded.get(date)?.isToBeTriedAgain !== true;
    // What others of the place have is theirs to keep: a search for a failure sees more tiles than the place's own.
    if (isOther) return [];
    const grounds = groundsOf(geometryHash, overpasses);
    const missing = missingLayers(recorded.get(date), grounds, enrollment.request.layers);
    return missing.length === 0 ? [] : [[date, { field, overpasses }] as const];
  });
}

/**
 * What is recorded of a field. Where the search compares, days whose files are gone are recorded as such first, for the
 * work that makes them again goes by the record. Those that had their time are made again by `remake` alone: whatever
 * else made them would do so after each end of it.
 */
async function recordedOf(
  ports: SearchPorts,
  { backfill, enrollment, today }: Search,
  field: ReadyField,
): Promise<{ readonly recorded: readonly FieldDate[]; readonly lost: readonly FieldDate[] }> {
  const { fieldId } = field;
  const { customer, enrollmentId } = enrollment;
  const recorded = await ports.fieldDates.list(customer, fieldId, backfill);
  const isEmpty = recorded.every(({ layers, outcome }) => layers.length === 0 && outcome !== 'expired');
  if (!comparesFiles(backfill) || isEmpty) return { recorded, lost: [] };
  const files = await ports.imagery.listFiles(customer, fieldId);
  const keptFrom = addDays(today, -ports.retentionDays);
  const comparison = { files, today, keptFrom, isRemake: backfill.why === 'remake' };
  const now = recorded.map((fieldDate) => heldAgainstFiles(fieldDate, comparison));
  const lost = now.filter((fieldDate) => !recorded.includes(fieldDate));
  if (lost.length === 0) return { recorded, lost };
  await recordFieldDates(ports)(customer, enrollmentId, lost, { settle: (found) => found });
  await updateIndexes(ports)(customer, [{ ...field.shape, fieldId }]);
  return { recorded: now, lost };
}

/** Days of a field that only scenes show which the catalogue describes unusably: each is recorded as failed. */
function unusableDays({ backfill, enrollment, today }: Search, field: ReadyField, found: Found): readonly FieldDate[] {
  const { shape, fieldId } = field;
  const recorded = new Map(found.recorded.map((fieldDate) => [fieldDate.date, fieldDate]));
  const isKnown = (date: string): boolean => recorded.has(date) && recorded.get(date)?.isToBeTriedAgain !== true;
  const shown = new Set(sceneDays(found.scenes, shape).map(({ date }) => date));
  return found.unusable.flatMap(({ id, takenAt, footprint, fault }) => {
    const date = dayOfScene({ takenAt });
    const isWanted = date >= backfill.from && date <= backfill.to && !isKnown(date) && !shown.has(date);
    if (!isWanted || coverOf(footprint, shape.bbox) === 'none') return [];
    const finding = { fieldId, date, ...groundsOf(shape.geometryHash, []), scenes: [id] };
    const reason = `The catalogue describes the scene in a way that cannot be used: ${fault}.`;
    return [
      failedRecord(finding, recorded.get(date), { reason, wanted: enrollment.request.layers, isPassing: true, today }),
    ];
  });
}

/** Days that failed and of which the catalogue has no scene any more: nothing will mend them. */
function withdrawnDays({ shape }: ReadyField, { scenes, unusable, recorded }: Found): readonly FieldDate[] {
  const still = unusable.filter(({ footprint }) => coverOf(footprint, shape.bbox) !== 'none').map(dayOfScene);
  const shown = new Set([...sceneDays(scenes, shape).map(({ date }) => date), ...still]);
  return recorded
    .filter(({ date, isToBeTriedAgain }) => isToBeTriedAgain === true && !shown.has(date))
    .map(lastingRecord);
}

/** What a search found out about its fields. */
interface Compared {
  readonly units: readonly RenderUnit[];
  readonly failed: readonly FieldDate[];
  readonly lost: number;
}

async function compare(
  ports: SearchPorts,
  search: Search,
  found: readonly (Scene | UnusableScene)[],
): Promise<Compared> {
  const scenes = found.filter(isUsable);
  const unusable = found.filter((scene): scene is UnusableScene => !isUsable(scene));
  const reading = limiter(CONCURRENT_READS);
  const byDate = new Map<string, MissingFieldDate[]>();
  const failed: FieldDate[] = [];
  let lost = 0;
  const look = async (field: ReadyField): Promise<void> => {
    const { recorded, lost: gone } = await recordedOf(ports, search, field);
    lost += gone.length;
    for (const [date, missing] of missingOf(search, field, { scenes, recorded })) {
      byDate.set(date, [...(byDate.get(date) ?? []), missing]);
    }
    const about = { scenes, unusable, recorded };
    failed.push(...unusableDays(search, field, about), ...withdrawnDays(field, about));
  };
  await Promise.all(search.fields.map((field) => reading(() => look(field))));
  const { enrollmentId, request } = search.enrollment;
  const unitsOn = ([date, missing]: [string, MissingFieldDate[]]): readonly RenderUnit[] =>
    unitsOf(missing, { enrollmentId, date, layers: request.layers });
  return { units: [...byDate].flatMap(unitsOn), failed, lost };
}

const AROUND_MS = 10 * 60_000;

/** From ten minutes before the first day to ten minutes after the last. */
const aroundMidnight = ({ from, to }: Search['backfill']): { readonly from: string; readonly to: string } => ({
  from: new Date(Date.parse(`${from}T00:00:00Z`) - AROUND_MS).toISOString(),
  to: new Date(Date.parse(`${addDays(to, 1)}T00:00:00Z`) + AROUND_MS).toISOString(),
});

/**
 * Searches the catalogue for days of fields near each other. Days on which nothing can be made are recorded.
 *
 * The search reaches ten minutes beyond its days, so that an overpass at midnight is seen whole.
 *
 * @returns the scenes and fields of every day of which something is missing
 * @throws CatalogueError when the catalogue cannot be searched: then nothing is recorded
 */
export const searchScenes =
  (ports: SearchPorts) =>
  async (search: Search, signal: AbortSignal): Promise<readonly RenderUnit[]> => {
    const { backfill, enrollment } = search;
    const { customer, enrollmentId } = enrollment;
    const query = { area: searchArea(search.fields), ...aroundMidnight(backfill) };
    const found = await ports.catalogue.search(query, signal);
    const { units, failed, lost } = await compare(ports, search, found);
    signal.throwIfAborted();
    await recordFieldDates(ports)(customer, enrollmentId, failed);
    const changed = search.fields.filter(({ fieldId }) => failed.some((day) => day.fieldId === fieldId));
    const indexed = changed.map(({ shape, fieldId }) => ({ ...shape, fieldId }));
    await updateIndexes(ports)(customer, indexed, { signal });
    const facts = { customer, enrollmentId, from: backfill.from, to: backfill.to, why: backfill.why };
    ports.log('Imagery:Searched', { ...facts, scenes: found.length, units: units.length, failed: failed.length, lost });
    return units;
  };
