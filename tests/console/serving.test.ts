import { describe, expect, test } from '@jest/globals';
import { HttpRequest } from '@azure/functions';
import { gzipSync } from 'node:zlib';
import { contentPolicy } from '../../shared/http/pages/consolePolicy.js';
import type { ShownTiles } from '../../shared/http/pages/pageTiles.js';
import { consoleFiles } from '../../shared/http/pages/consoleFiles.js';
import {
  loginFaults,
  pageSettingsOf,
  type ConsoleConfig,
  type PageSettings,
} from '../../shared/http/pages/consoleSettings.js';
import { consoleSettingsFile } from '../../functions/console/settings.js';
import { consoleStaticFile } from '../../functions/console/file.js';
import { responseOf } from '../../shared/http/response.js';
import { handleRequest } from '../../shared/http/handleRequest.js';
import type { Services } from '../../shared/wiring/services.js';

const config: ConsoleConfig = {
  CONSOLE: true,
  CONSOLE_BLOB_ENDPOINT: undefined,
  CONSOLE_TILES_URL: undefined,
  CONSOLE_TILES_ATTRIBUTION: undefined,
  CONSOLE_LOGIN_CLIENT_ID: undefined,
  CONSOLE_LOGIN_AUTHORITY: undefined,
  CONSOLE_LOGIN_SCOPE: undefined,
  IMAGERY_STORAGE__blobServiceUri: 'https://fieldimagery.blob.core.windows.net',
};

const NO_TILES: ShownTiles = { tiles: null, tilesFault: null };

const script = 'console.log(1);'.repeat(200);
const built: Readonly<Record<string, string | Buffer>> = {
  'listing.json': JSON.stringify({
    'index.html': { type: 'text/html; charset=utf-8', tag: 'page', bytes: 20, isNamedByContent: false },
    'main-AAAA.js': { type: 'text/javascript', tag: 'script', bytes: script.length, isNamedByContent: true },
  }),
  'index.html.gz': gzipSync('<!doctype html><p>ok'),
  'main-AAAA.js.gz': gzipSync(script),
  'main-AAAA.js.br': 'as brotli',
  'secret.gz': gzipSync('not listed'),
};
const files = consoleFiles((name) => Promise.resolve(Buffer.from(built[name] ?? 'absent')));

async function answered(name: string, headers: Record<string, string> = {}, method = 'GET') {
  const stored = await files(name);
  if (stored === undefined) return undefined;
  const asked = { route: consoleStaticFile, method, headers: { get: (each: string) => headers[each] ?? null } };
  const { status, headers: given, body } = await responseOf({ status: 200, stored }, asked, {});
  return { status, headers: given as Record<string, string>, body: body as Buffer | undefined };
}

describe('a file of the console', () => {
  test.each([
    { why: 'brotli where it is taken', accept: 'gzip, deflate, br', encoding: 'br', text: 'as brotli' },
    { why: 'gzip else', accept: 'gzip', encoding: 'gzip', text: undefined },
    { why: 'as it is for callers that take neither', accept: '', encoding: undefined, text: script },
  ])('is sent $why', async ({ accept, encoding, text }) => {
    const answer = await answered('main-AAAA.js', { 'accept-encoding': accept });
    expect(answer?.headers['content-encoding']).toBe(encoding);
    expect(answer?.headers['content-length']).toBe(String(answer?.body?.byteLength));
    if (text !== undefined) expect(answer?.body?.toString()).toBe(text);
  });

  test('is kept for good when its name holds its hash, and asked for each time when not', async () => {
    expect((await answered('main-AAAA.js'))?.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    expect((await answered(''))?.headers['cache-control']).toBe('no-cache');
  });

  test('is not sent again to whoever has it: 304 without a body or a length', async () => {
    const first = await answered('');
    const again = await answered('', { 'if-none-match': first?.headers['etag'] ?? '' });
    expect(again).toMatchObject({ status: 304, body: undefined });
    expect(again?.headers).not.toHaveProperty('content-length');
  });

  test('has a length and no body for HEAD', async () => {
    const answer = await answered('main-AAAA.js', { 'accept-encoding': 'br' }, 'HEAD');
    expect(answer).toMatchObject({ status: 200, body: undefined, headers: { 'content-length': '9' } });
  });

  test.each(['secret', '__proto__', 'constructor', 'listing.json', '../main.mjs', '..%2fmain.mjs', 'main-AAAA.js.gz'])(
    '%s does not exist',
    async (name) => {
      expect(await files(name)).toBeUndefined();
    },
  );
});

describe('a list of files that cannot be read', () => {
  test('is read again at the next request', async () => {
    let fails = true;
    const read = consoleFiles((name) =>
      fails ? Promise.reject(new Error('EMFILE')) : Promise.resolve(Buffer.from(built[name] ?? 'absent')),
    );
    await expect(read('')).rejects.toThrow('EMFILE');
    fails = false;
    expect(await read('')).toMatchObject({ type: 'text/html; charset=utf-8' });
  });

  test('is read once for all requests once it was read', async () => {
    const names: string[] = [];
    const read = consoleFiles((name) => {
      names.push(name);
      return Promise.resolve(Buffer.from(built[name] ?? 'absent'));
    });
    await Promise.all([read(''), read('main-AAAA.js')]);
    await read('');
    expect(names).toEqual(['listing.json']);
  });
});

async function get(
  route: typeof consoleStaticFile,
  given: Partial<ConsoleConfig>,
  params: Record<string, string> = {},
) {
  const services = {
    config: { ...config, ...given },
    pageTiles: () => Promise.resolve(NO_TILES),
  } as unknown as Services;
  const request = new HttpRequest({ method: 'GET', url: 'http://host/console/', params });
  return handleRequest(route, request, { services, write: () => undefined });
}

describe('CONSOLE=off', () => {
  test.each([consoleSettingsFile, consoleStaticFile])('leaves $path out', async (route) => {
    expect((await get(route, { CONSOLE: false })).status).toBe(404);
  });
});

describe('console/settings.json', () => {
  test('tells the account of the pictures, and nothing that is not set', async () => {
    const { body } = await get(consoleSettingsFile, {});
    expect(JSON.parse(body as string)).toMatchObject({
      blobEndpoint: 'https://fieldimagery.blob.core.windows.net',
      tiles: null,
      login: null,
    });
  });

  test('a sign-in of which a part is missing stops the start', () => {
    expect(loginFaults({ ...config, CONSOLE_LOGIN_CLIENT_ID: 'a' })[0]).toContain(
      'CONSOLE_LOGIN_AUTHORITY and CONSOLE_LOGIN_SCOPE is missing',
    );
    expect(loginFaults(config)).toEqual([]);
  });
});

describe('the settings of the page', () => {
  const keys = new Map([['1', new Uint8Array(32)]]);

  test.each([
    { why: 'neither setting is there', given: {}, notices: false },
    { why: 'secrets could not be sealed', given: { PUBLIC_URL: 'https://fields.example' }, notices: false },
    { why: 'both are there', given: { PUBLIC_URL: 'https://fields.example', WEBHOOK_KEYS: keys }, notices: true },
  ])('say that notices are $notices where $why, and hold no key', ({ given, notices }) => {
    const settings = pageSettingsOf({ ...config, ...given }, '1', NO_TILES);
    expect(settings.notices).toBe(notices);
    expect(Object.keys(settings).sort()).toEqual([
      'blobEndpoint',
      'login',
      'notices',
      'tiles',
      'tilesFault',
      'version',
    ]);
  });
});

describe('the content security policy', () => {
  const settings = (given: Partial<ConsoleConfig>, shown = NO_TILES): PageSettings =>
    pageSettingsOf({ ...config, ...given }, '1', shown);

  test('lets the page ask its own origin and the imagery account', () => {
    expect(contentPolicy(settings({}))).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' data: blob:; " +
        "connect-src 'self' https://fieldimagery.blob.core.windows.net; manifest-src 'self'; form-action 'none'; " +
        "base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types default",
    );
  });

  test('names the origin of tiles and of the authority when they are set, and no more than the origin', () => {
    const policy = contentPolicy(
      settings(
        {
          CONSOLE_BLOB_ENDPOINT: 'http://127.0.0.1:5000/account',
          CONSOLE_LOGIN_CLIENT_ID: 'a',
          CONSOLE_LOGIN_AUTHORITY: 'https://login.example/organizations',
          CONSOLE_LOGIN_SCOPE: 'b',
        },
        {
          tiles: {
            urls: ['a', 'b', 'b'].map((host) => `https://${host}.tiles.example/{z}/{x}/{-y}.png`),
            attribution: '',
          },
          tilesFault: null,
        },
      ),
    );
    expect(policy).toContain("img-src 'self' data: blob: https://a.tiles.example https://b.tiles.example;");
    expect(policy).toContain("connect-src 'self' http://127.0.0.1:5000 https://login.example;");
  });
});
