// Every command of docs/operations, run as it is written, with the rights of who reads the page and with no other.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { commandsOf, filled } from './pageCommands.js';
import { refusalOf } from './pageRights.js';
import { faultOf } from './programArguments.js';

const folder = 'docs/operations';
const pages = readdirSync(folder).map((name) => ({ name, text: readFileSync(`${folder}/${name}`, 'utf8') }));
/** The page of who brings the service up, who is more than an operator. */
const readerOf = (name: string): readonly string[] =>
  name === 'deploy.md' ? ['Owner', 'Key Vault Secrets Officer', 'Entra administrator'] : ['operator'];

const hasBash = spawnSync('bash', ['-c', 'exit 0']).status === 0;

/** The program and its own words, of `npm run [--silent] <program> -- <words>`. */
function programOf(words: readonly string[]): readonly [string, readonly string[]] {
  const own = words.slice(2).filter((word) => word !== '--silent');
  return [own[0] ?? '', own.slice(own[1] === '--' ? 2 : 1)];
}

(hasBash ? describe : describe.skip)(
  `commands of the pages${hasBash ? '' : ' (skipped: there is no bash here)'}`,
  () => {
    test.each(pages)('$name: each is allowed to its reader', ({ name, text }) => {
      const commands = commandsOf(text, readerOf(name));
      expect(commands.map(({ words, roles }) => refusalOf(words.join(' '), roles)).filter(Boolean)).toEqual([]);
    });
    test.each(pages)('$name: our programs take each, as it stands', async ({ name, text }) => {
      const ours = commandsOf(text, readerOf(name)).filter(({ words }) => words[0] === 'npm');
      for (const { words } of ours) expect([words, await faultOf(...programOf(words))]).toEqual([words, undefined]);
    });
  },
);

describe('commands within the text of a page', () => {
  const written = (text: string): readonly string[] =>
    [...text.replaceAll(/```[\s\S]*?```/g, '').matchAll(/`([^`]+)`/g)].map(([, code = '']) =>
      code.replaceAll('\n', ' '),
    );

  test.each(pages)('$name: begin with npm run, where they are programs of ours', ({ text }) => {
    const programs = /^(customers|tenants|operate|notices|jobs|backup|imagery|farm|reach|smoke) -- /;
    expect(written(text).filter((code) => programs.test(code))).toEqual([]);
  });
  test.each(pages)('$name: are taken by the programs', async ({ text }) => {
    const whole = written(text).filter((code) => code.startsWith('npm run ') && !/[[…]</.test(code));
    for (const code of whole) {
      const words = (filled(code).match(/"[^"]*"|\S+/g) ?? []).map((word) =>
        word.replaceAll('"', '').replace('…', 'Why it is done').replace('$URL', 'https://x.test'),
      );
      expect([code, await faultOf(...programOf(words))]).toEqual([code, undefined]);
    }
  });
});

describe('the stand-in for what Azure refuses', () => {
  test.each([
    { command: 'az functionapp restart --name x', roles: ['operator'], isRefused: false },
    { command: 'az functionapp restart --name x', roles: ['Key Vault Secrets Officer'], isRefused: true },
    { command: 'az keyvault secret set --name x', roles: ['operator'], isRefused: true },
    { command: 'az keyvault secret set --name x', roles: ['Owner'], isRefused: true },
    { command: 'az role assignment create', roles: ['operator'], isRefused: true },
    { command: 'az group delete --name x', roles: ['operator'], isRefused: true },
    { command: 'az thing of nobody', roles: ['Owner'], isRefused: true },
  ])('$command by $roles: $isRefused', ({ command, roles, isRefused }) => {
    expect(refusalOf(command, roles) !== undefined).toBe(isRefused);
  });
});
