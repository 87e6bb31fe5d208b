import type { Enrollment } from '../../enrollments/enrollment.js';
import type { EnrollmentStore, FieldStore } from '../../enrollments/enrollmentPorts.js';
import type { ReadyField } from '../../enrollments/field.js';
import type { Clock } from '../../clock.js';
import type { MarkStore } from '../../openMarks/openMark.js';
import { limiter } from '../../raster/limiter.js';
import type { Log } from '../../telemetry/telemetry.js';
import { addDays } from '../../validation/calendar.js';
import { groundsOf, missingLayers, type FieldDate } from '../records/fieldDate.js';
import { fieldGroups, searchArea } from './fieldGroups.js';
import { coverOf } from '../catalogue/footprint.js';
import type {
  FieldDateStore,
  FieldGeometrySource,
  ImageryStore,
  ImageryWorkStore,
  PendingWork,
  SceneCatalogue,
  RetryStore,
} from '../imageryPorts.js';
import { newestFirst } from '../work/imageryWork.js';
import { failedRecord, heldAgainstFiles, lastingRecord } from '../records/judgement.js';
import { searchId, type SearchDocument } from './planImagery.js';
import { recordFieldDates } from '../records/recordFieldDates.js';
import { unitsOf, type MissingFieldDate, type RenderUnit } from '../units/renderUnit.js';
import type { WorkHold } from '../work/attempt.js';
import { activateNext, type RunWorkPorts } from '../work/runWork.js';
import { dayOfScene, type Scene, type UnusableScene } from '../catalogue/scene.js';
import { sceneDays } from '../catalogue/sceneChoice.js';
import { isUsable } from '../catalogue/sceneOfItem.js';
import { updateIndexes, type UpdateIndexesPorts } from '../documents/updateIndexes.js';

export interface SearchPorts extends Pick<RunWorkPorts, 'queue' | 'activeLimits'> {
  readonly enrollments: Pick<EnrollmentStore, 'find'>;
  readonly fields: Pick<FieldStore, 'listFields'> & UpdateIndexesPorts['fields'];
  readonly fieldDates: FieldDateStore;
  readonly retries: Pick<RetryStore, 'put'>;
  readonly marks: Pick<MarkStore, 'raise'>;
  readonly imagery: ImageryStore;
  readonly geometries: FieldGeometrySource;
  readonly work: ImageryWorkStore;
  readonly catalogue: SceneCatalogue;
  /** Days for which files are kept. */
  readonly retentionDays: number;
  readonly clock: Clock;
  readonly log: Log;
}

const CONCURRENT_READS = 8;
/** Days after the end of an enrollment's period until a search that always fails is dropped. */
const HOPELESS_AFTER_DAYS = 30;
/** Sorts behind every other search: what has failed so often waits until the others are done. */
const LAST = 'z';

/** A search as it is being done. */
interface Search {
  readonly customer: string;
  readonly document: SearchDocument;
  readonly enrollment: Enrollment;
  readonly fields: readonly ReadyField[];
  /** UTC day. */
  readonly today: string;
}

/** What a search found of a field, and what is recorded of it. */
interface Found {
  readonly scenes: readonly Scene[];
  readonly unusable: readonly UnusableScene[];
  readonly recorded: readonly FieldDate[];
}

async function begun(ports: SearchPorts, customer: string, document: SearchDocument): Promise<Search | undefined> {
  const key = { customer, enrollmentId: document.enrollmentId };
  const stored = await ports.enrollments.find(key);
  if (stored === undefined || stored.enrollment.stoppedAt !== undefined) return undefined;
  const ready = (await ports.fields.listFields(key)).filter((field) => field.status === 'ready');
  const group = fieldGroups(ready).find(({ id }) => id === document.group);
  if (group === undefined) return undefined;
  const today = ports.clock.now().toISOString().slice(0, 10);
  return { customer, document, enrollment: stored.enrollment, fields: group.fields, today };
}

/** The days of a field on which something is missing, by day. */
function missingOf(
  { document, enrollment }: Search,
  field: ReadyField,
  found: { readonly scenes: readonly Scene[]; readonly recorded: readonly FieldDate[] },
): readonly (readonly [date: string, missing: MissingFieldDate])[] {
  const recorded = new Map(found.recorded.map((fieldDate) => [fieldDate.date, fieldDate]));
  const { bbox, epsg, geometryHash } = field.shape;
  return sceneDays(found.scenes, { bbox, epsg }).flatMap(({ date, overpasses }) => {
    if (date < document.from || date > document.to) return [];
    const isOther = document.isRetry === true && recorded.has(date) && recorded.get(date)?.isToBeTriedAgain !== true;
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
  { customer, document, today }: Search,
  field: ReadyField,
): Promise<{ readonly recorded: readonly FieldDate[]; readonly lost: readonly FieldDate[] }> {
  const { fieldId } = field;
  const recorded = await ports.fieldDates.list(customer, fieldId, document);
  const isEmpty = recorded.every(({ layers, outcome }) => layers.length === 0 && outcome !== 'expired');
  if (document.comparesFiles !== true || isEmpty) return { recorded, lost: [] };
  const files = await ports.imagery.listFiles(customer, fieldId);
  const keptFrom = addDays(today, -ports.retentionDays);
  const comparison = { files, today, keptFrom, isRemake: document.isRemake === true };
  const now = recorded.map((fieldDate) => heldAgainstFiles(fieldDate, comparison));
  const lost = now.filter((fieldDate) => !recorded.includes(fieldDate));
  if (lost.length === 0) return { recorded, lost };
  await recordFieldDates(ports)(customer, document.enrollmentId, lost, { settle: (found) => found });
  await updateIndexes(ports)(customer, [{ ...field.shape, fieldId }]);
  return { recorded: now, lost };
}

/** Days of a field that only scenes show which the catalogue describes unusably: each is recorded as failed. */
function unusableDays({ document, enrollment, today }: Search, field: ReadyField, found: Found): readonly FieldDate[] {
  const { shape, fieldId } = field;
  const recorded = new Map(found.recorded.map((fieldDate) => [fieldDate.date, fieldDate]));
  const isKnown = (date: string): boolean => recorded.has(date) && recorded.get(date)?.isToBeTriedAgain !== true;
  const shown = new Set(sceneDays(found.scenes, shape).map(({ date }) => date));
  return found.unusable.flatMap(({ id, takenAt, footprint, fault }) => {
    const date = dayOfScene({ takenAt });
    const isWanted = date >= document.from && date <= document.to && !isKnown(date) && !shown.has(date);
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

const unitId = ({ date, enrollmentId }: RenderUnit, group: string, part: number): string =>
  `${newestFirst(date)}_${enrollmentId}_${group}_${date}_${part}`;

function pendingUnits(
  { document, enrollment }: Search,
  byDate: ReadonlyMap<string, MissingFieldDate[]>,
): PendingWork[] {
  const { enrollmentId, group } = document;
  return [...byDate].flatMap(([date, missing]) =>
    unitsOf(missing, { enrollmentId, date, layers: enrollment.request.layers }).map((unit, part) => ({
      id: unitId(unit, group, part),
      document: unit,
    })),
  );
}

/** Everything a search found out about its fields. */
async function compare(
  ports: SearchPorts,
  search: Search,
  found: readonly (Scene | UnusableScene)[],
): Promise<{ readonly units: readonly PendingWork[]; readonly failed: readonly FieldDate[]; readonly lost: number }> {
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
  return { units: pendingUnits(search, byDate), failed, lost };
}

const AROUND_MS = 10 * 60_000;

/** From ten minutes before the first day to ten minutes after the last. */
const aroundMidnight = ({ from, to }: SearchDocument): { readonly from: string; readonly to: string } => ({
  from: new Date(Date.parse(`${from}T00:00:00Z`) - AROUND_MS).toISOString(),
  to: new Date(Date.parse(`${addDays(to, 1)}T00:00:00Z`) + AROUND_MS).toISOString(),
});

/** Whether nobody can be waiting for this search any more. */
function isHopeless({ request, createdAt }: Enrollment, today: string): boolean {
  const created = new Date(createdAt).toISOString().slice(0, 10);
  const last = request.endDate > created ? request.endDate : created;
  return today > addDays(last, HOPELESS_AFTER_DAYS);
}

/** Notes a failure of before again whose search comes to nothing, for whoever holds the field on that day. */
async function handBack({ retries, clock }: SearchPorts, customer: string, document: SearchDocument): Promise<void> {
  if (document.isRetry !== true) return;
  const { enrollmentId, from: date } = document;
  const dueDate = addDays(clock.now().toISOString().slice(0, 10), 1);
  await retries.put(customer, { enrollmentId, date, dueDate });
}

/**
 * Searches the catalogue for one place and period and leaves work for every day of which something is missing, one
 * piece for the scenes of a day with their fields. Days on which everything is recorded cost nothing more.
 *
 * The search reaches ten minutes beyond its days, so that an overpass at midnight is seen whole.
 *
 * @throws CatalogueError when the catalogue cannot be searched: then nothing is recorded
 */
export const searchScenes =
  (ports: SearchPorts) =>
  async (customer: string, document: SearchDocument, hold: WorkHold): Promise<void> => {
    const search = await begun(ports, customer, document);
    if (search === undefined) return handBack(ports, customer, document);
    const { from, to } = document;
    const query = { area: searchArea(search.fields), ...aroundMidnight(document) };
    const found = await ports.catalogue.search(query, hold.signal);
    const { units, failed, lost } = await compare(ports, search, found);
    hold.signal.throwIfAborted();
    await ports.work.add(customer, 'render', units);
    await recordFieldDates(ports)(customer, document.enrollmentId, failed);
    const changed = search.fields.filter(({ fieldId }) => failed.some((day) => day.fieldId === fieldId));
    const indexed = changed.map(({ shape, fieldId }) => ({ ...shape, fieldId }));
    await updateIndexes(ports)(customer, indexed, { signal: hold.signal });
    await activateNext(ports)(customer, 'render');
    const facts = { customer, enrollmentId: document.enrollmentId, group: document.group, from, to };
    ports.log('Imagery:Searched', { ...facts, scenes: found.length, units: units.length, failed: failed.length, lost });
  };

/**
 * Puts a search that failed too often behind the others. It is never dropped while the enrollment is at work: an
 * outage must not pass for "no imagery". One for a failure of before comes again another day.
 */
export const postponeSearch =
  (ports: SearchPorts) =>
  async (customer: string, document: SearchDocument, reason: string): Promise<void> => {
    const search = await begun(ports, customer, document);
    if (search === undefined) return handBack(ports, customer, document);
    const isDropped = isHopeless(search.enrollment, ports.clock.now().toISOString().slice(0, 10));
    ports.log('Imagery:SearchPostponed', { customer, ...document, reason, isDropped });
    if (isDropped) await handBack(ports, customer, document);
    else await ports.work.add(customer, 'search', [{ id: `${LAST}${searchId(document)}`, document }]);
  };
