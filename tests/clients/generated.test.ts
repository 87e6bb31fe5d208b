/** Clients as strangers generate them from the document, untouched: each does the six calls that a farm system makes. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { cpSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { callersFolder, here, isThere, outputOf } from './generators.js';

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

const generator = (path: string): string => join(here, 'node_modules', path);

describe('TypeScript', () => {
  test('our own client has the types of the document (openapi-typescript)', async () => {
    const made = join(folder, 'generated.ts');
    await outputOf([generator('.bin/openapi-typescript'), 'openapi.json', '-o', made], folder);
    expect(readFileSync('clients/typescript/generated.ts', 'utf8')).toBe(readFileSync(made, 'utf8'));
  });

  test('hey-api', async () => {
    await outputOf([generator('.bin/openapi-ts'), '-i', 'openapi.json', '-o', 'hey'], folder);
    cpSync(join(here, 'heyApi/program.ts'), join(folder, 'program.ts'));
    const types = ['--typeRoots', resolve('node_modules/@types'), '--types', 'node'];
    const strict = ['--strict', '--noEmit', '--skipLibCheck', '--target', 'es2022', '--module', 'esnext'];
    await outputOf([generator('.bin/tsc'), ...strict, '--moduleResolution', 'bundler', ...types, 'program.ts'], folder);
    const bundle = ['--bundle', '--platform=node', '--format=esm', '--outfile=program.mjs'];
    await outputOf([resolve('node_modules/.bin/esbuild'), 'program.ts', ...bundle], folder);
    const output = await outputOf([process.execPath, 'program.mjs', fields], folder);
    for (const call of sixCalls) expect(output).toMatch(call);
  });
});

describe('C#', () => {
  test('NSwag', async () => {
    if (!(await isThere('dotnet', '--version'))) {
      console.warn('Skipped: there is no dotnet.');
      return;
    }
    cpSync(join(here, 'nswag'), join(folder, 'nswag'), { recursive: true });
    const nswag = generator('nswag/bin/binaries/Net100/dotnet-nswag.dll');
    const options = ['/namespace:Stranger', '/operationGenerationMode:SingleClientFromOperationId'];
    await outputOf(
      [
        'dotnet',
        nswag,
        'openapi2csclient',
        '/input:openapi.json',
        '/output:nswag/Client.cs',
        ...options,
        '/generateOptionalParameters:true',
      ],
      folder,
      { DOTNET_ROLL_FORWARD: 'Major' },
    );
    await outputOf(['dotnet', 'build', 'nswag'], folder);
    const output = await outputOf(['dotnet', 'nswag/bin/Debug/net10.0/nswag.dll', fields], folder);
    for (const call of sixCalls) expect(output).toMatch(call);
  });
});
