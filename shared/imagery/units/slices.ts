import { pixelsOfBox } from '../../scenes/place/footprint.js';
import type { Interest, InterestedField } from '../interest/interest.js';

/** Fields of one customer in a unit, which are read, made and written together. */
export interface Slice {
  /** Stays the same as long as the entry of the index does. */
  readonly key: string;
  readonly customer: string;
  readonly enrollmentId: string;
  readonly layers: Interest['layers'];
  readonly fields: readonly InterestedField[];
}

/** The most 10 m pixels in the boxes of one slice's fields, unless a single field has more: all are in memory at once. */
const MOST_PIXELS = 4_000_000;
/** The most fields of a slice; an entry of the index has no more. */
const MOST_FIELDS = 100;

/** Cuts one entry of the index into slices. */
function slicesOfEntry(
  { customer, enrollmentId, part, layers }: Interest,
  fields: readonly InterestedField[],
): Slice[] {
  const parts: InterestedField[][] = [];
  let pixels = Infinity;
  for (const field of fields) {
    const more = pixelsOfBox(field.bbox);
    const last = parts.at(-1);
    if (last === undefined || last.length >= MOST_FIELDS || pixels + more > MOST_PIXELS) {
      parts.push([field]);
      pixels = more;
    } else {
      last.push(field);
      pixels += more;
    }
  }
  const keyOf = (index: number): string => [customer, enrollmentId, part, index].join('|');
  return parts.map((some, index) => ({ key: keyOf(index), customer, enrollmentId, layers, fields: some }));
}

/** The slices with each field once: a field that two enrollments of a customer monitor is made for both together. */
function withoutRepeats(entries: readonly Interest[]): readonly Slice[] {
  const seen = new Set<string>();
  const isNew = (customer: string, { fieldId, geometryHash }: InterestedField): boolean =>
    seen.size < seen.add(JSON.stringify([customer, fieldId, geometryHash])).size;
  return entries.flatMap((entry) => {
    const fresh = new Set(entry.fields.filter((field) => isNew(entry.customer, field)));
    return slicesOfEntry(entry, entry.fields)
      .map((slice) => ({ ...slice, fields: slice.fields.filter((field) => fresh.has(field)) }))
      .filter(({ fields }) => fields.length > 0);
  });
}

/** The slices of a unit, the customer with the fewest fields first, so that no customer waits for a larger one. */
export function slicesOf(entries: readonly Interest[]): readonly Slice[] {
  const slices = withoutRepeats(entries);
  const sizes = new Map<string, number>();
  for (const { customer, fields } of slices) sizes.set(customer, (sizes.get(customer) ?? 0) + fields.length);
  return slices.toSorted(
    (a, b) =>
      (sizes.get(a.customer) ?? 0) - (sizes.get(b.customer) ?? 0) ||
      (a.customer === b.customer ? 0 : a.customer < b.customer ? -1 : 1),
  );
}
