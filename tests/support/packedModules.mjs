// Packs the libraries of many small files that most tests import into a few large ones. Every test file loads its modules
// anew, each one through the resolver and `node:vm`: of 130,000 such loads in a run, these libraries had 90,000.
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const require = createRequire(import.meta.url);

const MODERN = [
  'typebox',
  'typebox/format',
  '@azure/abort-controller',
  '@azure/core-auth',
  '@azure/core-rest-pipeline',
  '@azure/core-tracing',
  '@azure/data-tables',
  '@azure/identity',
  '@azure/keyvault-secrets',
  '@azure/storage-blob',
  '@azure/storage-file-datalake',
  '@azure/storage-queue',
];
/** Written as CommonJS: their names are known when they have run. */
const COMMON_JS = ['ajv', 'ajv/dist/2020.js', 'ajv-formats'];

const fileOf = (name) =>
  name
    .replace(/\.js$/, '')
    .replaceAll(/[@/.]+/g, '-')
    .replace(/^-/, '');

/** The source that passes on what a module exports. */
function passedOn(name) {
  if (MODERN.includes(name)) return `export * from '${name}';`;
  const names = Object.keys(require(name)).filter((key) => key !== 'default' && key !== '__esModule');
  return `import whole from '${name}'; export const { ${names.join(', ')} } = whole; export default whole;`;
}

const entries = {
  name: 'entries',
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^packed:/ }, ({ path }) => ({ path: path.slice('packed:'.length), namespace: 'packed' }));
    onLoad({ filter: /.*/, namespace: 'packed' }, ({ path }) => ({ contents: passedOn(path), resolveDir: root }));
  },
};

/** The names of those libraries, each with the file that stands for it: made once for each state of the lockfile. */
export async function packedModules() {
  const sources = ['package-lock.json', 'tests/support/packedModules.mjs'].map((path) =>
    readFileSync(`${root}${path}`),
  );
  const state = createHash('sha256').update(sources.join('\n')).digest('hex').slice(0, 16);
  const folder = `${root}build/packed/${state}`;
  const names = [...MODERN, ...COMMON_JS];
  if (!existsSync(folder)) await pack(names, folder);
  return Object.fromEntries(names.map((name) => [`^${name.replaceAll('.', '\\.')}$`, `${folder}/${fileOf(name)}.mjs`]));
}

/** Runs beside each other may pack at once: each in a folder of its own, of which the first to end stays. */
async function pack(names, folder) {
  const own = `${folder}-${process.pid}`;
  mkdirSync(own, { recursive: true });
  await build({
    absWorkingDir: root,
    entryPoints: names.map((name) => ({ in: `packed:${name}`, out: fileOf(name) })),
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    outdir: own,
    outExtension: { '.js': '.mjs' },
    plugins: [entries],
    banner: {
      js: "import { createRequire as createRequireForBundle } from 'node:module'; const require = createRequireForBundle(import.meta.url);",
    },
    legalComments: 'none',
    logLevel: 'warning',
  });
  try {
    renameSync(own, folder);
  } catch {
    rmSync(own, { recursive: true });
  }
}
