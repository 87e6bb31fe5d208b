import { describe, expect, test } from '@jest/globals';
import { catalogueHttpClient } from '../../../shared/scenes/stac/catalogueHttpClient.js';
import { egressGuard } from '../../../shared/kit/outbound/egressClient.js';
import { CatalogueError } from '../../../shared/scenes/stac/catalogueError.js';
import { StacClient } from '../../../shared/scenes/stac/stacClient.js';
import { systemClock } from '../../../shared/kit/clock.js';
import { coverOf } from '../../../shared/scenes/place/footprint.js';
import type { UnusableScene } from '../../../shared/scenes/item/scene.js';
import { scenesFound } from '../../support/scenesFound.js';
import { anItem, boxPolygon, FIELD_BOX } from '../../imagery/builders.js';

const HOST = 'earth-search.aws.element84.com';
const URL_BASE = `https://${HOST}/v1`;
const query = { area: boxPolygon(FIELD_BOX), from: '2026-05-31T23:50:00.000Z', to: '2026-07-01T00:10:00.000Z' };

interface SentCall {
  readonly url: string;
  readonly method: string;
  readonly body: Record<string, unknown>;
}
type Answer = (call: SentCall, index: number) => Response | Promise<Response>;

const page = (ids: readonly string[], more: object = {}): object => ({
  type: 'FeatureCollection',
  features: ids.map((id) => anItem({ id })),
  links: [],
  ...more,
});
const json = (body: unknown, init: ResponseInit = {}): Response => new Response(JSON.stringify(body), init);
const nextLink = (next: string, more: object = {}): object => ({
  rel: 'next',
  method: 'POST',
  href: `${URL_BASE}/search`,
  merge: true,
  body: { next },
  ...more,
});

/** A client whose catalogue answers as told; the calls it made. */
function clientOf(answer: Answer, hosts: readonly string[] = [HOST], timeoutMs = 30_000) {
  const calls: SentCall[] = [];
  const waits: number[] = [];
  const clock = {
    ...systemClock,
    sleep: (milliseconds: number): Promise<void> => {
      waits.push(milliseconds);
      return Promise.resolve();
    },
  };
  const getJson = catalogueHttpClient({
    clock,
    timeoutMs,
    random: () => 0.5,
    egress: egressGuard(hosts, { clock, resolve: () => Promise.resolve(['52.218.0.1']) }),
    fetch: async (input, init) => {
      const call = {
        url: String(input instanceof Request ? input.url : input),
        method: init?.method ?? 'GET',
        body: JSON.parse(typeof init?.body === 'string' ? init.body : '{}') as Record<string, unknown>,
      };
      calls.push(call);
      return answer(call, calls.length - 1);
    },
  });
  const client = new StacClient({ catalogue: 'earth-search', url: URL_BASE, getJson });
  return { calls, waits, client };
}

describe('a search', () => {
  test('asks for both collections, the area and the span, once', async () => {
    const { client, calls } = clientOf(() => json(page(['a'])));
    const scenes = await scenesFound(client, query);
    expect(scenes.map(({ id }) => id)).toEqual(['a']);
    expect(calls).toEqual([
      {
        url: `${URL_BASE}/search`,
        method: 'POST',
        body: {
          collections: ['sentinel-2-c1-l2a', 'sentinel-2-l2a'],
          intersects: query.area,
          datetime: `${query.from}/${query.to}`,
          limit: 100,
          fields: expect.objectContaining({ exclude: expect.arrayContaining(['assets.visual']) }) as object,
        },
      },
    ]);
  });

  test('follows a page link that is merged into the body, one that replaces it, and one by GET', async () => {
    const { client, calls } = clientOf((_, index) =>
      json(
        [
          page(['a'], { links: [nextLink('p2')] }),
          page(['b'], { links: [nextLink('p3', { merge: false, body: { token: 'p3' } })] }),
          page(['c'], { links: [{ rel: 'next', href: `${URL_BASE}/search?token=p4` }] }),
          page(['d']),
        ][index],
      ),
    );
    expect((await scenesFound(client, query)).map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
    expect(calls[1]?.body).toMatchObject({ limit: 100, next: 'p2' });
    expect(calls[2]?.body).toEqual({ token: 'p3' });
    expect(calls[3]).toMatchObject({ method: 'GET', url: `${URL_BASE}/search?token=p4` });
  });

  test('gives each scene once, whatever the pages repeat', async () => {
    const { client } = clientOf((_, index) =>
      json([page(['a', 'b'], { links: [nextLink('p2')] }), page(['b', 'c'])][index]),
    );
    expect((await scenesFound(client, query)).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  });

  test.each([
    { why: 'no outline', broken: { geometry: null } },
    { why: 'an outline of another kind', broken: { geometry: { type: 'GeometryCollection', geometries: [] } } },
    { why: 'no list of files', broken: { assets: null } },
  ])('shows the other scenes beside one with $why, which is unusable in the whole of its tile', async ({ broken }) => {
    const { client } = clientOf(() =>
      json(page([], { features: [anItem({ id: 'a' }), anItem({ id: 'b', ...broken })] })),
    );
    const [sound, unreadable] = await scenesFound(client, query);
    expect(sound).toMatchObject({ id: 'a', tile: '33UUP' });
    expect(unreadable).toMatchObject({ id: 'b', tile: '33UUP', takenAt: '2026-06-17T10:05:59.024Z' });
    const inTile = (unreadable as UnusableScene).footprint;
    expect(coverOf(inTile, FIELD_BOX)).toBe('all');
    expect(unreadable).toMatchObject({ fault: expect.stringContaining('malformed') });
  });

  test.each([
    { why: 'no instant', odd: anItem({ id: 'b' }, { datetime: null }), name: 'b' },
    { why: 'a day that doesn’t exist', odd: anItem({ id: 'b' }, { datetime: '2026-02-30T10:00:00Z' }), name: 'b' },
    { why: 'nothing in it', odd: null, name: 'an item without an id' },
  ])('passes over an item with $why, names it, and shows the others', async ({ odd, name }) => {
    const { client } = clientOf(() => json(page([], { features: [anItem({ id: 'a' }), odd] })));
    const { items, unreadableIds } = await client.search(query);
    expect([items.map(({ scene }) => scene.id), unreadableIds]).toEqual([['a'], [name]]);
  });

  test.each([
    { why: 'bodies that are merged', more: {} },
    { why: 'bodies of their own', more: { merge: false, body: { limit: 100, next: 'p2' } } },
    { why: 'addresses', more: { method: 'GET', href: `${URL_BASE}/search?next=p2&limit=100` } },
  ])('halves a later page that is too large for the catalogue, asked for by $why', async ({ more }) => {
    const limits: number[] = [];
    const { client } = clientOf(({ url, body }) => {
      const { searchParams } = new URL(url);
      const limit = Number(body['limit'] ?? searchParams.get('limit'));
      limits.push(limit);
      if (body['next'] === undefined && !searchParams.has('next'))
        return json(page(['a'], { links: [nextLink('p2', more)] }));
      return limit > 30 ? new Response('', { status: 500 }) : json(page(['b']));
    });
    expect((await scenesFound(client, query)).map(({ id }) => id)).toEqual(['a', 'b']);
    expect(limits).toEqual([100, 100, 100, 100, 100, 1, 50, 25]);
  });

  test.each([
    { why: 'more than 16 MB', tooLarge: () => new Response(`{"a":"${'x'.repeat(17 * 1024 * 1024)}"}`) },
    { why: 'that is too large for the catalogue itself', tooLarge: () => new Response('', { status: 413 }) },
  ])('asks for half of a page of $why at once', async ({ tooLarge }) => {
    const { client, calls } = clientOf(({ body }) => (Number(body['limit']) > 60 ? tooLarge() : json(page(['a']))));
    expect((await scenesFound(client, query)).map(({ id }) => id)).toEqual(['a']);
    expect(calls.map(({ body }) => body['limit'])).toEqual([100, 1, 50]);
  });

  /** A body of which a beginning comes, and then an error. */
  const cutOff = (): Response => {
    const pieces = [new TextEncoder().encode('{"type":"FeatureCollection","features":[')];
    const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
      const piece = pieces.pop();
      if (piece === undefined) controller.error(new TypeError('terminated'));
      else controller.enqueue(piece);
    };
    return new Response(new ReadableStream({ pull }));
  };
  const late = (): never => {
    throw new DOMException('The operation was aborted due to timeout', 'TimeoutError');
  };

  test.each<{ why: string; tooLarge: () => Response | Promise<Response>; timeoutMs?: number }>([
    { why: 'is cut off', tooLarge: cutOff },
    { why: 'is broken JSON', tooLarge: () => new Response('{"type":"FeatureColl') },
    {
      why: 'is 503 with a time to wait',
      tooLarge: () => new Response('', { status: 503, headers: { 'retry-after': '1' } }),
    },
    {
      why: 'does not come in time',
      tooLarge: () => new Promise((resolve) => setTimeout(resolve, 1_000)).then(late),
      timeoutMs: 500,
    },
  ])('asks for half of a page whose answer $why as often as it is asked', async ({ tooLarge, timeoutMs }) => {
    const { client, calls } = clientOf(
      ({ body }) => (Number(body['limit']) > 60 ? tooLarge() : json(page(['a']))),
      [HOST],
      timeoutMs,
    );
    expect((await scenesFound(client, query)).map(({ id }) => id)).toEqual(['a']);
    expect(calls.map(({ body }) => body['limit'])).toEqual([100, 100, 100, 100, 1, 50]);
  });

  test.each([
    { odd: 'counts that are null', more: { numberMatched: null, numberReturned: null } },
    { odd: 'links that are null', more: { links: null } },
    { odd: 'a link without an address', more: { links: [{ rel: 'root' }] } },
    { odd: 'links of no kind, and none at all', more: { links: [{ rel: null, href: 'x' }, null, 'x', 7] } },
    { odd: 'another link with nulls', more: { links: [{ rel: 'self', href: 'x', headers: null, body: null }] } },
  ])('takes in the items of a page with $odd', async ({ more }) => {
    const { client } = clientOf(() => json(page(['a', 'b'], more)));
    expect((await scenesFound(client, query)).map(({ id }) => id)).toEqual(['a', 'b']);
  });

  test('follows a link to the next page whose members are null beside its address', async () => {
    const next = {
      rel: 'next',
      href: `${URL_BASE}/search?token=p2`,
      method: null,
      body: null,
      merge: null,
      headers: null,
    };
    const { client, calls } = clientOf((_, index) => json([page(['a'], { links: [next] }), page(['b'])][index]));
    expect((await scenesFound(client, query)).map(({ id }) => id)).toEqual(['a', 'b']);
    expect(calls[1]).toMatchObject({ method: 'GET', url: next.href });
  });

  test.each<{ why: string; answer: Answer; fault: string; text: RegExp }>([
    {
      why: 'a link to the next page without an address',
      answer: () => json(page(['a'], { links: [{ rel: 'next' }] })),
      fault: 'invalid',
      text: /next page of a search is malformed/,
    },
    {
      why: 'pages that lead in a circle',
      answer: () => json(page(['a'], { links: [nextLink('again')] })),
      fault: 'invalid',
      text: /circle/,
    },
    {
      why: 'pages without end',
      answer: (_, index) => json(page([`a${index}`], { links: [nextLink(String(index))] })),
      fault: 'invalid',
      text: /more than 50 pages/,
    },
    {
      why: 'a next page on another host',
      answer: () => json(page(['a'], { links: [nextLink('x', { href: 'https://evil.example/v1/search' })] })),
      fault: 'refused',
      text: /another host/,
    },
    {
      why: 'a next page inside the network',
      answer: () => json(page(['a'], { links: [nextLink('x', { href: 'http://169.254.169.254/' })] })),
      fault: 'refused',
      text: /another host/,
    },
    {
      why: 'a redirect',
      answer: () => new Response(null, { status: 302, headers: { location: 'https://evil.example' } }),
      fault: 'refused',
      text: /302/,
    },
    {
      why: 'something that is no search result',
      answer: () => json({ features: 'none' }),
      fault: 'invalid',
      text: /no STAC/,
    },
    {
      why: 'half of a page',
      answer: () => json(page(['a'], { numberReturned: 2 })),
      fault: 'unavailable',
      text: /fewer/,
    },
    {
      why: 'fewer pages than it counts scenes for',
      answer: () => json(page(['a'], { numberMatched: 3 })),
      fault: 'unavailable',
      text: /fewer/,
    },
    { why: 'broken JSON', answer: () => new Response('<html>'), fault: 'unavailable', text: /broken JSON/ },
    { why: 'an outage that stays', answer: () => new Response('', { status: 503 }), fault: 'unavailable', text: /503/ },
    { why: 'a refusal', answer: () => new Response('', { status: 403 }), fault: 'unavailable', text: /403/ },
    { why: 'a method it has not', answer: () => new Response('', { status: 405 }), fault: 'refused', text: /405/ },
  ])('never passes $why for a result', async ({ answer, fault, text }) => {
    const { client } = clientOf(answer);
    const failure: unknown = await client.search(query).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(CatalogueError);
    expect(failure).toMatchObject({ fault, message: expect.stringMatching(text) as unknown });
  });

  test('calls no host that is not listed', async () => {
    const { client, calls } = clientOf(() => json(page(['a'])), ['other.example']);
    await expect(client.search(query)).rejects.toMatchObject({ fault: 'refused' });
    expect(calls).toEqual([]);
  });
});

describe('a catalogue that is away for a moment', () => {
  test('is asked again, with growing waits, four times at most', async () => {
    const { client, calls, waits } = clientOf(() => new Response('', { status: 502 }));
    await expect(client.search(query)).rejects.toThrow(/502/);
    // The fifth, for one item alone, tells a page that is too large for the catalogue from an outage.
    expect(calls.map(({ body }) => body['limit'])).toEqual([100, 100, 100, 100, 1]);
    expect(waits).toEqual([500, 1000, 2000]);
  });

  test('by 429 has no trouble with the size of a page: it is asked four times', async () => {
    const { client, calls } = clientOf(() => new Response('', { status: 429 }));
    await expect(client.search(query)).rejects.toMatchObject({ fault: 'unavailable' });
    expect(calls.map(({ body }) => body['limit'])).toEqual([100, 100, 100, 100]);
  });

  test('by 503 with a time to wait is asked for one item at last', async () => {
    const { client, calls } = clientOf(() => new Response('', { status: 503, headers: { 'retry-after': '1' } }));
    await expect(client.search(query)).rejects.toMatchObject({ fault: 'unavailable' });
    expect(calls.map(({ body }) => body['limit'])).toEqual([100, 100, 100, 100, 1]);
  });

  test.each([
    { headers: { 'retry-after': '7' }, body: '', wait: 7_500 },
    { headers: {}, body: '{"message":"Rate limit is exceeded. Try again in 9 seconds."}', wait: 9_500 },
  ])('says how long to wait: $wait ms', async ({ headers, body, wait }) => {
    const { client, waits } = clientOf((_, index) =>
      index === 0 ? new Response(body, { status: 429, headers: headers as Record<string, string> }) : json(page(['a'])),
    );
    expect((await client.search(query)).items).toHaveLength(1);
    expect(waits).toEqual([wait]);
  });

  test('with an error that has no end is not read to its end', async () => {
    let sent = 0;
    const endless = () =>
      new ReadableStream<Uint8Array>({
        pull: (controller) => {
          sent += 1;
          if (sent > 1_000) controller.error(new Error('read on and on'));
          else controller.enqueue(new Uint8Array(1_000).fill(32));
        },
      });
    const { client, calls } = clientOf(() => new Response(endless(), { status: 503 }));
    await expect(client.search(query)).rejects.toMatchObject({
      fault: 'unavailable',
      message: expect.stringMatching(/503/) as unknown,
    });
    expect(calls).toHaveLength(5);
    expect(sent).toBeLessThan(50);
  });

  test('with 17 MB for a page is not believed', async () => {
    const { client } = clientOf(() => new Response(`{"a":"${'x'.repeat(17 * 1024 * 1024)}"}`));
    await expect(client.search(query)).rejects.toMatchObject({ fault: 'invalid' });
  });

  test('for longer than a minute is left to the work’s own schedule', async () => {
    const { client, calls } = clientOf(() => new Response('', { status: 503, headers: { 'retry-after': '600' } }));
    await expect(client.search(query)).rejects.toMatchObject({ fault: 'unavailable', retryAfterSeconds: 600 });
    expect(calls).toHaveLength(1);
  });

  test('by a lost connection is asked again, and the address is not told', async () => {
    const { client, calls } = clientOf(() => {
      throw Object.assign(new TypeError('fetch failed https://x?sig=abc'), {
        cause: Object.assign(new Error('x'), { code: 'ECONNRESET' }),
      });
    });
    const failure: unknown = await client.search(query).catch((error: unknown) => error);
    expect(calls).toHaveLength(4);
    expect(failure).toMatchObject({ fault: 'unavailable', cause: 'ECONNRESET' });
    expect(String(failure)).not.toContain('sig');
  });
});
