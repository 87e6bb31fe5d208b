import { pngImage } from '../../../shared/boundary/stack/pngImage.js';
import { jsonReply, type Exchange, type Reply } from './http/exchange.js';
import { FaultScript } from './http/faultScript.js';
import { startServer, type RunningServer } from './http/server.js';

/** Pixels of a side. */
const SIDE = 256;
/** Sides of a parcel in pixels of the deepest zoom: some 400 m. */
const PARCEL = 170;
const DEEPEST = 16;
const ROAD_PIXELS = 5;
type Colour = readonly [red: number, green: number, blue: number];
const ROAD: Colour = [250, 248, 240];
const WATER: Colour = [158, 196, 214];
const GREENS: readonly Colour[] = [
  [216, 222, 186],
  [205, 217, 172],
  [226, 221, 190],
  [194, 209, 166],
];

/** One of the greens, the same for a parcel on every zoom. */
const greenOf = (column: number, row: number): Colour => {
  const number = Math.abs(Math.sin(column * 12.9898 + row * 78.233) * 43_758.5453);
  return GREENS[Math.floor((number % 1) * GREENS.length)] ?? ROAD;
};

/** A land of parcels, roads and a river that is nowhere. @param x,y pixels of the deepest zoom from the north-west */
function colourAt(x: number, y: number): Colour {
  const river = 40 * Math.sin(x / 610) + 16 * Math.sin(x / 173) + Math.round(y / 4096) * 4096 - y;
  if (Math.abs(river) < 22) return WATER;
  const isRoad = x % (4 * PARCEL) < ROAD_PIXELS || y % (4 * PARCEL) < ROAD_PIXELS;
  return isRoad ? ROAD : greenOf(Math.floor(x / PARCEL), Math.floor(y / PARCEL));
}

function tileOf(zoom: number, column: number, row: number): Uint8Array {
  const step = 2 ** (DEEPEST - zoom);
  const rgb = new Uint8Array(3 * SIDE * SIDE);
  for (let at = 0; at < SIDE * SIDE; at += 1) {
    const [x, y] = [column * SIDE + (at % SIDE), row * SIDE + Math.floor(at / SIDE)];
    rgb.set(colourAt(x * step, y * step), 3 * at);
  }
  return pngImage(rgb, { width: SIDE, height: SIDE });
}

/** What the stand-in answers: `/tiles.json`, by schema `?scheme=tms` with rows from the south, and tiles. */
function answer({ url }: Exchange): Reply {
  const { pathname, searchParams, origin } = url;
  const scheme = searchParams.get('scheme') ?? 'xyz';
  if (pathname === '/tiles.json') {
    const tiles = [`${origin}/${scheme}/{z}/{x}/{y}.png`];
    const attribution = '<a href="https://tiles.example">&copy; A land of nowhere</a>';
    return jsonReply(200, { tilejson: '3.0.0', tiles, scheme, attribution, minzoom: 5, maxzoom: DEEPEST });
  }
  const [, named, zoom, column, row] = /^\/(xyz|tms)\/(\d+)\/(\d+)\/(\d+)\.png$/.exec(pathname) ?? [];
  if (named === undefined || Number(zoom) > DEEPEST) return jsonReply(404, { message: 'There is no such tile.' });
  const fromNorth = named === 'xyz' ? Number(row) : 2 ** Number(zoom) - 1 - Number(row);
  const body = tileOf(Number(zoom), Number(column), fromNorth);
  return { status: 200, headers: { 'content-type': 'image/png', 'cache-control': 'max-age=3600' }, body };
}

/** Serves tiles with a TileJSON, as a tile server does. @param port any free one when absent */
export const startTiles = (port?: number): Promise<RunningServer> =>
  startServer({ answer, script: new FaultScript(), port });
