import { build } from 'esbuild';
import { mkdtempSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * Bundles one program of the local environment, as `npm start` does, into a folder of this test alone inside the
 * checkout, where its packages are found.
 *
 * @returns the path of the file to run
 */
export async function bundled(name: string): Promise<string> {
  await mkdir('build/test', { recursive: true });
  const outfile = join(mkdtempSync('build/test/'), `${name}.mjs`);
  await build({
    entryPoints: [`infra/local/${name}.ts`],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'error',
  });
  return outfile;
}
