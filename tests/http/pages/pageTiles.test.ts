import { describe, expect, test } from '@jest/globals';
import { pageTiles } from '../../../shared/http/pages/tileJsonClient.js';
import { tilesOfTileJson } from '../../../shared/http/pages/pageTiles.js';
import { consoleSettings } from '../../../shared/http/pages/consoleSettings.js';
import { ManualClock } from '../../support/manualClock.js';

const BASE = 'https://tiles.example/land/tiles.json';
const sound = { tilejson: '3.0.0', tiles: ['https://a.tiles.example/{z}/{x}/{y}.png'] };

describe('a TileJSON', () => {
  test('tells addresses, zooms, bounds and, as plain text, whom the tiles are from', () => {
    const attribution = '<a href="https://tiles.example">&copy;&nbsp;Land &amp; Sea</a>\n&#233;t&unknown;';
    const told = { ...sound, attribution, minzoom: 3, maxzoom: 17, bounds: [-97, 40.5, -90, 43.5] };
    expect(tilesOfTileJson(told, BASE)).toEqual({
      urls: ['https://a.tiles.example/{z}/{x}/{y}.png'],
      attribution: '© Land & Sea ét&unknown;',
      minZoom: 3,
      maxZoom: 17,
      bounds: [-97, 40.5, -90, 43.5],
    });
  });

  test('may count rows from the south, and name its tiles beside itself', () => {
    const { urls } = tilesOfTileJson({ scheme: 'tms', tiles: ['{z}/{x}/{y}.jpg?v=1', '/{z}/{x}/{y}.jpg'] }, BASE);
    expect(urls).toEqual(['https://tiles.example/land/{z}/{x}/{-y}.jpg?v=1', 'https://tiles.example/{z}/{x}/{-y}.jpg']);
  });

  test.each([
    { value: [], says: 'no JSON object' },
    { value: null, says: 'no JSON object' },
    { value: {}, says: 'names no address' },
    { value: { tiles: 'https://a/{z}/{x}/{y}' }, says: 'names no address' },
    { value: { tiles: [7] }, says: 'lacks {z}, {x} or {y}' },
    { value: { tiles: ['https://a/{z}/{x}.png'] }, says: 'lacks {z}, {x} or {y}' },
    { value: { tiles: ['http://a/{z}/{x}/{y}.png'] }, says: 'not at https' },
    { value: { tiles: ['data:,{z}{x}{y}'] }, says: 'not at https' },
    { value: { tiles: ['https://me:word@a/{z}/{x}/{y}.png'] }, says: 'holds a user name' },
    { value: { tiles: ['https://a/{z}/{x}/{y}.pbf'] }, says: 'are vectors' },
    { value: { ...sound, vector_layers: [] }, says: 'are vectors' },
    { value: { ...sound, scheme: 'wmts' }, says: 'neither xyz nor tms' },
    { value: { ...sound, maxzoom: '18' }, says: 'whole numbers from 0 to 30' },
    { value: { ...sound, minzoom: 9, maxzoom: 8 }, says: 'above its "maxzoom"' },
    { value: { ...sound, bounds: [10, 50, 9, 51] }, says: 'not west, south, east and north' },
    { value: { ...sound, bounds: [1, 2, 3] }, says: 'not west, south, east and north' },
  ])('is refused: $says, $value', ({ value, says }) => {
    expect(() => tilesOfTileJson(value, BASE)).toThrow(says);
  });
});

describe('the setting of tiles', () => {
  const { parse } = consoleSettings.CONSOLE_TILES_URL;

  test('is an address of tiles or of a TileJSON, by https', () => {
    for (const taken of ['https://a.example/{z}/{x}/{y}.png', BASE]) expect(parse(taken)).toBe(taken);
    expect(() => parse('https://a.example/{z}/{x}.png')).toThrow('must hold {z}, {x} and {y}');
    expect(() => parse('http://a.example/tiles.json')).toThrow('https');
  });
});

describe('the tiles of the page', () => {
  /** What is asked of them with these answers, one after the other. */
  function tilesWith(address: string | undefined, attribution: string | undefined, answers: (() => Response)[]) {
    const clock = new ManualClock('2026-07-01T00:00:00Z');
    const asked: string[] = [];
    const logged: string[] = [];
    const fetch = (input: unknown): Promise<Response> => {
      asked.push(String(input));
      const next = answers.shift();
      return next === undefined ? Promise.reject(new Error('ECONNREFUSED')) : Promise.resolve(next());
    };
    const shown = pageTiles(
      { CONSOLE_TILES_URL: address, CONSOLE_TILES_ATTRIBUTION: attribution },
      { fetch: fetch, clock, log: (event) => logged.push(event) },
    );
    return { shown, clock, asked, logged };
  }
  const json = (value: unknown) => () => Response.json(value);

  test('are asked of nobody where their own address is set, or none', async () => {
    const own = tilesWith('https://a.example/{z}/{x}/{y}.png', 'Us', []);
    expect(await own.shown()).toEqual({
      tiles: { urls: ['https://a.example/{z}/{x}/{y}.png'], attribution: 'Us' },
      tilesFault: null,
    });
    const none = tilesWith(undefined, undefined, []);
    expect(await none.shown()).toEqual({ tiles: null, tilesFault: null });
    expect([...own.asked, ...none.asked]).toEqual([]);
  });

  test('are read of a TileJSON once an hour; the attribution of the settings stands above its own', async () => {
    const { shown, clock, asked } = tilesWith(BASE, 'Us', [json({ ...sound, attribution: 'They' }), json(sound)]);
    const [first, second] = await Promise.all([shown(), shown()]);
    expect(first).toEqual({ tiles: { urls: sound.tiles, attribution: 'Us' }, tilesFault: null });
    expect(second).toBe(first);
    clock.jump(3_599_000);
    await shown();
    expect(asked).toEqual([BASE]);
    clock.jump(1_001);
    await shown();
    expect(asked).toEqual([BASE, BASE]);
  });

  test.each([
    { why: 'nothing answers', answers: [], says: 'nothing answers there' },
    { why: 'it is gone', answers: [() => new Response('', { status: 404 })], says: 'it answers with status 404' },
    { why: 'it is a page', answers: [() => new Response('<html>')], says: 'it is no JSON' },
    { why: 'it is broken', answers: [json({})], says: 'its "tiles" names no address' },
    { why: 'it is endless', answers: [() => new Response(' '.repeat(1024 * 1024 + 1))], says: 'larger than 1 MB' },
  ])('are none where $why, which is told and looked at again after a minute', async ({ answers, says }) => {
    const { shown, clock, asked, logged } = tilesWith(BASE, undefined, answers);
    expect(await shown()).toEqual({ tiles: null, tilesFault: expect.stringContaining(says) });
    expect(logged).toEqual(['Console:TilesFault']);
    clock.jump(59_000);
    await shown();
    expect(asked).toHaveLength(1);
    answers.push(json(sound));
    clock.jump(1_001);
    expect(await shown()).toMatchObject({ tiles: { urls: sound.tiles }, tilesFault: null });
  });
});
