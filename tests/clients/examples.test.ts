/** The examples as a newcomer runs them, each with the tools that are there. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { isThere, outputOf } from './generators.js';

const areas = [
  { area: 'gdd', says: /^\d+(\.\d+)? °C·day in 153 days$/m, file: 'gdd.svg', begins: '<svg' },
  {
    area: 'boundary',
    says: /The boundary is in boundary\.geojson/,
    file: 'boundary.geojson',
    begins: '{"type":"Feature',
  },
  { area: 'imagery', says: /^\d{4}-\d\d-\d\d: .*true-color\.tiff\.$/m, file: 'true-color.tiff', begins: 'II*\0' },
  {
    area: 'farm',
    says: /^Succeeded: 1 fields written, 0 not$[^]*^\d+(\.\d+)? °C·day in 153 days$[^]*The boundary is in boundary\.geojson/m,
    file: 'boundary.geojson',
    begins: '{"type":"Feature',
  },
  // After the others, so that there is something to list.
  {
    area: 'lists',
    says: /^north-40: [\d.]+ ha, sound$[^]*^\d+ fields are in listed\.geojson; the newest picture is of \d{4}-\d\d-\d\d\.$[^]*^\d{4}-\d\d-\d\d (gdd|smartBoundary) \w*: SUCCEEDED$/m,
    file: 'listed.geojson',
    begins: '{"type":"FeatureCollection","features":[{',
  },
] as const;

interface Language {
  readonly language: string;
  readonly needs: readonly (readonly string[])[];
  readonly build?: (folder: string) => readonly string[];
  readonly run: (area: string, folder: string) => readonly string[];
}

const example = (path: string): string => resolve('examples', path);
const languages: readonly Language[] = [
  {
    language: 'curl',
    needs: [
      ['bash', '--version'],
      ['curl', '--version'],
      ['jq', '--version'],
    ],
    run: (area) => ['bash', example(`curl/${area}.sh`)],
  },
  {
    language: 'TypeScript',
    needs: [],
    build: (folder) => [
      resolve('node_modules/.bin/esbuild'),
      ...areas.map(({ area }) => example(`typescript/${area}.ts`)),
      '--bundle',
      '--platform=node',
      '--format=esm',
      `--outdir=${join(folder, 'typescript')}`,
      '--out-extension:.js=.mjs',
    ],
    run: (area, folder) => [process.execPath, join(folder, `typescript/${area}.mjs`)],
  },
  {
    language: 'Python',
    needs: [['python3', '-c', 'import requests']],
    run: (area) => ['python3', example(`python/${area}.py`)],
  },
  {
    language: 'C#',
    needs: [['dotnet', '--version']],
    build: (folder) => ['dotnet', 'build', example('csharp'), '--artifacts-path', join(folder, 'csharp')],
    run: (area, folder) => ['dotnet', join(folder, 'csharp/bin/examples/debug/examples.dll'), area],
  },
];

describe.each(languages)('examples in $language', ({ needs, build, run }) => {
  let folder: string;
  let isReady = false;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'examples-'));
    mkdirSync(join(folder, 'examples'));
    cpSync(example('fields.geojson'), join(folder, 'examples/fields.geojson'));
    isReady = (await Promise.all(needs.map((command) => isThere(...command)))).every(Boolean);
    if (isReady && build !== undefined) await outputOf(build(folder), folder);
  });
  afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  test.each(areas)('$area', async ({ area, says, file, begins }) => {
    if (!isReady) {
      console.warn(`Skipped: ${needs.map(([tool]) => tool).join(', ')} are not all there.`);
      return;
    }
    expect(await outputOf(run(area, folder), folder)).toMatch(says);
    expect(readFileSync(join(folder, file), 'latin1').slice(0, begins.length)).toBe(begins);
  });
});
