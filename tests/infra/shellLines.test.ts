import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { settings } from '../../shared/wiring/settings/config.js';
import { variablesOf } from '../../infra/deploy/outputs.mjs';
import { allBicepFiles, type BicepFile } from './bicepTree.js';
import { outputs as deployed } from './deploy/standIn.js';

const root = new URL('../../', import.meta.url);
const text = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const pages = [
  ...['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'tests/faults/README.md'],
  ...readdirSync(new URL('docs/', root))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
  ...readdirSync(new URL('docs/operations/', root)).map((name) => `docs/operations/${name}`),
];
const ofOperations = pages.filter((page) => page.startsWith('docs/operations/'));

interface ShellBlock {
  readonly page: string;
  readonly line: number;
  readonly script: string;
}

/** Every block of shell of a page; what the reader has to put in himself, `<tid>`, is a word. */
function blocksOf(page: string): readonly ShellBlock[] {
  const whole = text(page);
  return [...whole.matchAll(/^( *)```(?:sh|bash)\n([\s\S]*?)^ *```/gm)].map(
    ({ index, 1: indent = '', 2: block = '' }) => ({
      page,
      line: whole.slice(0, index).split('\n').length + 1,
      script: block.replaceAll(new RegExp(`^${indent}`, 'gm'), '').replaceAll(/<[a-z][\w ]*>/gi, 'placeholder'),
    }),
  );
}

const blocks = pages.flatMap(blocksOf);
const operations = ofOperations.map(text).join('\n');
const shell = ofOperations
  .flatMap(blocksOf)
  .map(({ script }) => script)
  .join('\n');
const outputs = variablesOf('rg', deployed);
const hasBash = spawnSync('bash', ['-c', 'exit 0']).status === 0;

let files: readonly BicepFile[] = [];
beforeAll(async () => {
  files = await allBicepFiles();
});

(hasBash ? describe : describe.skip)(`shell in the pages${hasBash ? '' : ' (skipped: there is no bash here)'}`, () => {
  test.each(blocks)('$page, line $line, is shell', ({ script }) => {
    const { status, stderr } = spawnSync('bash', ['-n'], { input: script, encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});

describe('npm commands in the pages', () => {
  const { scripts } = JSON.parse(text('package.json')) as { readonly scripts: Readonly<Record<string, string>> };
  const isThere = (name: string): boolean =>
    name.endsWith(':') ? Object.keys(scripts).some((script) => script.startsWith(name)) : name in scripts;
  test.each(pages)('%s names such that exist', (page) => {
    const named = [...text(page).matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, name = '']) => name);
    expect([...new Set(named)].filter((name) => !isThere(name))).toEqual([]);
  });
});

/** What `az` commands of the page give for an option, quotes taken off. */
const given = (option: string): readonly string[] =>
  [...shell.matchAll(new RegExp(`--${option} (?:'([^']+)'|"([^"]+)"|(\\S+))`, 'g'))].map(
    ([, single, double, plain]) => single ?? double ?? plain ?? '',
  );

describe('az commands of docs/operations against what Bicep makes', () => {
  const bicep = (): string => files.map(({ root: { text: all } }) => all).join('\n');

  test('write secrets by the names that the settings read', () => {
    const named = [...shell.matchAll(/keyvault secret (?:set|show) [^|\n]*?--name (\S+)/g)].map(
      ([, name = '']) => name,
    );
    const read = [...bicep().matchAll(/vaultUri\}secrets\/([\w-]+)/g)].map(([, name = '']) => name);
    expect(named.length).toBeGreaterThan(2);
    expect(named.filter((name) => !read.includes(name))).toEqual([]);
  });

  test('name roles of Azure that the table of rights or the deployment knows', () => {
    const known = ['Key Vault Secrets Officer', 'Contributor', 'Role Based Access Control Administrator', '$role'];
    const rights = text('docs/operations/rights.md');
    expect(given('role').filter((role) => !known.includes(role) && !rights.includes(`| ${role} `))).toEqual([]);
  });

  test('deploy the parameter file, whose size a variable names', () => {
    const deployments = shell.split('\n').filter((line) => line.includes('az deployment group create'));
    expect(deployments.length).toBeGreaterThan(0);
    for (const line of deployments) expect(line).toContain('--parameters infra/azure/main.bicepparam');
    expect(shell).toMatch(/export .*\bSIZE=\w/);
  });

  test('use no variable that nothing sets', () => {
    // Of the shell, and of the summary of a deployment; what the programs of deployment print is set by `eval`.
    const foreign = new Set(['PWD', 'PREVIOUS_PACKAGE', 'TOKEN_AUDIENCE', 'TEST_CLIENT_ID', ...Object.keys(outputs)]);
    const set = new Set([...shell.matchAll(/(?:^|[\s;(])([A-Za-z_]+)=/gm)].map(([, name = '']) => name));
    const unset: string[] = [];
    for (const line of shell.split('\n')) {
      for (const [, name = ''] of line.matchAll(/\bfor (\w+) in/g)) set.add(name);
      for (const [, name = ''] of line.matchAll(/\$\{?([A-Za-z_]\w*)/g)) {
        if (!set.has(name) && !foreign.has(name)) unset.push(`${name}: ${line.trim()}`);
      }
    }
    expect(unset).toEqual([]);
  });
});

describe('names in docs/operations', () => {
  test('of parameters are those of the parameter files', () => {
    const groups = ['scale', 'network', 'retention', 'alertTargets'];
    const named = [...operations.matchAll(new RegExp(`\`((?:${groups.join('|')})\\.(?!bicep)\\w+)`, 'g'))].map(
      ([, name = '']) => name,
    );
    const file = text('infra/azure/modules/sizes.bicep') + text('infra/azure/modules/parameters.bicep');
    expect(named.length).toBeGreaterThan(4);
    expect(named.filter((name) => !new RegExp(`\\b${name.split('.')[1] ?? ''}\\??:`).test(file))).toEqual([]);
  });

  test('of settings are those of the service, of the pipeline or of the commands', () => {
    const known = new Set([
      ...Object.keys(settings),
      ...[...shell.matchAll(/\b([A-Z][A-Z_]+)=/g)].map(([, name]) => name),
    ]);
    const workflows = readdirSync(new URL('.github/workflows/', root)).map((name) => text(`.github/workflows/${name}`));
    const deployment = [
      ...readdirSync(new URL('infra/deploy/', root)).map((name) => `infra/deploy/${name}`),
      ...['infra/azure/main.bicepparam', 'infra/local/environment.ts', 'tests/local/start.test.ts'],
    ].map(text);
    const elsewhere = [...workflows, ...deployment].join('\n');
    // What the smoke test takes has SMOKE_ before it as a variable of an environment.
    const named = [...operations.matchAll(/`(?:SMOKE_)?([A-Z][A-Z]+(?:_[A-Z_]+)?)`/g)]
      .map(([, name = '']) => name)
      .filter((name) => name.includes('_'));
    expect([...new Set(named)].filter((name) => !known.has(name) && !elsewhere.includes(name))).toEqual([]);
  });
});
