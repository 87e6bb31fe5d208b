/** Tiles that are asked for by name in one query: their names make 4 KB of it. */
const MOST_TILES = 200;

/** The tiles of each query that asks for them by name. */
export function tileGroups(tiles: readonly string[], most = MOST_TILES): readonly (readonly string[])[] {
  const count = Math.ceil(tiles.length / most);
  return Array.from({ length: count }, (_, part) => tiles.slice(part * most, (part + 1) * most));
}
