// Builds the console's pages into dist/console: names that hold a hash of their content, each file as brotli and gzip
// only, and listing.json, which says what there is. Nothing is done while its sources are as they were.
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { basePlaces, baseLines, BASE_SOURCES } from './baseMap.mjs';

const OUT = 'dist/console';
const ICON = 'console/icon.svg';
const workers = {
  geoJsonWorker: 'console/views/adding/geoJsonWorker.ts',
  pictureWorker: 'console/map/pictureWorker.ts',
};
const META = 'build/console.meta.json';
const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
  '.bin': 'application/octet-stream',
};

const sha256 = (data) => createHash('sha256').update(data).digest('base64url');

/** What the pages are made of: our own sources as they are, packages by the lockfile. */
function stateOf(inputs) {
  const own = inputs.filter((file) => !file.includes('node_modules/'));
  const files = [
    ...own,
    'console/index.html',
    ICON,
    'infra/build/console.mjs',
    'infra/build/baseMap.mjs',
    'package-lock.json',
    'package.json',
  ];
  return sha256(files.map((file) => `${file} ${existsSync(file) ? sha256(readFileSync(file)) : 'gone'}`).join('\n'));
}

function isCurrent() {
  if (!existsSync(META) || !existsSync(`${OUT}/listing.json`)) return false;
  const { inputs, state } = JSON.parse(readFileSync(META, 'utf8'));
  return state === stateOf(Object.keys(inputs));
}

/** Builds the pages unless they are there. */
export async function buildConsole() {
  if (isCurrent()) return;
  const { metafile, outputFiles } = await build({
    entryPoints: ['console/main.tsx', 'console/style.css', ...Object.values(workers)],
    bundle: true,
    splitting: true,
    format: 'esm',
    // The oldest that know `AbortSignal.any`, with which pictures are read.
    target: ['es2022', 'chrome116', 'firefox124', 'safari17.4'],
    minify: true,
    outdir: OUT,
    write: false,
    metafile: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    loader: { '.woff2': 'file' },
    // The reader of XML asks for streams of Node, and does without where there are none.
    alias: { stream: 'data:text/javascript,' },
    legalComments: 'none',
    logLevel: 'warning',
  });
  const files = new Map(outputFiles.map(({ path, contents }) => [basename(path), Buffer.from(contents)]));
  const icon = readFileSync(ICON);
  files.set(`icon-${sha256(icon).slice(0, 8)}.svg`, icon);
  for (const [name, data] of Object.entries({ baseLines: baseLines(), basePlaces: basePlaces() })) {
    files.set(`${name}-${sha256(data).slice(0, 8)}.bin`, data);
  }
  files.set('index.html', pageOf(metafile, files));
  write(files);
  mkdirSync('build', { recursive: true });
  const inputs = { ...metafile.inputs, ...Object.fromEntries(BASE_SOURCES.map((source) => [source, {}])) };
  const state = stateOf(Object.keys(inputs));
  writeFileSync(META, JSON.stringify({ state, inputs, outputs: metafile.outputs }));
}

/** The page with the names that its script, style and font have this time. */
function pageOf({ outputs }, files) {
  const builtFrom = (source) =>
    basename(Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === source)?.[0] ?? '');
  const ending = (end) => [...files.keys()].find((name) => name.endsWith(end));
  const named = (beginning) => [...files.keys()].find((name) => name.startsWith(`${beginning}-`));
  const names = {
    script: builtFrom('console/main.tsx'),
    style: builtFrom('console/style.css'),
    ...Object.fromEntries(Object.entries(workers).map(([name, source]) => [name, builtFrom(source)])),
    baseLines: named('baseLines'),
    basePlaces: named('basePlaces'),
    font: ending('.woff2'),
    icon: ending('.svg'),
  };
  const parts = partsOf(outputs, builtFrom);
  const page = readFileSync('console/index.html', 'utf8');
  return Buffer.from(
    page.replaceAll(/\{(\w+)\}/g, (_, name) => (name === 'parts' ? parts : `/console/${names[name]}`)),
  );
}

/** A file and all that it imports, and what those import. */
function filesWith(outputs, path, kinds, known = new Set()) {
  known.add(path);
  for (const { path: next, kind } of outputs[path]?.imports ?? []) {
    if (kinds.includes(kind) && !known.has(next)) filesWith(outputs, next, kinds, known);
  }
  return known;
}

/**
 * What is loaded later, by the name of its source: of a part of the page the files that are not there from the start,
 * of a worker all that it ever loads.
 */
function partsOf(outputs, builtFrom) {
  const pathOf = (source) => `${OUT}/${builtFrom(source)}`;
  const first = filesWith(outputs, pathOf('console/main.tsx'), ['import-statement']);
  const page = filesWith(outputs, pathOf('console/main.tsx'), ['import-statement', 'dynamic-import']);
  const imported = [...page].flatMap((path) => outputs[path].imports);
  const asked = new Set(imported.filter(({ kind }) => kind === 'dynamic-import').map(({ path }) => path));
  const later = [...asked].map((path) =>
    [...filesWith(outputs, path, ['import-statement'])].filter((file) => !first.has(file)),
  );
  const inWorkers = Object.values(workers).map((source) => [
    ...filesWith(outputs, pathOf(source), ['import-statement', 'dynamic-import']),
  ]);
  const named = [...later, ...inWorkers].map((files) => files.map((file) => basename(file)));
  return named.map(([file, ...others]) => [file.slice(0, -'-12345678.js'.length), file, ...others].join(' ')).join(';');
}

function write(files) {
  rmSync(OUT, { recursive: true, force: true });
  mkdirSync(OUT, { recursive: true });
  const listing = {};
  for (const name of [...files.keys()].sort()) {
    const data = files.get(name);
    const params = {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: data.length,
    };
    writeFileSync(`${OUT}/${name}.br`, brotliCompressSync(data, { params }));
    writeFileSync(`${OUT}/${name}.gz`, gzipSync(data, { level: 9 }));
    const isNamedByContent = name !== 'index.html';
    listing[name] = {
      type: types[extname(name)],
      tag: sha256(data).slice(0, 27),
      bytes: data.length,
      isNamedByContent,
    };
  }
  writeFileSync(`${OUT}/listing.json`, `${JSON.stringify(listing, undefined, 1)}\n`);
}

/** The names of the files that dist/console holds, for the package. */
export const consoleFiles = () => readdirSync(OUT).sort();
