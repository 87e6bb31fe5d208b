import { spawn } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { service } from '../contract/service.js';

export const here = resolve('tests/clients');

/** A folder of a caller: the document as the service gives it, and the generators. */
export async function callersFolder(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'caller-'));
  const document = await (await fetch(`${service.baseUrl}/openapi.json`)).text();
  writeFileSync(join(folder, 'openapi.json'), document);
  cpSync(join(here, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(here, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

/** What a program writes; its end with another code than 0 is an error that tells it. */
export async function outputOf(
  [program = '', ...rest]: readonly string[],
  folder: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const child = spawn(program, rest, {
    cwd: folder,
    env: { ...process.env, NODE_EXTRA_CA_CERTS: service.caFile, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`${program} ${rest.join(' ')} ended with ${String(code)}:\n${output.slice(-4000)}`);
  return output;
}

/** Whether a program is there to be run. */
export async function isThere(...command: readonly string[]): Promise<boolean> {
  return outputOf(command, here).then(
    () => true,
    () => false,
  );
}

export const generator = (path: string): string => join(here, 'node_modules', path);

/** A program in TypeScript with the client that hey-api makes of the document of a folder. @returns the file to run */
export async function builtByHeyApi(folder: string, program: string): Promise<string> {
  await outputOf([generator('.bin/openapi-ts'), '-i', 'openapi.json', '-o', 'hey'], folder);
  copyFileSync(program, join(folder, 'program.ts'));
  const types = ['--typeRoots', resolve('node_modules/@types'), '--types', 'node'];
  const strict = ['--strict', '--noEmit', '--skipLibCheck', '--target', 'es2022', '--module', 'esnext'];
  await outputOf([generator('.bin/tsc'), ...strict, '--moduleResolution', 'bundler', ...types, 'program.ts'], folder);
  const bundle = ['--bundle', '--platform=node', '--format=esm', '--outfile=program.mjs'];
  await outputOf([resolve('node_modules/.bin/esbuild'), 'program.ts', ...bundle], folder);
  return 'program.mjs';
}

/** Options of NSwag by the library that the client reads JSON with. */
const JSON_LIBRARIES = {
  'Newtonsoft.Json': [],
  // Of the version before, enums have no values such as `true-color`.
  'System.Text.Json': ['/jsonLibrary:SystemTextJson', '/jsonLibraryVersion:9.0'],
} as const;
export type JsonLibrary = keyof typeof JSON_LIBRARIES;

/** A program in C# with the client that NSwag makes of the document of a folder. @returns the file for `dotnet` to run */
export async function builtByNswag(
  folder: string,
  programs: readonly string[],
  library: JsonLibrary = 'Newtonsoft.Json',
): Promise<string> {
  const project = `nswag-${library}`;
  mkdirSync(join(folder, project));
  for (const file of ['nswag.csproj', ...programs])
    copyFileSync(join(here, 'nswag', file), join(folder, project, file));
  const nswag = generator('nswag/bin/binaries/Net100/dotnet-nswag.dll');
  const modes = ['/operationGenerationMode:SingleClientFromOperationId', '/generateOptionalParameters:true'];
  const options = ['/namespace:Stranger', ...modes, ...JSON_LIBRARIES[library]];
  const files = ['/input:openapi.json', `/output:${project}/Client.cs`];
  await outputOf(['dotnet', nswag, 'openapi2csclient', ...files, ...options], folder, { DOTNET_ROLL_FORWARD: 'Major' });
  const constants = library === 'System.Text.Json' ? ['-p:DefineConstants=SYSTEM_TEXT_JSON'] : [];
  await outputOf(['dotnet', 'build', project, ...constants], folder);
  return `${project}/bin/Debug/net10.0/nswag.dll`;
}
