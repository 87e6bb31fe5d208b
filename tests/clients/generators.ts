import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
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
