// Every command line of `az` that the deployment programs type, and that the pages show, read by the Azure CLI itself.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { deployFirst } from '../../../infra/deploy/firstDeployment.mjs';
import { ensureSecrets } from '../../../infra/deploy/secrets.mjs';
import { reach } from '../../../infra/deploy/reach.mjs';
import { register } from '../../../infra/deploy/register.mjs';
import { targetOfAzd } from '../../../infra/deploy/smoke.mjs';
import { runRelease } from './scenarios.js';
import { azdVersion, azVersion, failure, listed, worldOf, type World } from './standIn.js';

const az = (process.env['PATH'] ?? '').split(delimiter).find((folder) => existsSync(join(folder, 'az')));
/** The Python that `az` runs with has its modules. */
const python = az === undefined ? undefined : /^#!(\/\S*python3?)/.exec(readFileSync(join(az, 'az'), 'utf8'))?.[1];

/**
 * What version 2.45 of Debian 12 does not take, though it stands in the reference of the CLI: newer commands, and those on
 * secrets, for which Debian's package lacks a module.
 */
const newer = [/^functionapp update-strategy /, /^functionapp list-flexconsumption-locations /, /^keyvault secret /];

async function typedByPrograms(): Promise<readonly (readonly string[])[]> {
  const closed = JSON.stringify({ publicNetworkAccess: 'Disabled', networkRuleSet: { defaultAction: 'Deny' } });
  const open = JSON.stringify({
    publicNetworkAccess: 'Enabled',
    networkRuleSet: { defaultAction: 'Deny', ipRules: [{ ipAddressOrRange: '203.0.113.7' }] },
  });
  const vault = (access: string): string =>
    JSON.stringify({
      properties: {
        publicNetworkAccess: access,
        networkAcls: { defaultAction: 'Deny', ipRules: [{ value: '203.0.113.7/32' }] },
      },
    });
  const reaching = (account: string, keyVault: string): World =>
    worldOf({
      env: { GROUP: 'rg' },
      answers: [
        ['az deployment group list', listed],
        ['az storage account list', 'rg'],
        ['az storage account show', account],
        ['az keyvault show', keyVault],
      ],
    });
  const registering = worldOf({
    env: { AZURE_ENV_NAME: 'anna', GROUP: 'rg' },
    answers: [
      ['node --version', 'v22.1.0'],
      ['az version', azVersion],
      ['azd version', azdVersion],
      [
        'az ad sp show',
        '[{"value":"Jobs.ReadWrite","id":"a"},{"value":"Farm.ReadWrite","id":"b"},{"value":"Operate","id":"c"}]',
      ],
      ['az ad', 'id'],
    ],
  });
  // Neither application is there at first; its principal is, once it was asked to be made.
  await register({
    ...registering,
    run: (...given) => {
      const said = registering.run(...given);
      const [, args] = given;
      const isMade = registering.commands.some((line) => line.startsWith('az ad sp create'));
      return args.includes('list') && !(args.includes('sp') && isMade) ? '' : said;
    },
  });
  const writing = worldOf({
    env: { GROUP: 'rg' },
    answers: [
      ['az deployment group list', listed],
      ['az functionapp show', '/sites/func'],
      ['az keyvault secret show', failure('SecretNotFound')],
    ],
  });
  await ensureSecrets(writing);
  const deploying = worldOf({
    env: { GROUP: 'rg' },
    answers: [
      ['az deployment group list', listed],
      ['az functionapp show', '/sites/func'],
    ],
    fetch: () => new Response('', { status: 503 }),
  });
  await deployFirst(deploying);
  const proving = worldOf({
    answers: [
      [
        'azd env get-values',
        'TEST_CLIENT_ID="c"\nTOKEN_AUDIENCE="a"\nAZURE_TENANT_ID="t"\nAZURE_BASE_URL="https://x.invalid"',
      ],
    ],
    fetch: () =>
      Response.json({ access_token: `.${Buffer.from('{"roles":["Jobs.ReadWrite"]}').toString('base64url')}.` }),
  });
  await targetOfAzd(proving);
  const releasing = await runRelease({
    variables: { UPDATE_STRATEGY: 'RollingUpdate' },
    isInGitHub: true,
  });
  const address = ['--address', '203.0.113.7'];
  const doors = [reaching(closed, vault('Disabled')), reaching(open, vault('Enabled'))] as const;
  reach(doors[0], ['open', ...address]);
  reach(doors[1], ['close', ...address]);
  reach(reaching(closed, ''), ['open', '--account', 'st', ...address]);
  const worlds = [registering, writing, deploying, proving, releasing.world, ...doors];
  return worlds.flatMap(({ argumentsOf }) => argumentsOf).filter(([program]) => program === 'az');
}

/** The words of a line of shell; a variable, or what another command prints, is one word. */
const wordsOf = (line: string): readonly string[] =>
  [...line.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g)].map(([word]) =>
    word.replaceAll(/'([^']*)'|"([^"]*)"/g, (_, single?: string, double?: string) => single ?? double ?? ''),
  );

function* commandsIn(script: string): Generator<readonly string[]> {
  let text = script
    .replaceAll(/\\\n\s*/g, ' ')
    .replaceAll(/\s#.*$/gm, '')
    .replaceAll(/\$\{[^}]*\}/g, 'placeholder');
  for (;;) {
    const inner = /\$\((az [^()]*)\)/.exec(text);
    if (inner === null) break;
    yield wordsOf(inner[1] ?? '');
    text = text.replace(inner[0], 'placeholder');
  }
  for (const line of text.split('\n')) {
    for (const [, command = ''] of line.matchAll(/(?:^|&&|;|\bdo\b|\|)\s*(az (?:'[^']*'|"[^"]*"|[^|;&'"])+)/g))
      yield wordsOf(command);
  }
}

function shownByPages(): readonly (readonly string[])[] {
  const pages = readdirSync('docs/operations').map((name) => readFileSync(`docs/operations/${name}`, 'utf8'));
  const blocks = pages.flatMap((page) => [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block));
  return blocks.flatMap((block) => [...commandsIn(block.replaceAll(/<[a-z][\w ]*>/gi, 'placeholder'))]);
}

const isNewer = (args: readonly string[]): boolean => newer.some((form) => form.test(args.join(' ')));

describe(`command lines of az${python === undefined ? ' (skipped: there is no Azure CLI here)' : ''}`, () => {
  let lines: readonly (readonly string[])[] = [];
  beforeAll(async () => {
    const all = [...(await typedByPrograms()), ...shownByPages()].map((line) => line.slice(1));
    // Files that a line names are read by the parser, so they are left out of it; no line is sent anywhere.
    const withoutFiles = all.map((line) => line.map((word) => word.replace(/^@.*/, 'file')));
    lines = [...new Map(withoutFiles.map((line) => [line.join(' '), line])).values()];
  });

  test('are found', () => {
    expect(lines.length).toBeGreaterThan(25);
  });
  (python === undefined ? test.skip : test)('are taken by its parser, but for what is newer', () => {
    const read = lines.filter((line) => !isNewer(line));
    const { stdout, stderr } = spawnSync(python ?? '', ['tests/infra/deploy/parseAz.py'], {
      input: JSON.stringify(read),
      encoding: 'utf8',
      env: { ...process.env, AZURE_CORE_COLLECT_TELEMETRY: 'false', AZURE_CORE_NO_COLOR: 'true' },
    });
    const said = JSON.parse(stdout === '' ? JSON.stringify([stderr]) : stdout) as readonly string[];
    const faults = read.flatMap((line, place) =>
      said[place] === '' ? [] : [`az ${line.join(' ')}: ${said[place] ?? ''}`],
    );
    expect(faults).toEqual([]);
  });
});
