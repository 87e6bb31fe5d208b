/** Map tiles below the fields, as the page asks for them. */
export interface PageTiles {
  /** Addresses with `{z}`, `{x}` and `{y}`, or `{-y}` where rows count from the south; any of them has every tile. */
  readonly urls: readonly string[];
  /** Plain text. */
  readonly attribution: string;
  readonly minZoom?: number;
  readonly maxZoom?: number;
  /** West, south, east and north of what there are tiles of, in degrees. */
  readonly bounds?: readonly [number, number, number, number];
}

/** Tiles, or why there are none though an address is set. */
export interface ShownTiles {
  readonly tiles: PageTiles | null;
  /** A sentence for people; null where nothing is wrong. */
  readonly tilesFault: string | null;
}

/** Of an attribution: it stands in a corner of the map. */
const MOST_CHARACTERS = 300;
/** Deeper than any map has tiles. */
const DEEPEST = 30;
const PLACES = ['{z}', '{x}', '{y}'];

/** Whether an address is one of tiles; else it is that of a TileJSON, which says where they are. */
export const isTileTemplate = (address: string): boolean => PLACES.some((place) => address.includes(place));

/** Whether an address names every place of a tile. */
export const isWholeTemplate = (address: string): boolean => PLACES.every((place) => address.includes(place));

type Json = Readonly<Record<string, unknown>>;

/**
 * The tiles that a TileJSON tells of.
 *
 * @param base address of the TileJSON, to which its own addresses may be relative
 * @throws Error with what is wrong with it, the end of a sentence
 * @see https://github.com/mapbox/tilejson-spec
 */
export function tilesOfTileJson(value: unknown, base: string): PageTiles {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Error('it is no JSON object');
  const told = value as Json;
  return { urls: urlsOf(told, base), attribution: plainText(told['attribution']), ...extentOf(told) };
}

function urlsOf({ tiles, scheme = 'xyz', vector_layers: layers }: Json, base: string): readonly string[] {
  if (!Array.isArray(tiles) || tiles.length === 0) throw new Error('its "tiles" names no address');
  if (scheme !== 'xyz' && scheme !== 'tms') throw new Error('its "scheme" is neither xyz nor tms');
  const urls = tiles.map((tile: unknown) => addressOf(tile, base));
  if (layers !== undefined || urls.some((url) => /\.(pbf|mvt)(\?|$)/.test(url))) {
    throw new Error('its tiles are vectors, and the console shows pictures (PNG, JPEG or WebP)');
  }
  return scheme === 'tms' ? urls.map((url) => url.replace('{y}', '{-y}')) : urls;
}

function addressOf(tile: unknown, base: string): string {
  const isText = typeof tile === 'string' && isWholeTemplate(tile);
  if (!isText || !URL.canParse(tile, base)) throw new Error('one of its "tiles" lacks {z}, {x} or {y}');
  const { protocol, username, href } = new URL(tile, base);
  // An http page that is no machine's own would be mixed content: so are tiles from elsewhere.
  if (protocol !== new URL(base).protocol && protocol !== 'https:') throw new Error('its tiles are not at https');
  if (username !== '') throw new Error('an address of its "tiles" holds a user name');
  return href.replaceAll('%7B', '{').replaceAll('%7D', '}');
}

const isZoom = (zoom: unknown): zoom is number =>
  Number.isInteger(zoom) && Number(zoom) >= 0 && Number(zoom) <= DEEPEST;

function zoomOf(zoom: unknown): number | undefined {
  if (zoom === undefined || isZoom(zoom)) return zoom;
  throw new Error(`its "minzoom" and "maxzoom" must be whole numbers from 0 to ${DEEPEST}`);
}

function extentOf({ minzoom, maxzoom, bounds }: Json): Pick<PageTiles, 'minZoom' | 'maxZoom' | 'bounds'> {
  const [minZoom, maxZoom] = [zoomOf(minzoom), zoomOf(maxzoom)];
  if ((minZoom ?? 0) > (maxZoom ?? DEEPEST)) throw new Error('its "minzoom" is above its "maxzoom"');
  return {
    ...(minZoom === undefined ? {} : { minZoom }),
    ...(maxZoom === undefined ? {} : { maxZoom }),
    ...(bounds === undefined ? {} : { bounds: boundsOf(bounds) }),
  };
}

function boundsOf(bounds: unknown): NonNullable<PageTiles['bounds']> {
  const [west, south, east, north] = Array.isArray(bounds) && bounds.length === 4 ? bounds.map(Number) : [];
  // What is no number is not below another one.
  const isBox = Number(west) < Number(east) && Number(south) < Number(north);
  if (isBox) return [Number(west), Number(south), Number(east), Number(north)];
  throw new Error('its "bounds" are not west, south, east and north in degrees');
}

const ENTITIES: Readonly<Record<string, string>> = { copy: '©', amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' };

/** An attribution is often HTML; the page shows its text. */
function plainText(html: unknown): string {
  if (typeof html !== 'string') return '';
  const characterOf = (all: string, code: string | undefined, name: string | undefined): string =>
    Number(code) > 0 ? String.fromCharCode(Number(code)) : (ENTITIES[name ?? ''] ?? all);
  const text = html.replaceAll(/<[^>]*>/g, '').replaceAll(/&(?:#(\d{1,5})|(\w{2,6}));/g, characterOf);
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, MOST_CHARACTERS);
}
