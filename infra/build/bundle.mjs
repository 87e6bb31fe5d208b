// Builds what runs: dist/ (the deployed app) and build/local/ (the local environment). Same sources, same output
// bytes on every machine. `--if-missing` skips the work when a build exists.
import { build } from 'esbuild';
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
process.chdir(root);
if (process.argv.includes('--if-missing') && existsSync('dist/main.mjs') && existsSync('build/local/start.mjs')) {
  process.exit(0);
}

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
  outExtension: { '.js': '.mjs' },
};
/** The commit that is built: from the build's environment, else from git; `unknown` outside of a checkout. */
function commit() {
  if (process.env.BUILD_COMMIT) return process.env.BUILD_COMMIT;
  try {
    return execFileSync('git', ['rev-parse', '--short=12', 'HEAD'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return 'unknown';
  }
}
const existing = (paths) => paths.filter((path) => existsSync(path));

rmSync('build/local', { recursive: true, force: true });
await build({
  ...common,
  entryPoints: existing([
    ...['start', 'hostProcess', 'azuriteProcess', 'token', 'demo', 'customers', 'poison'].map(
      (name) => `infra/local/${name}.ts`,
    ),
    'infra/build/functionManifest.ts',
    'infra/build/openApi.ts',
  ]),
  entryNames: '[name]',
  outdir: 'build/local',
  // These run from the checkout, where node_modules is.
  packages: 'external',
});

rmSync('dist', { recursive: true, force: true });
const { functionManifest } = await import('../../build/local/functionManifest.mjs');
const app = await build({
  ...common,
  // Each worker entry is a file of its own, because a worker thread starts from a file.
  entryPoints: existing(['functions/main.ts', 'shared/worker/worker.ts']),
  entryNames: '[name]',
  outdir: 'dist',
  // What main.ts loads later is a file of its own: a cold start reads the list of functions only.
  splitting: true,
  chunkNames: '[name]-[hash]',
  external: ['@azure/functions-core'],
  banner: { js: requireBanner },
  define: {
    FUNCTION_MANIFEST: JSON.stringify(functionManifest),
    BUILD_VERSION: JSON.stringify(JSON.parse(readFileSync('package.json', 'utf8')).version),
    BUILD_COMMIT: JSON.stringify(commit()),
  },
  legalComments: 'none',
  sourcesContent: false,
  metafile: true,
});
mkdirSync('dist/assets', { recursive: true });
// What is in the bundle: the package's notices are made from it.
writeFileSync('build/bundle.meta.json', JSON.stringify(app.metafile));
for (const file of ['swagger-ui.css', 'swagger-ui-bundle.js', 'LICENSE']) {
  copyFileSync(
    `node_modules/swagger-ui-dist/${file}`,
    `dist/assets/${file === 'LICENSE' ? 'swagger-ui.LICENSE' : file}`,
  );
}
if (existsSync('shared/assets')) {
  for (const file of readdirSync('shared/assets')) copyFileSync(`shared/assets/${file}`, `dist/assets/${file}`);
}
