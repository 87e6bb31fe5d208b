import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RegisteredApp } from './coreApi.js';
import { findFiles } from './glob.js';

interface PackageJson {
  readonly main?: string;
  readonly type?: string;
}

async function importFile(file: string, isModulePackage: boolean): Promise<void> {
  const isModule = file.endsWith('.mjs') || (isModulePackage && !file.endsWith('.cjs'));
  if (isModule) await import(pathToFileURL(file).href);
  else createRequire(file)(file);
}

/**
 * Loads the entry points that `main` of the app's package.json names and ends the registration. No entry point, one
 * that throws, or an app without a function is a failed start: an empty host would look like a healthy one.
 */
export async function loadApp(directory: string, app: RegisteredApp): Promise<void> {
  const { main = 'index.js', type } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')) as PackageJson;
  const files = findFiles(directory, main);
  if (files.length === 0) throw new Error(`No file matches "${main}", the main of ${join(directory, 'package.json')}.`);
  for (const file of files) {
    try {
      await importFile(join(directory, file), type === 'module');
    } catch (cause) {
      throw new Error(`The entry point ${file} failed to load.`, { cause });
    }
  }
  await app.runHooks('appStart', { hookData: {}, functionAppDirectory: directory });
  app.lock();
  if (app.functions.size === 0) throw new Error(`${files.join(', ')} registered no function.`);
}
