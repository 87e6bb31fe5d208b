// After `azd provision`: the pepper of the API keys, once in the life of an environment. It is never printed and never
// made anew: without it every key is useless. `PEPPER=restore` leaves the vault to `az keyvault secret restore`.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isNotYetAllowed, runAsProgram, withPatience } from './ports.mjs';

const SECRET = 'api-key-peppers';

/** @returns {boolean} whether the vault has one */
function hasPepper({ run }, vault) {
  try {
    run('az', [
      'keyvault',
      'secret',
      'show',
      '--vault-name',
      vault,
      '--name',
      SECRET,
      '--query',
      'id',
      '--output',
      'tsv',
    ]);
    return true;
  } catch (error) {
    if (/SecretNotFound|was not found in this key vault/i.test(error.said)) return false;
    throw error;
  }
}

/** By a file that nobody else reads: an argument would stand in the list of processes. */
function writePepper({ run }, vault) {
  const folder = mkdtempSync(join(tmpdir(), 'pepper-'));
  try {
    const file = join(folder, 'pepper.json');
    writeFileSync(file, JSON.stringify({ 1: randomBytes(32).toString('base64') }), { mode: 0o600 });
    const where = ['--vault-name', vault, '--name', SECRET];
    run('az', ['keyvault', 'secret', 'set', ...where, '--file', file, '--encoding', 'utf-8', '--output', 'none']);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export async function ensurePepper(ports) {
  const { env, log } = ports;
  if (env.PEPPER === 'restore') return log('No pepper is made: `az keyvault secret restore` brings the one before.');
  const patience = { passes: isNotYetAllowed, minutes: 20, waitingFor: 'Your own new role on the vault' };
  const isThere = await withPatience(ports, () => hasPepper(ports, env.vaultName), patience);
  if (isThere) return log('The vault has its pepper.');
  await withPatience(ports, () => writePepper(ports, env.vaultName), patience);
  return log('The vault has a new pepper.');
}

await runAsProgram(import.meta.url, ensurePepper);
