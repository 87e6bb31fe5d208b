import { build } from 'esbuild';
import { mkdtempSync } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** What earlier runs left behind; a run lasts less than an hour. */
async function removeOld(): Promise<void> {
  for (const name of await readdir('build/test')) {
    const folder = join('build/test', name);
    const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Infinity }));
    if (Date.now() - mtimeMs > 3600_000) await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Bundles programs of the local environment, as `npm start` does, into a folder of this test alone inside the
 * checkout, where their packages are found.
 *
 * @returns the path of the first one
 */
export async function bundled(...programs: readonly string[]): Promise<string> {
  await mkdir('build/test', { recursive: true });
  await removeOld();
  const outdir = mkdtempSync('build/test/');
  await build({
    entryPoints: programs.map((name) => `infra/local/${name}.ts`),
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'error',
  });
  return resolve(join(outdir, `${programs[0] ?? ''}.mjs`));
}
