import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Debian's python3 with GDAL and numpy; other interpreters on the path seldom have it. */
const PYTHON = '/usr/bin/python3';

/** Whether Python has some modules; says what is missing when not. */
export function canImport(line: string, missing: string): boolean {
  try {
    execFileSync(PYTHON, ['-c', line], { stdio: 'ignore' });
    return true;
  } catch {
    process.stdout.write(`${missing}\n`);
    return false;
  }
}

/** Whether GDAL can be asked. */
export const hasGdal = canImport(
  'from osgeo import gdal; import numpy',
  'GDAL is not installed (gdal-bin, python3-gdal): the comparisons with it are skipped.',
);

/** Runs a Python program; what it prints is JSON. */
export function python(program: string, ...args: readonly string[]): unknown {
  const printed = execFileSync(PYTHON, ['-c', program, ...args], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return JSON.parse(printed) as unknown;
}

/** Runs `work` with a folder of its own, which is removed afterwards. */
export async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'raster-'));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
