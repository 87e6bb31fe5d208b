/** Clients as strangers generate them from the document, untouched: each does the six calls that a farm system makes. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  builtByHeyApi,
  builtByNswag,
  callersFolder,
  generator,
  here,
  isThere,
  type JsonLibrary,
  outputOf,
} from './generators.js';

const fields = resolve('examples/fields.geojson');
const sixCalls = [
  /^create waiting$/im,
  /^fetch succeeded$/im,
  /^insight \d{3,4}(\.\d+)?$/m,
  /^submit received$/im,
  /^list 1$/m,
  /^storage [\w-]+\/field-imagery$/m,
];

let folder: string;
beforeAll(async () => {
  folder = await callersFolder();
});

describe('TypeScript', () => {
  test('our own client has the types of the document (openapi-typescript)', async () => {
    const made = join(folder, 'generated.ts');
    await outputOf([generator('.bin/openapi-typescript'), 'openapi.json', '-o', made], folder);
    expect(readFileSync('clients/typescript/generated.ts', 'utf8')).toBe(readFileSync(made, 'utf8'));
  });

  test('hey-api', async () => {
    const program = await builtByHeyApi(folder, join(here, 'heyApi/jobs.ts'));
    const output = await outputOf([process.execPath, program, fields], folder);
    for (const call of sixCalls) expect(output).toMatch(call);
  });
});

describe('C#', () => {
  test.each<JsonLibrary>(['Newtonsoft.Json', 'System.Text.Json'])('NSwag with %s', async (library) => {
    if (!(await isThere('dotnet', '--version'))) {
      console.warn('Skipped: there is no dotnet.');
      return;
    }
    const program = await builtByNswag(folder, ['jobs.cs'], library);
    const output = await outputOf(['dotnet', program, fields], folder);
    for (const call of sixCalls) expect(output).toMatch(call);
  });
});
