// After `azd provision`: the pepper of the API keys and the key that seals the secrets of webhooks, once in the life of an
// environment. They are never printed and never made anew: without them every API key, and every secret of a webhook, is
// useless. `PEPPER=restore` leaves the vault to `az keyvault secret restore`. Then the app reads what its settings refer to.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { groupOf, outputsOf } from './outputs.mjs';
import { isNotYetAllowed, runAsProgram, withPatience } from './ports.mjs';

/** Each is JSON by version: base64 of 32 bytes. */
export const SECRETS = [
  { name: 'api-key-peppers', what: 'pepper' },
  { name: 'webhook-keys', what: 'key of webhooks' },
];

/** @returns {boolean} whether the vault has one */
function hasSecret({ run }, vault, name) {
  try {
    const where = ['--vault-name', vault, '--name', name];
    run('az', ['keyvault', 'secret', 'show', ...where, '--query', 'id', '--output', 'tsv']);
    return true;
  } catch (error) {
    if (/SecretNotFound|was not found in this key vault/i.test(error.said)) return false;
    throw error;
  }
}

/** Key material of one version. */
export const newKey = () => randomBytes(32).toString('base64');

/** By a file that nobody else reads: an argument would stand in the list of processes. */
export function writeSecret({ run }, vault, name, versions = { 1: newKey() }) {
  const folder = mkdtempSync(join(tmpdir(), 'secret-'));
  try {
    const file = join(folder, 'secret.json');
    writeFileSync(file, JSON.stringify(versions), { mode: 0o600 });
    const where = ['--vault-name', vault, '--name', name];
    run('az', ['keyvault', 'secret', 'set', ...where, '--file', file, '--encoding', 'utf-8', '--output', 'none']);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What a setting refers to was read when the app was made, before there was a secret, and is read again after a day. */
export function refreshReferences({ run }, group, app) {
  const site = ['functionapp', 'show', '--resource-group', group, '--name', app];
  const id = run('az', [...site, '--query', 'id', '--output', 'tsv']);
  const uri = `${id}/config/configreferences/appsettings/refresh?api-version=2022-03-01`;
  run('az', ['rest', '--method', 'post', '--uri', uri, '--output', 'none']);
}

export async function ensureSecrets(ports) {
  const { env, log } = ports;
  const group = groupOf(ports);
  const { appName, vaultName } = outputsOf(ports, group);
  if (env.PEPPER === 'restore') log('No secrets are made: `az keyvault secret restore` brings those before.');
  else for (const secret of SECRETS) await ensureSecret(ports, vaultName, secret);
  refreshReferences(ports, group, appName);
}

async function ensureSecret(ports, vault, { name, what }) {
  const { log } = ports;
  const patience = { passes: isNotYetAllowed, minutes: 20, waitingFor: 'Your own new role on the vault' };
  const isThere = await withPatience(ports, () => hasSecret(ports, vault, name), patience);
  if (isThere) return log(`The vault has its ${what}.`);
  await withPatience(ports, () => writeSecret(ports, vault, name), patience);
  return log(`The vault has a new ${what}.`);
}

await runAsProgram(import.meta.url, ensureSecrets);
