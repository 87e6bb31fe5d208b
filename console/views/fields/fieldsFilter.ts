import type { ListedField } from '../../api/fields.js';
import { hrefOf } from '../../router.js';

/** Which fields list and map show; all of them where it names nothing. */
export interface FieldsFilter {
  /** Id of an enrollment that monitors them. */
  readonly enrollment?: string | undefined;
  /** Empty: those without one. */
  readonly group?: string | undefined;
}

/** A part of an address that names one; no field's id has a colon. */
const PART = /^(enrollment|group):/;

/** Whether a part of an address is one of a filter. */
export const isFilterPart = (part: string): boolean => PART.test(part);

/** What an address says of which fields are shown. */
export function filterOf(parts: readonly string[]): FieldsFilter {
  const named = new Map(parts.map((part) => [PART.exec(part)?.[1], part.slice(part.indexOf(':') + 1)]));
  return { enrollment: named.get('enrollment'), group: named.get('group') };
}

/** The parts of an address that name a filter. */
export const filterParts = ({ enrollment, group }: FieldsFilter): readonly string[] => [
  ...(enrollment === undefined ? [] : [`enrollment:${enrollment}`]),
  ...(group === undefined ? [] : [`group:${group}`]),
];

/** The address of the fields of a filter alone, which is looked at from the beginning. */
export const filteredHref = (filter: FieldsFilter): string => hrefOf('fields', ...filterParts(filter));

/** The fields that a filter shows; the same list where it shows all. */
export function filtered(fields: readonly ListedField[], { enrollment, group }: FieldsFilter): readonly ListedField[] {
  if (enrollment === undefined && group === undefined) return fields;
  return fields.filter(
    ({ enrollments, group: own }) =>
      (enrollment === undefined || enrollments.some(({ enrollment_id: id }) => id === enrollment)) &&
      (group === undefined || (own ?? '') === group),
  );
}

/** The groups of fields and how many have each, by name; those without one last, as an empty name. */
export function groupsOf(fields: readonly ListedField[]): readonly (readonly [group: string, count: number])[] {
  const counts = new Map<string, number>();
  for (const { group } of fields) counts.set(group ?? '', (counts.get(group ?? '') ?? 0) + 1);
  return [...counts].sort(
    ([one], [other]) =>
      Number(one === '') - Number(other === '') || one.localeCompare(other, undefined, { numeric: true }),
  );
}
