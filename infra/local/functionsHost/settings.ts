import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Settings = Readonly<Record<string, string | undefined>>;

/** `Values` of local.settings.json in the app's folder; empty without that file. */
export function readLocalSettings(directory: string): Record<string, string> {
  let text: string;
  try {
    text = readFileSync(join(directory, 'local.settings.json'), 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw cause;
  }
  const file = JSON.parse(text) as { IsEncrypted?: unknown; Values?: Record<string, unknown> };
  if (file.IsEncrypted === true) throw new Error('local.settings.json is encrypted: decrypt it with Core Tools first.');
  return Object.fromEntries(Object.entries(file.Values ?? {}).map(([name, value]) => [name, String(value)]));
}

/**
 * The settings an app runs with: the process environment stands above local.settings.json, and that above the
 * two variables the platform always sets.
 */
export function settingsOf(directory: string, environment: Settings): Record<string, string> {
  const set = Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return {
    AZURE_FUNCTIONS_ENVIRONMENT: 'Development',
    FUNCTIONS_WORKER_RUNTIME: 'node',
    ...readLocalSettings(directory),
    ...Object.fromEntries(set),
  };
}

/** Replaces each `%NAME%` by that setting; one that resolves to nothing stops the start. */
export const resolveNames = (text: string, settings: Settings): string =>
  text.replace(/%([^%]+)%/g, (_match, name: string) => {
    const value = settings[name];
    if (value === undefined || value === '') throw new Error(`%${name}% does not resolve: no setting has that name.`);
    return value;
  });

/**
 * The connection string a binding's `connection` names: the setting itself, else the one with `AzureWebJobs`
 * before it. Nothing named means `AzureWebJobsStorage`.
 */
export function connectionString(name: string | undefined, settings: Settings): string {
  const key = name === undefined || name === '' ? 'AzureWebJobsStorage' : name;
  const value = settings[key] ?? settings[`AzureWebJobs${key}`];
  if (value === undefined || value === '') {
    throw new Error(`The connection ${key} is not set: the local host needs a connection string in ${key}.`);
  }
  return value;
}
