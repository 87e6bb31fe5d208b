import { landName, type Listed } from '../api/farm.js';
import type { ComboOption } from './comboChoice.js';

/** Parties or farms to choose from. Ids tell those of the same name apart. */
export function optionsOf({ items }: Listed<{ readonly name?: string; readonly id: string }>): readonly ComboOption[] {
  const names = items.map(landName);
  const twice = new Set(names.filter((name, index) => names.indexOf(name) !== index));
  return items.map((land, index) => {
    const text = names[index] ?? land.id;
    return { id: land.id, text, ...(twice.has(text) ? { note: land.id } : {}) };
  });
}

/** What is said of something that an address names and a list has not; undefined where it may be there. */
export const notAmong = (
  list: Listed<{ readonly id: string }> | undefined,
  id: string,
  what: string,
): string | undefined =>
  id === '' || list === undefined || list.isCut || list.items.some((each) => each.id === id)
    ? undefined
    : `You have no ${what} ${id}, or none any more. Choose another one.`;

/** The choice of no farm in particular. */
export const ALL_FARMS: ComboOption = { id: '', text: 'All farms' };
