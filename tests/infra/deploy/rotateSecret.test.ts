// Answers of `az` are written by hand from its documentation: no Azure was asked.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { rotateSecret } from '../../../infra/deploy/rotateSecret.mjs';
import { ProgramError } from '../../../infra/deploy/ports.mjs';
import { settings } from '../../../shared/wiring/settings/config.js';
import { failure, listed, worldOf, type World } from './standIn.js';

const keyOf = (byte: number): string => Buffer.alloc(32, byte).toString('base64');
const one = JSON.stringify({ 1: keyOf(1) });
const two = JSON.stringify({ 1: keyOf(1), 2: keyOf(2) });

interface Vault extends World {
  readonly files: string[];
  held: string;
}

/** A vault as Azure's: it gives what was written last. */
function vaultWith(secret: string | ProgramError, refresh: string | ProgramError = ''): Vault {
  const world = worldOf({
    env: { GROUP: 'rg-fields-prod' },
    answers: [
      ['az deployment group list', listed],
      ['az functionapp show', '/subscriptions/s/resourceGroups/rg/providers/Microsoft.Web/sites/func'],
      ['az rest', refresh],
    ],
  });
  const vault = { ...world, held: typeof secret === 'string' ? secret : '', files: [] as string[] };
  vault.run = (program, args, env) => {
    const said = world.run(program, args, env);
    const line = args.join(' ');
    const file = args[args.indexOf('--file') + 1];
    if (line.startsWith('keyvault secret set') && file !== undefined) {
      vault.held = readFileSync(file, 'utf8');
      vault.files.push(file);
    }
    if (!line.startsWith('keyvault secret show')) return said;
    if (secret instanceof ProgramError) throw secret;
    return vault.held;
  };
  return vault;
}
const isTold = (vault: Vault): boolean => vault.commands.some((line) => line.includes('configreferences'));

describe.each([
  { name: 'api-key-peppers', parse: (text: string) => settings.API_KEY_PEPPERS.parse(text) },
  { name: 'webhook-keys', parse: (text: string) => settings.WEBHOOK_KEYS.parse(text) },
])('the secret $name', ({ name, parse }) => {
  test('gets a further version beside the old ones, in the form that the service takes', () => {
    const vault = vaultWith(two);
    rotateSecret(vault, [name]);
    const after = parse(vault.held);
    expect([...after.keys()]).toEqual(['1', '2', '3']);
    expect(after.get('1')).toEqual(parse(two).get('1'));
    expect(after.get('3')).toHaveLength(32);
    expect(isTold(vault)).toBe(true);
  });
  test('loses an old version', () => {
    const vault = vaultWith(two);
    rotateSecret(vault, [name, '--without', '1']);
    expect(JSON.parse(vault.held)).toEqual({ 2: keyOf(2) });
  });
  test.each([
    { what: 'that the vault refuses to show', secret: failure('(Forbidden) The user does not have secrets get.') },
    { what: 'that is not there', secret: failure('(SecretNotFound) A secret was not found in this key vault.') },
    { what: 'that is empty', secret: '' },
    { what: 'that is no JSON', secret: 'hello' },
    { what: 'without a version', secret: '{}' },
    { what: 'with a key that is too short', secret: '{"1":"AAAA"}' },
    { what: 'with a version that has no number', secret: JSON.stringify({ first: keyOf(1) }) },
    { what: 'that is a list', secret: '[1]' },
  ])('$what is left as it is', ({ secret }) => {
    const vault = vaultWith(secret);
    expect(() => {
      rotateSecret(vault, [name]);
    }).toThrow();
    expect(vault.files).toEqual([]);
    expect(isTold(vault)).toBe(false);
  });
});

describe('rotating', () => {
  test('never takes away the version that new keys use, nor one that is not there', () => {
    const vault = vaultWith(two);
    const drop = (version: string) => (): void => {
      rotateSecret(vault, ['api-key-peppers', '--without', version]);
    };
    expect(drop('2')).toThrow('Version 2 is the newest');
    expect(drop('7')).toThrow('There is no version 7; there are 1, 2.');
    expect(vault.files).toEqual([]);
  });
  test('leaves no file and tells no secret', () => {
    const vault = vaultWith(one);
    rotateSecret(vault, ['api-key-peppers']);
    expect(() => readFileSync(vault.files[0] ?? '')).toThrow('ENOENT');
    const said = [...vault.lines, ...vault.commands].join('\n');
    for (const key of Object.values(JSON.parse(vault.held) as Record<string, string>)) expect(said).not.toContain(key);
  });
  test('says so where the app could not be told', () => {
    const vault = vaultWith(one, failure('(AuthorizationFailed)'));
    expect(() => {
      rotateSecret(vault, ['api-key-peppers']);
    }).toThrow('The app reads api-key-peppers within a day');
    expect(Object.keys(JSON.parse(vault.held) as object)).toEqual(['1', '2']);
  });
  test('takes no other secret', () => {
    expect(() => {
      rotateSecret(vaultWith(one), ['open-meteo-api-key']);
    }).toThrow('Use: npm run rotate-secret');
  });
});
