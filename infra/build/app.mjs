// How the deployed app and the programs of the local environment are bundled.
import { build } from 'esbuild';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The usual name `require` of such a banner collides with one in a bundled package, so this one is our own. */
const requireBanner =
  "import { createRequire as createRequireForBundle } from 'node:module'; const require = createRequireForBundle(import.meta.url);";
const common = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  sourcemap: true,
  logLevel: 'warning',
  entryNames: '[name]',
  outExtension: { '.js': '.mjs' },
  metafile: true,
};
/** What is deployed is packed: a cold start compiles the whole text. Names stay, so stacks and errors read as written. */
const packed = { minifyWhitespace: true, minifySyntax: true, legalComments: 'none' };
const existing = (paths) => paths.filter((path) => existsSync(path));

/** The commit that is built: from the build's environment, else from git; `unknown` outside of a checkout. */
function commit() {
  if (process.env.BUILD_COMMIT) return process.env.BUILD_COMMIT;
  try {
    const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] };
    return execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], options).trim();
  } catch {
    return 'unknown';
  }
}

/** Writes a file in one go, and only when it has changed: a command that runs may be reading it. */
function writeFile(path, contents) {
  if (existsSync(path) && readFileSync(path).equals(contents)) return;
  mkdirSync(dirname(path), { recursive: true });
  const next = `${path}.${process.pid}.new`;
  writeFileSync(next, contents);
  renameSync(next, path);
}

/** Bundles, and writes what has changed. @returns the bundler's list of what it has made */
async function bundle(options) {
  const { metafile, outputFiles } = await build({ ...options, write: false });
  for (const { path, contents } of outputFiles) writeFile(path, Buffer.from(contents));
  return metafile;
}

/** Removes what an earlier build has left in the folder; a running copy keeps its files for as long as possible. */
function removeStale(outdir, { outputs }) {
  const current = new Set(Object.keys(outputs).map((path) => basename(path)));
  for (const file of readdirSync(outdir)) {
    if (/\.mjs(\.map)?(\.\d+\.new)?$/.test(file) && !current.has(file)) rmSync(`${outdir}/${file}`);
  }
}

/** Programs that run from the checkout, where node_modules is. `plugins` as for the app. */
export async function buildPrograms(outdir, entryPoints, plugins = []) {
  const options = { ...common, entryPoints: existing(entryPoints), outdir, packages: 'external', plugins };
  removeStale(outdir, await bundle(options));
}

/** Leaves what our own files import while running as a file of its own, beside the one that imports it. */
const loadedLater = {
  name: 'loaded-later',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^\.\.?\// }, ({ kind, path, importer }) =>
      kind === 'dynamic-import' && !importer.includes('node_modules')
        ? { path: `./${basename(path, '.js')}.mjs`, external: true }
        : undefined,
    );
  },
};

/**
 * The app, as it is deployed. `plugins` change sources on the way: the fault tests build variants with one protection
 * taken out, so that the product itself needs no switch for it.
 *
 * @returns the bundler's list of what is in it
 */
export async function buildApp(outdir, plugins = []) {
  const { functionManifest } = await import(`${pathToFileURL('build/local/functionManifest.mjs').href}?${Date.now()}`);
  const app = {
    ...common,
    ...packed,
    outdir,
    external: ['@azure/functions-core'],
    banner: { js: requireBanner },
    define: {
      FUNCTION_MANIFEST: JSON.stringify(functionManifest),
      BUILD_VERSION: JSON.stringify(JSON.parse(readFileSync('package.json', 'utf8')).version),
      BUILD_COMMIT: JSON.stringify(commit()),
    },
    sourcesContent: false,
  };
  // What a cold start reads is one small file: of the chunks that the rest shares it would have to wait for each.
  const main = await bundle({ ...app, entryPoints: ['functions/main.ts'], plugins: [...plugins, loadedLater] });
  const rest = await bundle({
    ...app,
    // Each worker entry is a file of its own, because a worker thread starts from a file.
    entryPoints: ['shared/wiring/runtime.ts', 'functions/functionTable.ts', 'shared/wiring/beside/worker.ts'],
    splitting: true,
    chunkNames: '[name]-[hash]',
    plugins,
  });
  const parts = [main, rest, ...(await buildTelemetry(outdir))];
  const all = {
    inputs: Object.assign({}, ...parts.map(({ inputs }) => inputs)),
    outputs: Object.assign({}, ...parts.map(({ outputs }) => outputs)),
  };
  removeStale(outdir, all);
  copyAssets(outdir);
  return all;
}

/** Telemetry, which most starts don't load: what records, and the exporters, which are loaded with the first batch. */
async function buildTelemetry(outdir) {
  const options = {
    ...common,
    ...packed,
    outdir,
    banner: { js: requireBanner },
    sourcemap: false,
    // The packages' other form is CommonJS, of which nothing can be left out: twice the bytes.
    mainFields: ['module', 'main'],
  };
  const exporter = '@azure/monitor-opentelemetry-exporter';
  return Promise.all([
    bundle({
      ...options,
      entryPoints: ['shared/kit/telemetry/startTelemetry.ts'],
      plugins: [loadedLater],
      // The sampler alone: the index would bring the exporters with it.
      alias: { [exporter]: `./node_modules/${exporter}/dist/esm/sampling/rateLimitedSampler.js` },
    }),
    bundle({ ...options, entryPoints: ['shared/kit/telemetry/telemetryExporters.ts'] }),
  ]);
}

/** Every file that is read at run time. */
function copyAssets(outdir) {
  const copy = (file) => writeFile(`${outdir}/assets/${basename(file)}`, readFileSync(file));
  for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js']) copy(`node_modules/swagger-ui-dist/${name}`);
  if (!existsSync('shared/boundary/assets')) return;
  for (const file of readdirSync('shared/boundary/assets')) copy(`shared/boundary/assets/${file}`);
}
