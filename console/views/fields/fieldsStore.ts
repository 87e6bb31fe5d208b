import { batch, computed, signal } from '@preact/signals';
import { areFieldsArriving } from '../../api/enrollments.js';
import { listFields, readDays, withItemFigures, type IndexDay, type ListedField } from '../../api/fields.js';
import { customerFolder } from '../../api/storage.js';
import { isSearchedFor, knownDays, type KnownDays } from './dayState.js';
import { forgetAtSignOut } from '../../session/forgetting.js';

/** The fields of the customer, and their days as far as they are known. Kept while views come and go. */
export const fields = signal<readonly ListedField[] | undefined>(undefined);
/** True while no field is listed yet and some are being taken in. */
export const areArriving = signal(false);
/** Why there is no list, or no newer one. */
export const listError = signal<unknown>(undefined);
export const days = signal<ReadonlyMap<string, KnownDays>>(new Map());
/** Why days can't be read: storage is away, or lets nobody through from here. */
export const storageError = signal<unknown>(undefined);
/** The customer's folder, once storage was asked. */
export const folder = signal<string | undefined>(undefined);

/** True while fields or pictures are to come that weren't there before. */
export const isSearching = computed(() => areArriving.value || fields.value?.some(isSearchedFor) === true);

/** Documents that are read at the same time: pictures want the other connections. */
const READERS = 3;
let reading = new Set<string>();

/** Forgets everything, for another customer. */
function forgetFields(): void {
  batch(() => {
    fields.value = undefined;
    areArriving.value = false;
    listError.value = undefined;
    days.value = new Map();
    storageError.value = undefined;
    folder.value = undefined;
  });
  reading = new Set();
}
forgetAtSignOut(forgetFields);

/** A geometry changes with an enrollment, which is named. */
const stateOfField = ({ group, area_ha, enrollments, errors, newest, newest_picture }: ListedField): string =>
  JSON.stringify([group, area_ha, enrollments, errors, newest, newest_picture]);

/** What is as it was stays the same object, the list too: nothing that was made of it need be made again. */
function kept(before: readonly ListedField[], listed: readonly ListedField[]): readonly ListedField[] {
  const known = new Map(before.map((field) => [field.field_id, field]));
  const merged = listed.map((field) => {
    const old = known.get(field.field_id);
    return old !== undefined && stateOfField(old) === stateOfField(field) ? old : field;
  });
  const isSame = merged.length === before.length && merged.every((field, index) => field === before[index]);
  return isSame ? before : merged;
}

/** Lists the fields anew. @returns the ids of those whose newest day is another one than before */
export async function loadFields(signal: AbortSignal): Promise<readonly string[]> {
  try {
    const before = new Map(fields.value?.map((field) => [field.field_id, JSON.stringify(field.newest)]));
    const listed = kept(fields.value ?? [], await listFields(signal));
    const isToCome = listed.length === 0 && (await areFieldsArriving(signal));
    batch(() => {
      fields.value = listed;
      areArriving.value = isToCome;
      listError.value = undefined;
    });
    return listed
      .filter((field) => before.has(field.field_id) && before.get(field.field_id) !== JSON.stringify(field.newest))
      .map((field) => field.field_id);
  } catch (error) {
    if (!signal.aborted) listError.value = error;
    return [];
  }
}

const hasFigures = (known: readonly IndexDay[]): boolean =>
  known.every(({ outcome, statistics }) => outcome !== 'done' || statistics !== undefined);

/** Whether a field has days to read: the list names the newest of them. */
const hasDays = (fieldId: string): boolean => fields.value?.find(({ field_id: id }) => id === fieldId)?.newest !== null;

/** Reads a field's days; the figures too where they stand elsewhere, for the one field that is looked at. */
export async function loadDays(fieldId: string, isLookedAt = false): Promise<boolean> {
  try {
    folder.value ??= await customerFolder();
    // A field that no day was looked at of has no document to ask for.
    if (!hasDays(fieldId)) return false;
    const read = await readDays(fieldId);
    const whole = isLookedAt && !hasFigures(read) ? await withItemFigures(fieldId, read) : read;
    const isNews = days.value.get(fieldId)?.days.length !== whole.length;
    batch(() => {
      days.value = new Map(days.value).set(fieldId, knownDays(whole));
      // What failed before is tried again for as long as there is an error.
      if (fieldsWithoutDays().length === 0) storageError.value = undefined;
    });
    return isNews;
  } catch (error) {
    storageError.value = error;
    return false;
  }
}

/** Reads what of storage is not known yet, the field that is looked at first. */
export async function retryStorage(lookedAt: string | undefined): Promise<void> {
  storageError.value = undefined;
  if (lookedAt !== undefined) await loadDays(lookedAt, true);
  else folder.value ??= await customerFolder().catch(noteStorageError);
  if (storageError.value !== undefined) return;
  await loadDaysOf(fieldsWithoutDays(), new AbortController().signal);
}

/** Those that have days which are not read. */
const fieldsWithoutDays = (): readonly string[] =>
  (fields.value ?? []).map(({ field_id: id }) => id).filter((id) => !days.value.has(id) && hasDays(id));

function noteStorageError(error: unknown): undefined {
  storageError.value = error;
}

/** Reads the days of these fields, a few at a time, in their order. */
export async function loadDaysOf(fieldIds: readonly string[], signal: AbortSignal): Promise<void> {
  const left = fieldIds.filter((id) => !reading.has(id) && hasDays(id));
  for (const id of left) reading.add(id);
  const found = new Map<string, KnownDays>();
  const show = (): void => {
    if (found.size > 0) days.value = new Map([...days.value, ...found]);
    found.clear();
  };
  const read = async (): Promise<void> => {
    for (let id = left.shift(); id !== undefined && !signal.aborted; id = left.shift()) {
      found.set(id, knownDays(await readDays(id, signal)));
      reading.delete(id);
      // Not one by one: each change draws the list again.
      if (found.size >= 12 || left.length === 0) show();
    }
  };
  try {
    await Promise.all(Array.from({ length: READERS }, read));
    show();
  } catch (error) {
    if (!signal.aborted) storageError.value = error;
  } finally {
    for (const id of fieldIds) reading.delete(id);
  }
}
