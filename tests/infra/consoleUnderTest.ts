/** A run of the way of the console that CONTRIBUTING.md lists: its page in a browser of a test's own. */
import { build } from 'esbuild';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { CalledFiles } from '../support/calledFiles.js';
import { fakeBrowser, type FakeBrowser } from '../support/fakeBrowser.mjs';
import type { Run } from './ways.js';

const root = join(import.meta.dirname, '../..');
const BUNDLE = join(root, 'build/consoleUnderTest.mjs');
const LOOK_MS = 10;
const MOST_LOOKS = 3_000;

/** What storage and the service have. */
export interface Farm {
  readonly customer: string;
  readonly fieldId: string;
  readonly geometry: object;
  /** Days with a picture of NDVI, of which the later one is shown first. */
  readonly days: readonly [earlier: string, later: string];
  /** A file of the container of images. */
  readonly read: (path: string) => Promise<Uint8Array | undefined>;
}

const json = (value: object): Response => new Response(JSON.stringify(value));

/** What the service answers, and its settings. */
function serviceAnswer(path: string, { customer, fieldId, geometry, days }: Farm): Response | undefined {
  const newest = { date: days[1], outcome: 'done', clear_percent: 100, layers: ['ndvi'] };
  const more = { area_ha: 36, enrollments: [], errors: null, newest, newest_picture: days[1] };
  // A file of a part of the page: here the page is whole.
  if (/^\/console\/\w+\.js$/.test(path)) return new Response('');
  if (path === '/console/settings.json') return json({ blobEndpoint: 'http://storage', tiles: null, tilesFault: null });
  if (path === '/v1/fields') return json({ items: [{ field_id: fieldId, geometry, ...more }], cursor: null });
  if (path !== '/v1/auth/sas-token') return undefined;
  return json({ account_name: 'images', file_system: 'imagery', sas_token: 'sv=1', path: `${customer}/field-imagery` });
}

/** What storage answers to a request for a file or a range of it. */
function fileAnswer(bytes: Uint8Array | undefined, range: string | null): Response {
  if (bytes === undefined) return new Response('', { status: 404 });
  const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? [];
  if (from === undefined) return new Response(Buffer.from(bytes));
  const [first, last] = [Number(from), Math.min(Number(to), bytes.length - 1)];
  const headers = { 'content-range': `bytes ${first}-${last}/${bytes.length}`, etag: '"1"' };
  return new Response(Buffer.from(bytes.subarray(first, last + 1)), { status: 206, headers });
}

async function bundleConsole(): Promise<void> {
  const contents = "import './console/map/pictureWorker.ts';\nimport './console/main.tsx';";
  await build({
    stdin: { contents, resolveDir: root },
    absWorkingDir: root,
    outfile: BUNDLE,
    bundle: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    logLevel: 'warning',
  });
}

async function until<T>(look: () => T | undefined, what: string): Promise<T> {
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    const seen = look();
    if (seen !== undefined) return seen;
    await wait(LOOK_MS);
  }
  throw new Error(`The console shows no ${what}.`);
}

const nextImage = ({ drawn }: FakeBrowser, before: object | undefined): Promise<object> =>
  until(() => (drawn.at(-1) === before ? undefined : drawn.at(-1)), 'picture');

/** Someone looks at the later day of a field and clicks the earlier one, whose picture isn't there yet. */
export async function clickDay(farm: Farm, called: CalledFiles, label: string): Promise<Run> {
  await bundleConsole();
  const { fieldId, days } = farm;
  // Days beside the one that is shown are read ahead: this one can be read once it is clicked.
  let isClicked = false;
  // The looks for new fields and days, each some seconds after the other, are no part of the click: they get no answer.
  let isListed = false;
  const fetch = async (address: string, init: RequestInit = {}): Promise<Response> => {
    const { pathname } = new URL(address, 'http://service');
    if (pathname === '/v1/fields' && isListed) return new Promise(() => undefined);
    isListed ||= pathname === '/v1/fields';
    const path = decodeURIComponent(pathname).replace('/imagery/', '');
    const isAway = !isClicked && path.includes(`${days[0]}/`);
    const range = new Headers(init.headers).get('range');
    return serviceAnswer(pathname, farm) ?? fileAnswer(isAway ? undefined : await farm.read(path), range);
  };
  const kept = { 'field-console': JSON.stringify({ apiKey: 'of the test' }) };
  const browser = fakeBrowser({ address: `#/fields/${fieldId}/${days[1]}/ndvi`, fetch, kept });
  try {
    await import(BUNDLE);
    called.know(BUNDLE);
    const shown = await nextImage(browser, undefined);
    const day = await until(() => browser.labelled(label), `day ${label}`);
    await called.take();
    isClicked = true;
    day.tell('click');
    await nextImage(browser, shown);
    const handOvers = browser.workersAsked().map((worker) => `worker ${worker}`);
    return { files: await called.take(), handOvers: new Set(handOvers) };
  } finally {
    browser.close();
  }
}
