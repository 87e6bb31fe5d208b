// A further version of a secret that has versions, or one version less:
// npm run rotate-secret -- api-key-peppers|webhook-keys [--without <version>] [--group <resource group>]
// What is there is read and checked first: a vault that refuses, or a secret that is damaged, is left as it is.
import { parseArgs } from 'node:util';
import { groupOf, outputsOf } from './outputs.mjs';
import { runAsProgram } from './ports.mjs';
import { newKey, refreshReferences, SECRETS, writeSecret } from './secrets.mjs';

const names = SECRETS.map(({ name }) => name);
const usage = `Use: npm run rotate-secret -- ${names.join('|')} [--without <version>] [--group <resource group>]`;

const isKey = (text) => typeof text === 'string' && Buffer.from(text, 'base64').toString('base64') === text;
const isVersion = ([version, key]) => /^\d+$/.test(version) && isKey(key) && Buffer.from(key, 'base64').length === 32;

/** The versions that the vault has. @throws Error when they are not what the service takes */
function versionsIn({ run }, vault, name) {
  const text = run('az', [
    ...['keyvault', 'secret', 'show', '--vault-name', vault, '--name', name],
    ...['--query', 'value', '--output', 'tsv'],
  ]);
  let versions;
  try {
    versions = JSON.parse(text);
  } catch {
    versions = undefined;
  }
  const entries = Object.entries(versions ?? {});
  if (entries.length > 0 && entries.every(isVersion)) return versions;
  throw new Error(
    `The secret ${name} is not JSON with a key of 32 bytes for each version, so nothing was written. Bring a version of ` +
      `it back first: az keyvault secret list-versions --vault-name ${vault} --name ${name}`,
  );
}

function without(versions, dropped) {
  const numbers = Object.keys(versions).map(Number);
  if (!(dropped in versions)) throw new Error(`There is no version ${dropped}; there are ${numbers.join(', ')}.`);
  if (Number(dropped) === Math.max(...numbers)) {
    throw new Error(
      `Version ${dropped} is the newest, which new keys use: rotate first, and drop it when none names it.`,
    );
  }
  return Object.fromEntries(Object.entries(versions).filter(([version]) => version !== dropped));
}

const withNext = (versions) => ({ ...versions, [Math.max(...Object.keys(versions).map(Number)) + 1]: newKey() });

export function rotateSecret(ports, args) {
  const options = { without: { type: 'string' }, group: { type: 'string' } };
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options });
  const [name] = positionals;
  if (positionals.length !== 1 || !names.includes(name)) throw new Error(usage);
  const group = values.group ?? groupOf(ports);
  const { vaultName, appName } = outputsOf(ports, group);
  const before = versionsIn(ports, vaultName, name);
  const next = values.without === undefined ? withNext(before) : without(before, values.without);
  writeSecret(ports, vaultName, name, next);
  const there = JSON.stringify(versionsIn(ports, vaultName, name));
  if (there !== JSON.stringify(next))
    throw new Error(`The vault has another ${name} than was written: look at it now.`);
  ports.log(`The vault has ${name} with the versions ${Object.keys(next).join(', ')}. Keep a copy in the safe.`);
  try {
    refreshReferences(ports, group, appName);
  } catch (error) {
    throw new Error(`The app reads ${name} within a day, for it could not be told now: ${error.message}`, {
      cause: error,
    });
  }
  ports.log('The app reads it now.');
}

await runAsProgram(import.meta.url, rotateSecret);
