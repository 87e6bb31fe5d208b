import { folded } from './folded.js';

/** Something to choose. */
export interface ComboOption {
  /** Empty for a choice that means all, or none. */
  readonly id: string;
  readonly text: string;
  readonly note?: string | undefined;
}

/** So many are drawn; who wants another one types more of its name. */
export const MOST_SHOWN = 100;

/** The options whose text, note or id holds what was typed, those that begin with it first. */
export function foundOptions(options: readonly ComboOption[], typed: string | undefined): readonly ComboOption[] {
  const asked = folded((typed ?? '').trim());
  if (asked === '') return options;
  const isBegun = ({ text }: ComboOption): boolean => folded(text).startsWith(asked);
  const found = options.filter(({ id, text, note = '' }) => folded(`${text}\n${note}\n${id}`).includes(asked));
  return [...found.filter(isBegun), ...found.filter((option) => !isBegun(option))];
}

/** The option that a key leads to; undefined when it leads to none. @param active index of the present one, −1: none */
export function indexAfter(key: string, active: number, count: number): number | undefined {
  if (count === 0) return undefined;
  if (key === 'ArrowDown') return (active + 1) % count;
  if (key === 'ArrowUp') return active <= 0 ? count - 1 : active - 1;
  return undefined;
}
