import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { landName, readFarmField } from '../api/farm.js';
import { credentials } from '../session/session.js';
import { useFarmAccess } from './farmAccess.js';
import { forgetAtSignOut } from '../session/forgetting.js';

/** A field of a party, by ids. */
export interface FieldIds {
  readonly partyId: string;
  readonly fieldId: string;
}

const keyOf = ({ partyId, fieldId }: FieldIds): string => JSON.stringify([partyId, fieldId]);

/** Names that were read; an id stands for a field that has none, or is not to be read. */
const read = signal<ReadonlyMap<string, string>>(new Map());
const asked = new Set<string>();

/** Forgets the names, for another tenant. */
function forgetFieldNames(): void {
  asked.clear();
  read.value = new Map();
}
forgetAtSignOut(forgetFieldNames);

async function ask(field: FieldIds): Promise<void> {
  const key = keyOf(field);
  if (asked.has(key)) return;
  asked.add(key);
  const name = await readFarmField(field.partyId, field.fieldId).then(landName, () => field.fieldId);
  if (asked.has(key)) read.value = new Map(read.value).set(key, name);
}

/** Notes the new name of a field that was renamed. */
export function noteFieldName(field: FieldIds, name: string): void {
  asked.add(keyOf(field));
  read.value = new Map(read.value).set(keyOf(field), name);
}

/** The name of a field as far as it is known, else the id. */
export function fieldNameOf(field: FieldIds): string {
  const handed = credentials.value?.farm?.fields.find(({ id }) => id === field.fieldId);
  return handed?.name ?? read.value.get(keyOf(field)) ?? field.fieldId;
}

/** Reads the names of these fields where the tenant's farm data is here. */
export function useFieldNames(fields: readonly FieldIds[]): void {
  const isOwn = useFarmAccess().state === 'own';
  const keys = fields.map(keyOf).join(' ');
  useEffect(() => {
    if (isOwn) for (const field of fields) void ask(field);
  }, [isOwn, keys]);
}
