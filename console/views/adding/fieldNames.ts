/** How the fields of a file get their names and groups. */
import { fieldIdFault, foldedFieldId, FORBIDDEN_IN_ID } from '../../../shared/enrollments/upload/fieldId.js';
import { holdsInvisible } from '../../../shared/kit/validation/invisibleCharacters.js';

type Json = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** The property that the service itself reads. */
export const FIELD_ID = 'field_id';
/** The same for groups. */
export const GROUP = 'group';
/** Properties that often hold a field's name, in lower case, the likeliest first. */
const LIKELY = [FIELD_ID, 'name', 'field_name', 'fieldname', 'field', 'title', 'label', 'id'];
/** More properties than these are no choice for people. */
const MOST_PROPERTIES = 40;

/** A name, or a group, as a property has it; undefined where it has none. */
export function textIn(feature: unknown, property: string): string | undefined {
  const properties = isObject(feature) ? feature['properties'] : undefined;
  const value = isObject(properties) && Object.hasOwn(properties, property) ? properties[property] : undefined;
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** A name by a property; a feature that lacks it may still have one where the service reads it, as one of the page has. */
const nameIn = (feature: unknown, property: string): string | undefined =>
  textIn(feature, property) ?? textIn(feature, FIELD_ID);

/** The properties that hold a text of at least one feature, in the order of the file. */
export function textProperties(features: readonly unknown[]): readonly string[] {
  const found = new Set<string>();
  for (const feature of features) {
    const properties = isObject(feature) ? feature['properties'] : undefined;
    for (const property of isObject(properties) ? Object.keys(properties) : []) {
      if (found.size < MOST_PROPERTIES && textIn(feature, property) !== undefined) found.add(property);
    }
  }
  return [...found];
}

/** The property that most likely is the name. */
export function likelyProperty(properties: readonly string[]): string {
  const likely = LIKELY.map((name) => properties.find((property) => property.toLowerCase() === name));
  const first = properties.find((property) => property !== GROUP);
  return likely.find((property) => property !== undefined) ?? first ?? FIELD_ID;
}

/** A field's name, and whether it was made up because the file has none. */
export interface NamedFeature {
  readonly fieldId: string;
  readonly isOffered: boolean;
}

/** The names of features by a property. A feature without a name is offered one that no other feature has. */
export function namesBy(features: readonly unknown[], property: string): readonly NamedFeature[] {
  const given = features.map((feature) => nameIn(feature, property));
  const taken = new Set(given.map((name) => name?.toLowerCase()));
  return given.map((name, index) => {
    if (name !== undefined) return { fieldId: name, isOffered: false };
    let number = index + 1;
    while (taken.has(`field ${number}`)) number += 1;
    taken.add(`field ${number}`);
    return { fieldId: `Field ${number}`, isOffered: true };
  });
}

/** So many characters are left of a name, and some for a number behind it. */
const MOST_CHARACTERS = 120;

const soundCharacter = (character: string): string =>
  holdsInvisible(character) ? '' : FORBIDDEN_IN_ID.test(character) ? '-' : character;

/** A name with a dash in place of what a path cannot have. */
const soundName = (name: string): string =>
  Array.from(name.normalize('NFC'), soundCharacter)
    .join('')
    .slice(0, MOST_CHARACTERS)
    .replace(/^[\s.]+|[\s.]+$/gu, '');

/** What the names that the service does not take become, by their index; each another one than all others. */
export function soundNames(names: ReadonlyMap<number, string>): ReadonlyMap<number, string> {
  const taken = new Set([...names.values()].map(foldedFieldId));
  const found = new Map<number, string>();
  for (const [index, name] of names) {
    if (fieldIdFault(name) === undefined) continue;
    const sound = soundName(name) || 'Field';
    let wanted = sound;
    for (let number = 2; taken.has(foldedFieldId(wanted)); number += 1) wanted = `${sound} ${number}`;
    taken.add(foldedFieldId(wanted));
    found.set(index, wanted);
  }
  return found;
}
