/** Tiles that one query to a catalogue names at most: 200 names take 4 KB of the query. */
export const TILES_A_QUERY = 200;

/** Items in groups of at most `most`, in their order. */
export function groupsOf<T>(items: readonly T[], most: number): readonly (readonly T[])[] {
  const count = Math.ceil(items.length / most);
  return Array.from({ length: count }, (_, group) => items.slice(group * most, (group + 1) * most));
}
