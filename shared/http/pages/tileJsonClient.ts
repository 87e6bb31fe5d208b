import type { Clock } from '../../kit/clock.js';
import type { Log } from '../../kit/telemetry/telemetry.js';
import { errorText } from '../../kit/telemetry/telemetry.js';
import type { ConsoleConfig } from './consoleSettings.js';
import { isTileTemplate, tilesOfTileJson, type PageTiles, type ShownTiles } from './pageTiles.js';

/** A page waits for it. */
const LIMIT_MS = 5_000;
/** A TileJSON of pictures is short. */
const MOST_BYTES = 1024 * 1024;
/** What was read is read again after an hour; a fault is looked at again after a minute. */
const [KEPT_MS, FAULT_KEPT_MS] = [3_600_000, 60_000];

interface TilePorts {
  readonly fetch: typeof fetch;
  readonly clock: Clock;
  readonly log: Log;
}

async function readTileJson(address: string, { fetch }: Pick<TilePorts, 'fetch'>): Promise<PageTiles> {
  const response = await fetch(address, { signal: AbortSignal.timeout(LIMIT_MS) }).catch((cause: unknown) => {
    throw new Error('nothing answers there', { cause });
  });
  if (!response.ok) throw new Error(`it answers with status ${response.status}`);
  const text = await response.text();
  if (text.length > MOST_BYTES) throw new Error('it is larger than 1 MB');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new Error('it is no JSON', { cause });
  }
  return tilesOfTileJson(value, response.url === '' ? address : response.url);
}

type TileConfig = Pick<ConsoleConfig, 'CONSOLE_TILES_URL' | 'CONSOLE_TILES_ATTRIBUTION'>;

/**
 * The tiles of the settings. A TileJSON is read by the service, not by the page: the page's policy names the origins of
 * the tiles, and its owner need not let other sites read it.
 */
export function pageTiles(config: TileConfig, { fetch, clock, log }: TilePorts): () => Promise<ShownTiles> {
  const { CONSOLE_TILES_URL: address, CONSOLE_TILES_ATTRIBUTION: attribution } = config;
  if (address === undefined) return () => Promise.resolve({ tiles: null, tilesFault: null });
  if (isTileTemplate(address)) {
    const tiles = { urls: [address], attribution: attribution ?? '' };
    return () => Promise.resolve({ tiles, tilesFault: null });
  }
  const read = async (): Promise<ShownTiles> => {
    try {
      const tiles = await readTileJson(address, { fetch });
      return { tiles: { ...tiles, attribution: attribution ?? tiles.attribution }, tilesFault: null };
    } catch (error) {
      log('Console:TilesFault', { cause: errorText(error) });
      const why = error instanceof Error ? error.message : 'it can’t be read';
      return { tiles: null, tilesFault: `The map tiles that are set can’t be shown: of their TileJSON, ${why}.` };
    }
  };
  let kept: { readonly shown: Promise<ShownTiles>; until: number } | undefined;
  return () => {
    const now = clock.now().getTime();
    if (kept !== undefined && now < kept.until) return kept.shown;
    const reading = { shown: read(), until: Infinity };
    kept = reading;
    void reading.shown.then(({ tiles }) => {
      reading.until = clock.now().getTime() + (tiles === null ? FAULT_KEPT_MS : KEPT_MS);
    });
    return reading.shown;
  };
}
