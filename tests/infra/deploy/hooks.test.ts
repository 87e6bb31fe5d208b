// Answers of `az` and `azd` are written by hand from their documentation: no Azure was asked.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { deployFirst } from '../../../infra/deploy/firstDeployment.mjs';
import { registerFirstTenant } from '../../../infra/deploy/firstTenant.mjs';
import { outputsOf, variablesOf } from '../../../infra/deploy/outputs.mjs';
import { ensureSecrets } from '../../../infra/deploy/secrets.mjs';
import { providers, register } from '../../../infra/deploy/register.mjs';
import { targetOfAzd, valuesOf } from '../../../infra/deploy/smoke.mjs';
import { minimumVersions, requireVersions } from '../../../infra/deploy/versions.mjs';
import { settings } from '../../../shared/config.js';
import { allBicepFiles, nodesOf, stringOf } from '../bicepTree.js';
import { declared } from '../declarations.js';
import { azdVersion, azVersion, failure, listed, outputs, worldOf, type Answers, type World } from './standIn.js';

const versions: Answers = [
  ['node --version', 'v22.1.0'],
  ['az version', azVersion],
  ['azd version', azdVersion],
];
const roles = JSON.stringify([
  { value: 'Jobs.ReadWrite', id: 'role-jobs' },
  { value: 'Farm.ReadWrite', id: 'role-farm' },
  { value: 'Operate', id: 'role-operate' },
]);

describe('the versions of programs', () => {
  test('that are old enough are taken', () => {
    expect(() => {
      requireVersions(worldOf({ answers: versions }), ['node', 'az', 'azd']);
    }).not.toThrow();
  });
  test('that are older are refused, each by its name', () => {
    const old: Answers = [
      ['az version', JSON.stringify({ 'azure-cli': '2.75.9' })],
      ['azd version', failure('command not found')],
    ];
    expect(() => {
      requireVersions(worldOf({ answers: old }), ['az', 'azd']);
    }).toThrow('az 2.75.9 is too old: 2.76.0 or newer is needed.\nazd is missing: 1.24.0 or newer is needed.');
  });
  test('are those of azure.yaml', () => {
    expect(readFileSync('azure.yaml', 'utf8')).toContain(`azd: '>= ${minimumVersions.azd}'`);
  });
});

describe('before the first provision', () => {
  const registering = (env: World['env'], more: Answers = []): World =>
    worldOf({
      env: { AZURE_ENV_NAME: 'anna', ...env },
      answers: [
        ...versions,
        ...more,
        ['az provider list', 'Microsoft.Web\nMicrosoft.Storage'],
        ['az ad app create --display-name partner-field-service-anna', 'app-id'],
        ['az ad app create --display-name partner-field-client-anna', 'client-id'],
        ['az ad sp show', roles],
        ['az ad signed-in-user show --query id', 'person-id'],
        ['az ad signed-in-user show --query mail', 'anna@example.com'],
      ],
    });
  const kept = (world: World): readonly string[] => world.commands.filter((line) => line.startsWith('azd env set'));

  test('the providers that are missing are registered, and no other', async () => {
    const world = registering({});
    register(world);
    const registered = world.commands.filter((line) => line.startsWith('az provider register'));
    expect(registered).toHaveLength(providers.length - 2);
    const types = (await allBicepFiles())
      .flatMap(({ root }) => [...nodesOf(root)])
      .map((node) => /^(Microsoft\.\w+)\/.*@\d{4}/.exec(stringOf(node))?.[1])
      .filter((name) => name !== undefined);
    // Flex Consumption runs apps in subnets on Microsoft.App; assignments of roles belong to every subscription.
    const made = new Set([...types, 'Microsoft.App']);
    made.delete('Microsoft.Authorization');
    expect([...providers].sort()).toEqual([...made].sort());
  });
  test('the application, a client and what the parameter file reads are made and kept', () => {
    const world = registering({});
    register(world);
    expect(kept(world)).toEqual([
      'azd env set TOKEN_AUDIENCE app-id',
      'azd env set TEST_CLIENT_ID client-id',
      'azd env set BUDGET_START 2026-11-01',
      'azd env set WEATHER_CONTACT anna@example.com',
    ]);
    const assigned = world.bodies.filter((body) => 'appRoleId' in body).map((body) => body['appRoleId']);
    expect(assigned).toEqual(['role-jobs', 'role-farm', 'role-operate']);
    // A scope comes before the application that is authorised for it.
    const [first, second] = world.bodies.filter((body) => 'api' in body).map(({ api }) => Object.keys(api as object));
    expect(first).not.toContain('preAuthorizedApplications');
    expect(second).toContain('preAuthorizedApplications');
  });
  test('what exists is left as it is', () => {
    const world = registering({
      TOKEN_AUDIENCE: 'a',
      TEST_CLIENT_ID: 'c',
      BUDGET_START: '2026-10-01',
      WEATHER_CONTACT: 'b@example.com',
    });
    register(world);
    expect(kept(world)).toEqual([
      'azd env set TOKEN_AUDIENCE a',
      'azd env set TEST_CLIENT_ID c',
      'azd env set BUDGET_START 2026-10-01',
      'azd env set WEATHER_CONTACT b@example.com',
    ]);
    expect(world.commands.filter((line) => line.startsWith('az ad'))).toEqual([]);
  });
  test('a company without azd gets the same as lines for its shell', () => {
    const world = registering({});
    register(world, ['--print']);
    expect(kept(world)).toEqual([]);
    expect(world.lines[0]).toBe("export TOKEN_AUDIENCE='app-id'");
    expect(world.lines).toHaveLength(4);
  });
  test('an application of the same name is taken up again', () => {
    const world = registering({}, [
      [`az ad app list --filter displayName eq 'partner-field-service-anna'`, 'former-id'],
      ['az ad sp list', 'former-principal'],
      [/az rest --method get .*role-/, 'assigned'],
    ]);
    register(world);
    expect(kept(world)[0]).toBe('azd env set TOKEN_AUDIENCE former-id');
    expect(world.commands.filter((line) => /az ad sp create|--method post/.test(line))).toEqual([]);
  });
  test('two applications of one name are told, and neither is taken', () => {
    const world = registering({}, [['az ad app list', 'one-id\nanother-id']]);
    expect(() => {
      register(world);
    }).toThrow('Several applications are named partner-field-service-anna');
  });
});

describe('the secrets', () => {
  const env = { vaultName: 'kv-dev-abc' };
  const missing = failure('ERROR: (SecretNotFound) A secret with (name/id) x was not found in this key vault.');
  const forbidden = failure('ERROR: (Forbidden) Caller is not authorized to perform action on resource.');
  const setsOf = (world: World): readonly (readonly string[])[] =>
    world.argumentsOf.filter((args) => args.includes('set'));

  test('are left alone where they are', async () => {
    const world = worldOf({ env, answers: [['az keyvault secret show', 'https://kv/secrets/x/1']] });
    await ensureSecrets(world);
    expect(setsOf(world)).toEqual([]);
  });
  test('are written by files that are gone afterwards, in the form that the service takes', async () => {
    const written = new Map<string, string>();
    const world = worldOf({ env, answers: [['az keyvault secret show', missing]] });
    const run: World['run'] = (program, args) => {
      const file = args[args.indexOf('--file') + 1];
      const name = args[args.indexOf('--name') + 1] ?? '';
      if (args.includes('set') && file !== undefined) written.set(name, readFileSync(file, 'utf8'));
      return world.run(program, args);
    };
    await ensureSecrets({ ...world, run });
    expect([...settings.API_KEY_PEPPERS.parse(written.get('api-key-peppers') ?? '').keys()]).toEqual(['1']);
    expect([...settings.WEBHOOK_KEYS.parse(written.get('webhook-keys') ?? '').keys()]).toEqual(['1']);
    expect(new Set(written.values()).size).toBe(2);
    for (const line of setsOf(world)) {
      expect(() => readFileSync(line[line.indexOf('--file') + 1] ?? '')).toThrow('ENOENT');
    }
    for (const content of written.values()) expect(world.lines.join()).not.toContain(content);
  });
  test('wait for the own role, which is new too', async () => {
    const world = worldOf({
      env,
      answers: [['az keyvault secret show', (attempt) => (attempt < 4 ? forbidden : missing)]],
    });
    await ensureSecrets(world);
    expect(world.slept).toEqual([30_000, 30_000, 30_000]);
    expect(setsOf(world)).toHaveLength(2);
  });
  test('are given up after 20 minutes', async () => {
    const world = worldOf({ env, answers: [['az keyvault secret show', forbidden]] });
    await expect(ensureSecrets(world)).rejects.toThrow('not within 20 minutes');
  });
  test('are not made where those before come back', async () => {
    const world = worldOf({ env: { ...env, PEPPER: 'restore' } });
    await ensureSecrets(world);
    expect(world.commands).toEqual([]);
  });
});

describe('the first deployment', () => {
  const env = { AZURE_RESOURCE_GROUP: 'rg-fields-dev', appName: outputs.appName, baseUrl: outputs.baseUrl };
  const nobody = (): Promise<Response> => Promise.reject(new TypeError('fetch failed'));

  test('is left to azd where the app answers', async () => {
    const world = worldOf({ env, fetch: () => Response.json({ status: 'ok' }) });
    await deployFirst(world);
    expect(world.commands).toEqual([]);
  });
  test('is repeated while the roles of the identity do not work', async () => {
    const world = worldOf({
      env,
      fetch: nobody,
      answers: [['az functionapp', (attempt) => (attempt < 3 ? failure('InaccessibleStorageException: 403') : '')]],
    });
    await deployFirst(world);
    expect(world.commands).toHaveLength(3);
    expect(world.commands[0]).toContain('--build-remote false');
  });
  test('is not repeated for another fault', async () => {
    const world = worldOf({ env, fetch: nobody, answers: [['az functionapp', failure('The zip is damaged.')]] });
    await expect(deployFirst(world)).rejects.toThrow('The zip is damaged.');
    expect(world.commands).toHaveLength(1);
  });
});

describe('the first tenant', () => {
  const tid = '22222222-2222-2222-2222-222222222222';
  const env = { AZURE_RESOURCE_GROUP: 'rg-fields-dev', AZURE_TENANT_ID: tid };
  const answersWith = (list: string): Answers => [
    ['az deployment group list', listed],
    ['npm run --silent tenants -- list', list],
    ['npm run --silent tenants -- add', '{}'],
  ];
  const added = (world: World): readonly string[] => world.commands.filter((line) => / -- (add|set) /.test(line));

  test('is the one of the subscription, with nothing but its id', async () => {
    const world = worldOf({ env, answers: answersWith('[]') });
    await registerFirstTenant(world);
    expect(added(world)).toEqual([`npm run --silent tenants -- add ${tid}`]);
    expect(world.given.get(added(world)[0] ?? '')?.['DATA_STORAGE__tableServiceUri']).toBe(
      outputs.addresses.data.table,
    );
  });
  test('has public images with PUBLIC_IMAGERY=true alone', async () => {
    const world = worldOf({ env: { ...env, PUBLIC_IMAGERY: 'true' }, answers: answersWith('[]') });
    await registerFirstTenant(world);
    expect(added(world)).toEqual([`npm run --silent tenants -- add ${tid} imagery=public`]);
  });
  test('gets public images when they are allowed later', async () => {
    const world = worldOf({
      env: { ...env, PUBLIC_IMAGERY: 'true' },
      answers: answersWith(JSON.stringify([{ tid }])),
    });
    await registerFirstTenant(world);
    expect(added(world)).toEqual([`npm run --silent tenants -- set ${tid} imagery=public`]);
  });
  test('is registered once', async () => {
    const world = worldOf({ env, answers: answersWith(JSON.stringify([{ tid }])) });
    await registerFirstTenant(world);
    expect(added(world)).toEqual([]);
  });
});

describe('the outputs', () => {
  test('are those of main.bicep', async () => {
    const [main] = await allBicepFiles();
    const made = declared(main!, 'output').map(({ name }) => name);
    expect(Object.keys(outputs).filter((name) => !made.includes(name))).toEqual([]);
  });
  test('are those of the newest deployment that has some, whatever its name', () => {
    const world = worldOf({ answers: [['az deployment group list', listed]] });
    const variables = variablesOf('rg', outputsOf(world, 'rg'));
    expect(variables).toMatchObject({ GROUP: 'rg', APP: outputs.appName, BACKUP: 'stbakprodabc' });
    const known = Object.keys(variables).filter((name) => name.includes('__'));
    expect(known.filter((name) => !(name in settings) && name !== 'BACKUP_STORAGE__blobServiceUri')).toEqual([]);
  });
  test('are refused where nothing was deployed', () => {
    expect(() => outputsOf(worldOf({ answers: [['az', '']] }), 'rg')).toThrow('No deployment in rg has succeeded');
  });
});

describe('the proof of an azd environment', () => {
  const printed = [
    `baseUrl="${outputs.baseUrl}"`,
    'TEST_CLIENT_ID="client-id"',
    'TOKEN_AUDIENCE="app-id"',
    'AZURE_TENANT_ID="tenant-id"',
    'addresses="{\\"data\\":\\"a\\"}"',
  ].join('\n');
  const proving = (values: string, first: Response): World => {
    let asked = 0;
    return worldOf({
      answers: [
        ['azd env get-values', values],
        ['az ad app credential reset', 'a-secret'],
      ],
      fetch: (address) => {
        if (!address.startsWith('https://login.')) return new Response('{}', { status: 201 });
        asked += 1;
        return asked === 1 ? first : Response.json({ access_token: 'a-token' });
      },
    });
  };
  const unknownSecret = (): Response =>
    Response.json({ error_description: 'AADSTS7000215: Invalid client secret provided.' }, { status: 401 });

  test('reads values as azd prints them', () => {
    expect(valuesOf(printed)).toMatchObject({ baseUrl: outputs.baseUrl, addresses: '{"data":"a"}' });
  });
  test('asks with a secret of a day until Entra knows it, and has a field of its own', async () => {
    const world = proving(printed, unknownSecret());
    const { baseUrl, env } = await targetOfAzd(world);
    expect({ baseUrl, TOKEN: env['TOKEN'] }).toEqual({ baseUrl: outputs.baseUrl, TOKEN: 'a-token' });
    expect(Object.keys(env)).toEqual(['TOKEN', 'PARTY_ID', 'FIELD_ID']);
    expect(world.commands.find((line) => line.includes('credential reset'))).toContain(
      '--end-date 2026-11-27T10:00:00Z',
    );
    expect(world.lines.join()).not.toContain('a-secret');
  });
  test('wants a boundary only with public images', async () => {
    const { env } = await targetOfAzd(proving(`${printed}\nPUBLIC_IMAGERY="true"`, unknownSecret()));
    expect(env).toHaveProperty('POINT');
    expect(env).toHaveProperty('FARM_ID');
  });
});
