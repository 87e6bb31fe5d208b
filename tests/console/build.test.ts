import { beforeAll, describe, expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { ListedFile } from '../../shared/http/pages/consoleFiles.js';

const FOLDER = 'dist/console';
const KB = 1024;

interface Output {
  readonly entryPoint?: string;
  readonly imports: readonly { readonly path: string; readonly kind: string; readonly external?: boolean }[];
  readonly inputs: Readonly<Record<string, unknown>>;
}

let listing: Readonly<Record<string, ListedFile>>;
let outputs: Readonly<Record<string, Output>>;

beforeAll(async () => {
  const { buildConsole } = await import('../../infra/build/console.mjs');
  await buildConsole();
  listing = JSON.parse(readFileSync(`${FOLDER}/listing.json`, 'utf8')) as typeof listing;
  ({ outputs } = JSON.parse(readFileSync('build/console.meta.json', 'utf8')) as { outputs: typeof outputs });
});

const packedBytes = (name: string): number => readFileSync(`${FOLDER}/${name}.gz`).byteLength;
const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);

/** A file with all that it loads before it runs. */
function loadedWith(path: string, known = new Set<string>()): Set<string> {
  known.add(path);
  for (const { path: next, kind } of outputs[path]?.imports ?? []) {
    if (kind === 'import-statement' && !known.has(next)) loadedWith(next, known);
  }
  return known;
}

/** What the page loads before it shows anything. */
function firstView(): Set<string> {
  const entries = Object.keys(outputs).filter((path) => outputs[path]?.entryPoint !== undefined);
  const scripts = entries.filter((path) => /\/(main|style)-/.test(path)).flatMap((path) => [...loadedWith(path)]);
  return new Set([...scripts.map(nameOf), ...Object.keys(listing).filter((name) => /\.(html|woff2)$/.test(name))]);
}

const total = (names: Iterable<string>): number => [...names].reduce((bytes, name) => bytes + packedBytes(name), 0);

/** What is loaded on top of the first view for the chunk that holds this source. */
function laterFor(source: RegExp): string[] {
  const first = firstView();
  const chunk = Object.keys(outputs).find((path) =>
    Object.keys(outputs[path]?.inputs ?? {}).some((input) => source.test(input)),
  );
  return chunk === undefined ? [] : [...loadedWith(chunk)].map(nameOf).filter((name) => !first.has(name));
}

describe('the files of the console', () => {
  test('are listed whole: each twice, packed, and nothing else lies there', () => {
    const expected = Object.keys(listing).flatMap((name) => [`${name}.br`, `${name}.gz`]);
    expect(readdirSync(FOLDER).sort()).toEqual([...expected, 'listing.json'].sort());
  });

  test('are the same in both encodings, as long as the listing says', () => {
    for (const [name, { bytes }] of Object.entries(listing)) {
      const unpacked = gunzipSync(readFileSync(`${FOLDER}/${name}.gz`));
      expect([name, unpacked.byteLength]).toEqual([name, bytes]);
      expect(brotliDecompressSync(readFileSync(`${FOLDER}/${name}.br`)).equals(unpacked)).toBe(true);
    }
  });

  test('hold their hash in their names, but for the page', () => {
    for (const [name, { isNamedByContent }] of Object.entries(listing)) {
      expect([name, isNamedByContent]).toEqual([name, name !== 'index.html']);
      if (isNamedByContent) expect(name).toMatch(/-[A-Za-z0-9_-]{8}\.\w+$/);
    }
  });

  test('use nothing of Node', () => {
    for (const name of Object.keys(listing).filter((each) => each.endsWith('.js'))) {
      const script = gunzipSync(readFileSync(`${FOLDER}/${name}.gz`)).toString('utf8');
      expect([name, /["'`]node:[a-z]/.exec(script)?.[0]]).toEqual([name, undefined]);
    }
    const outside = Object.values(outputs).flatMap(({ imports }) =>
      imports.filter(({ external, path }) => external === true && !path.startsWith('data:')),
    );
    expect(outside).toEqual([]);
  });

  test('load nothing from elsewhere: the page names its own files alone', () => {
    const page = gunzipSync(readFileSync(`${FOLDER}/index.html.gz`)).toString('utf8');
    const named = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address);
    expect(named).toHaveLength(4);
    for (const address of named) expect(listing).toHaveProperty([address.replace('/console/', '')]);
    expect(page).not.toMatch(/<script>|<style|\sstyle=|\son\w+=/);
  });
});

describe('what the page loads later', () => {
  test.each([
    { part: 'boundary', source: /console\/views\/boundary\.tsx$/ },
    { part: 'fieldMap', source: /console\/map\/fieldMap\.ts$/ },
    { part: 'msal', source: /console\/session\/msal\.ts$/ },
  ])('is named by the page with all of its files: $part', ({ part, source }) => {
    const page = gunzipSync(readFileSync(`${FOLDER}/index.html.gz`)).toString('utf8');
    const [, parts = ''] = /name="parts" content="([^"]+)"/.exec(page) ?? [];
    const [, ...files] =
      parts
        .split(';')
        .map((each) => each.split(' '))
        .find(([name]) => name === part) ?? [];
    expect(files.sort()).toEqual(laterFor(source).sort());
  });
});

describe('the budget, packed', () => {
  test('of the first view (page, script, style, font) is 80 KB', () => {
    expect(total(firstView())).toBeLessThanOrEqual(80 * KB);
  });

  test('of the map with its reader of pictures is 130 KB', () => {
    const parts = [/console\/map\/fieldMap\.ts$/, /console\/map\/pictureWorker\.ts$/].flatMap(laterFor);
    expect(new Set(parts).size).toBeGreaterThan(2);
    expect(total(new Set(parts))).toBeLessThanOrEqual(130 * KB);
  });

  test('of signing in by an identity platform is 90 KB', () => {
    expect(total(laterFor(/@azure\/msal-browser/))).toBeLessThanOrEqual(90 * KB);
  });

  test.each(['baseLines', 'basePlaces'])('of the base below the fields, %s, is 150 KB', (name) => {
    const files = Object.keys(listing).filter((each) => each.startsWith(`${name}-`));
    expect(files).toHaveLength(1);
    expect(total(files)).toBeLessThanOrEqual(150 * KB);
  });

  test('of reading another format than GeoJSON is 50 KB each', () => {
    for (const source of [/console\/views\/adding\/files\/kmlFields\.ts$/, /node_modules\/proj4\//]) {
      const later = laterFor(source);
      expect(later.length).toBeGreaterThan(0);
      expect(total(later)).toBeLessThanOrEqual(50 * KB);
    }
  });

  test('of all files in both encodings is 1.3 MB', () => {
    const bytes = readdirSync(FOLDER).reduce((sum, name) => sum + readFileSync(`${FOLDER}/${name}`).byteLength, 0);
    expect(bytes).toBeLessThanOrEqual(1.3 * KB * KB);
  });
});
