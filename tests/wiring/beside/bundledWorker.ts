import { build } from 'esbuild';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

export interface BundledWorker {
  readonly folder: string;
  readonly file: URL;
  readonly remove: () => void;
}

/** The thread's program as the bundle has it, in a folder of its own. */
export async function bundledWorker(): Promise<BundledWorker> {
  mkdirSync('build/test', { recursive: true });
  const folder = mkdtempSync(resolve('build/test', 'worker-'));
  const outfile = join(folder, 'worker.mjs');
  await build({
    entryPoints: ['shared/wiring/beside/worker.ts'],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    packages: 'external',
    logLevel: 'error',
  });
  const remove = (): void => {
    rmSync(folder, { recursive: true, force: true });
  };
  return { folder, file: pathToFileURL(outfile), remove };
}
