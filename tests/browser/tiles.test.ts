import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { RunningServer } from '../../infra/local/standIns/http/server.js';
import { startTiles } from '../../infra/local/standIns/tiles.js';
import { toMercator } from '../../console/map/mercator.js';
import { pageTiles } from '../../shared/http/pages/tileJsonClient.js';
import { systemClock } from '../../shared/kit/clock.js';
import { service } from '../contract/service.js';
import {
  axeFindings,
  closeConsoles,
  describeInBrowser,
  eventually,
  LIMIT_MS,
  openConsole,
  type Session,
} from './consolePage.js';
import { newSession } from './farm.js';
import { frontedWith, type Fronted } from './fronted.js';
import { coloursIn } from './mapPlaces.js';

/** Column and row of the tile that the farm lies in, from the north-west. */
function tileAt(zoom: number): readonly [column: number, row: number] {
  const { longitude, latitude } = service.pointOnSurface;
  const [x, y] = toMercator([longitude, latitude]);
  const [west] = toMercator([-180, 0]);
  const side = (-2 * west) / 2 ** zoom;
  return [Math.floor((x - west) / side), Math.floor((-west - y) / side)];
}

describeInBrowser('the console with tiles', () => {
  let session: Session;
  let tiles: RunningServer;
  const fronts: Fronted[] = [];
  beforeAll(async () => {
    session = await newSession();
    tiles = await startTiles();
  }, LIMIT_MS);
  afterEach(closeConsoles);
  afterAll(async () => {
    await Promise.all([...fronts, tiles].map((each) => each.close()));
  });

  /** The console as a service with this address of tiles serves it. */
  async function openWith(address: string) {
    const config = { CONSOLE_TILES_URL: address, CONSOLE_TILES_ATTRIBUTION: undefined };
    const shown = await pageTiles(config, { fetch, clock: systemClock, log: () => undefined })();
    const front = await frontedWith(shown);
    fronts.push(front);
    const opened = await openConsole({ session, origin: front.baseUrl, at: '#/boundary' });
    await opened.page.locator('.map[data-view]').waitFor();
    return opened;
  }

  test.each(['xyz', 'tms'])(
    'shows those of a TileJSON with rows as %s, and whom they are from, without a request elsewhere',
    async (scheme) => {
      const { page, requests } = await openWith(`${tiles.url}/tiles.json?scheme=${scheme}`);
      // What is drawn of another origin, no page may read.
      await eventually(() =>
        expect(coloursIn(page, [600, 300, 610, 310], '.map-tiles canvas')).rejects.toThrow('tainted'),
      );
      const asked = requests.map(({ url }) => url).filter((url) => url.startsWith(tiles.url));
      const places = asked.map((url) => /\/(\d+)\/(\d+)\/(\d+)\.png$/.exec(url)?.slice(1).map(Number) ?? []);
      // Those of the farm are among them, counted from the north or from the south.
      const zoom = Math.max(...places.map(([each = 0]) => each));
      const [column, row] = tileAt(zoom);
      expect(places).toContainEqual([zoom, column, scheme === 'xyz' ? row : 2 ** zoom - 1 - row]);
      await page.locator('.map-attribution', { hasText: '© A land of nowhere' }).waitFor();
      expect(await page.locator('.map-attribution a').count()).toBe(0);
      expect(await axeFindings(page)).toEqual([]);
    },
    LIMIT_MS,
  );

  test(
    'says in a sentence why a TileJSON can’t be shown, and shows the built-in base',
    async () => {
      const { page } = await openWith(`${service.baseUrl}/console/tiles.json`);
      await page.getByText('of their TileJSON, it answers with status 404.').waitFor();
      await page.locator('.map-attribution', { hasText: 'GeoNames' }).waitFor();
      expect(await axeFindings(page)).toEqual([]);
    },
    LIMIT_MS,
  );
});
