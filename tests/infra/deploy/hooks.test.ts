// Answers of `az` and `azd` are written by hand from their documentation: no Azure was asked.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { deployFirst } from '../../../infra/deploy/firstDeployment.mjs';
import { registerFirstTenant } from '../../../infra/deploy/firstTenant.mjs';
import { outputsOf, variablesOf } from '../../../infra/deploy/outputs.mjs';
import { ensureSecrets } from '../../../infra/deploy/secrets.mjs';
import { providers, register } from '../../../infra/deploy/register.mjs';
import { targetOfAzd, valuesOf } from '../../../infra/deploy/smoke.mjs';
import { minimumVersions, requireVersions } from '../../../infra/deploy/versions.mjs';
import { settings } from '../../../shared/wiring/settings/config.js';
import { allBicepFiles, nodesOf, stringOf } from '../bicepTree.js';
import { declared } from '../declarations.js';
import {
  azdVersion,
  azVersion,
  bicepNameOf,
  failure,
  listed,
  outputs,
  worldOf,
  type Answer,
  type Answers,
  type World,
} from './standIn.js';

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
  const mark = createHash('sha256').update('/subscriptions/sub/resourcegroups/rg-anna').digest('hex').slice(0, 8);
  const service = `partner-field-service-anna-${mark}`;
  const registering = (env: World['env'], more: Answers = []): World =>
    worldOf({
      env: { AZURE_ENV_NAME: 'anna', AZURE_SUBSCRIPTION_ID: 'sub', AZURE_RESOURCE_GROUP: 'rg-anna', ...env },
      answers: [
        ...versions,
        ...more,
        ['az functionapp list-flexconsumption-locations', 'westeurope\nnortheurope'],
        ['az provider list', 'Microsoft.Web\nMicrosoft.Storage'],
        [/az ad app create .*field-service-anna-/, 'app-id'],
        [/az ad app create .*field-client-anna-/, 'client-id'],
        [/az ad sp list .*app-id/, 'service-principal'],
        [/az ad sp list .*client-id/, 'client-principal'],
        ['az ad sp show', roles],
        ['az ad signed-in-user show --query id', 'person-id'],
        ['az ad signed-in-user show --query mail', 'anna@example.com'],
        [/memberOf/i, '158c047a-c907-4556-b7ef-446551a6b5f7'],
      ],
    });
  const kept = (world: World): readonly string[] => world.commands.filter((line) => line.startsWith('azd env set'));
  const assigned = (world: World): readonly unknown[] =>
    world.bodies.filter((body) => 'appRoleId' in body).map((body) => body['appRoleId']);

  test('the providers that are missing are registered, and no other', async () => {
    const world = registering({});
    await register(world);
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
  test('the application, a client and what the parameter file reads are made and kept', async () => {
    const world = registering({});
    await register(world);
    expect(kept(world)).toEqual([
      'azd env set TOKEN_AUDIENCE app-id',
      'azd env set TEST_CLIENT_ID client-id',
      'azd env set BUDGET_START 2026-11-01',
      'azd env set WEATHER_CONTACT anna@example.com',
    ]);
    expect(assigned(world)).toEqual(['role-jobs', 'role-farm', 'role-operate']);
    expect(world.warnings).toEqual([]);
    // A scope comes before the application that is authorised for it.
    const [first, second] = world.bodies.filter((body) => 'api' in body).map(({ api }) => Object.keys(api as object));
    expect(first).not.toContain('preAuthorizedApplications');
    expect(second).toContain('preAuthorizedApplications');
  });
  test('what exists is left as it is', async () => {
    const world = registering({
      TOKEN_AUDIENCE: 'a',
      TEST_CLIENT_ID: 'c',
      BUDGET_START: 'none',
      WEATHER_CONTACT: 'b@example.com',
    });
    await register(world);
    expect(kept(world)).toEqual([
      'azd env set TOKEN_AUDIENCE a',
      'azd env set TEST_CLIENT_ID c',
      'azd env set BUDGET_START none',
      'azd env set WEATHER_CONTACT b@example.com',
    ]);
    expect(world.commands.filter((line) => /^az (ad|rest)/.test(line))).toEqual([]);
  });
  test('a company without azd gets the same as lines for its shell', async () => {
    const world = registering({ AZURE_RESOURCE_GROUP: undefined, GROUP: 'rg-anna' });
    await register(world, ['--print']);
    expect(kept(world)).toEqual([]);
    expect(world.lines[0]).toBe("export TOKEN_AUDIENCE='app-id'");
    expect(world.lines).toHaveLength(4);
  });
  test('an application of the same name is taken up again', async () => {
    const world = registering({}, [
      [`az ad app list --filter displayName eq '${service}'`, 'former-id'],
      ['az ad sp list', 'former-principal'],
      [/az rest --method get .*role-/, 'assigned'],
    ]);
    await register(world);
    expect(kept(world)[0]).toBe('azd env set TOKEN_AUDIENCE former-id');
    expect(world.commands.filter((line) => /az ad sp create|--method post/.test(line))).toEqual([]);
  });
  test('two applications of one name are told, and neither is taken', async () => {
    const world = registering({}, [['az ad app list', 'one-id\nanother-id']]);
    await expect(register(world)).rejects.toThrow(`Several applications are named ${service}`);
  });
  test('two developers of one name have applications of their own', async () => {
    const world = registering({ AZURE_RESOURCE_GROUP: 'rg-another' });
    await register(world);
    const created = world.commands.filter((line) => line.startsWith('az ad app create'));
    expect(created).toHaveLength(2);
    expect(created.filter((line) => line.includes(mark))).toEqual([]);
  });
  test('a region without the plan is refused before anything is made, with those that have it', async () => {
    const world = registering({ AZURE_LOCATION: 'polandcentral' });
    await expect(register(world)).rejects.toThrow('Choose one of northeurope, westeurope.');
    expect(world.commands.filter((line) => / (create|register|set|update) /.test(line))).toEqual([]);
  });
  test('a missing group is told before anything is made', async () => {
    const world = registering({ AZURE_RESOURCE_GROUP: undefined });
    await expect(register(world)).rejects.toThrow('azd env set AZURE_RESOURCE_GROUP');
    expect(world.commands.filter((line) => /^az (ad|rest|provider)/.test(line))).toEqual([]);
  });

  describe('without an administrator', () => {
    // Graph's answer to an Application Developer who assigns a role: admin consent.
    const denied = failure(
      'Forbidden({"error":{"code":"Authorization_RequestDenied","message":"Insufficient privileges"}})',
    );
    const world = registering({}, [
      [/memberOf/i, 'cf1c38e5-3621-4004-a7cb-879624dced7c'],
      [/az rest --method post .*appRoleAssignments/, denied],
    ]);
    test('says so before anything is made, makes the rest, and prints what the administrator types', async () => {
      const order: string[] = [];
      const run: World['run'] = (program, args) => {
        if (args.includes('create')) order.push(args.join(' '));
        return world.run(program, args);
      };
      const warn = (line: string): void => {
        order.push(line);
      };
      await register({ ...world, run, warn });
      expect(order[0]).toContain('you are no Cloud Application Administrator');
      const lines = order.filter((line) => line.includes('An administrator does:'));
      expect(lines).toHaveLength(3);
      expect(lines[0]).toContain('"appRoleId":"role-jobs"');
      expect(kept(world)).toHaveLength(4);
    });
  });

  describe('while Entra does not know yet what was made', () => {
    const unknown = failure(
      "ERROR: Resource '1' does not exist or one of its queried reference-property objects are not present.",
    );
    const invalid = failure(
      'Bad Request({"error":{"code":"Request_BadRequest","message":"Permission being assigned was not found"}})',
    );
    const late =
      (said: Answer, ...faults: readonly Answer[]): Answer =>
      (attempt) =>
        (faults[attempt - 1] ?? said) as string;
    test('asks again: the principal, its roles, the assignment', async () => {
      const world = registering({}, [
        ['az ad sp create', late('', unknown)],
        [/az ad sp list .*client-id/, late('client-principal', '', '')],
        ['az ad sp show', late(roles, '[]', unknown)],
        [/az rest --method post .*servicePrincipals/, late('', invalid)],
      ]);
      await register(world, ['--print']);
      expect(assigned(world)).toContain('role-operate');
      // What waits is no line for the shell.
      expect(world.lines.filter((line) => !line.startsWith('export '))).toEqual([]);
      expect(world.slept.every((ms) => ms === 10_000)).toBe(true);
    });
    test('gives up after two minutes', async () => {
      const world = registering({}, [['az ad sp show', '[]']]);
      await expect(register(world)).rejects.toThrow('not within 2 minutes');
    });
  });

  describe('a subscription that takes no budget yet', () => {
    const refused = failure('ERROR: Bad Request({"error":{"code":"400","message":"Cost Management supports only …"}})');
    test('has none this time, and is told', async () => {
      const world = registering({}, [[/az rest --method put .*budgets/, refused]]);
      await register(world);
      expect(kept(world).join()).not.toContain('BUDGET_START');
      expect(world.warnings.join()).toContain('No budget this time');
    });
    test('keeps nothing of the trial', async () => {
      const world = registering({});
      await register(world);
      const trials = world.commands.filter((line) => line.includes('/budgets/'));
      expect(trials.map((line) => /--method (\w+)/.exec(line)?.[1])).toEqual(['put', 'delete']);
    });
    test('is not asked where the group comes afterwards', async () => {
      const world = registering({}, [[/az rest --method put .*budgets/, failure('(ResourceGroupNotFound) …')]]);
      await register(world);
      expect(kept(world)).toContain('azd env set BUDGET_START 2026-11-01');
    });
  });
});

describe('the secrets', () => {
  const env = { AZURE_RESOURCE_GROUP: 'rg-fields-dev' };
  const deployed: Answers = [
    ['az deployment group list', listed],
    ['az functionapp show', '/subscriptions/s/resourceGroups/rg/providers/Microsoft.Web/sites/func'],
  ];
  const refreshed = (world: World): boolean =>
    world.commands.at(-1)?.includes('/sites/func/config/configreferences/appsettings/refresh') === true;
  const missing = failure('ERROR: (SecretNotFound) A secret with (name/id) x was not found in this key vault.');
  const forbidden = failure('ERROR: (Forbidden) Caller is not authorized to perform action on resource.');
  const setsOf = (world: World): readonly (readonly string[])[] =>
    world.argumentsOf.filter((args) => args.includes('set'));

  test('are left alone where they are', async () => {
    const world = worldOf({ env, answers: [...deployed, ['az keyvault secret show', 'https://kv/secrets/x/1']] });
    await ensureSecrets(world);
    expect(setsOf(world)).toEqual([]);
    expect(refreshed(world)).toBe(true);
  });
  test('are read by the app when they are written: its settings were looked up before', async () => {
    const world = worldOf({ env, answers: [...deployed, ['az keyvault secret show', missing]] });
    await ensureSecrets(world);
    expect(setsOf(world)).toHaveLength(2);
    expect(refreshed(world)).toBe(true);
  });
  test('are written by files that are gone afterwards, in the form that the service takes', async () => {
    const written = new Map<string, string>();
    const world = worldOf({ env, answers: [...deployed, ['az keyvault secret show', missing]] });
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
      answers: [...deployed, ['az keyvault secret show', (attempt) => (attempt < 4 ? forbidden : missing)]],
    });
    await ensureSecrets(world);
    expect(world.slept).toEqual([30_000, 30_000, 30_000]);
    expect(setsOf(world)).toHaveLength(2);
  });
  test('are given up after 20 minutes', async () => {
    const world = worldOf({ env, answers: [...deployed, ['az keyvault secret show', forbidden]] });
    await expect(ensureSecrets(world)).rejects.toThrow('not within 20 minutes');
  });
  test('are not made where those before come back', async () => {
    const world = worldOf({ env: { ...env, PEPPER: 'restore' }, answers: deployed });
    await ensureSecrets(world);
    expect(world.commands.filter((line) => line.startsWith('az keyvault'))).toEqual([]);
  });
});

describe('the first deployment', () => {
  const env = { AZURE_RESOURCE_GROUP: 'rg-fields-dev' };
  const deployed: Answers = [
    ['az deployment group list', listed],
    ['az functionapp show', '/sites/func'],
  ];
  const zips = (world: World): readonly string[] => world.commands.filter((line) => line.includes('config-zip'));
  const nobody = (): Promise<Response> => Promise.reject(new TypeError('fetch failed'));

  test('is left to azd where the app answers', async () => {
    const world = worldOf({ env, answers: deployed, fetch: () => Response.json({ status: 'ok' }) });
    await deployFirst(world);
    expect(zips(world)).toEqual([]);
  });
  test('is repeated while the roles of the identity do not work', async () => {
    const world = worldOf({
      env,
      fetch: nobody,
      answers: [
        ...deployed,
        [/config-zip/, (attempt) => (attempt < 3 ? failure('InaccessibleStorageException: 403') : '')],
      ],
    });
    await deployFirst(world);
    expect(zips(world)).toHaveLength(3);
    expect(zips(world)[0]).toContain('--build-remote false');
  });
  test('has the app read secrets that were restored since its infrastructure was made', async () => {
    const world = worldOf({ env, fetch: nobody, answers: deployed });
    await deployFirst(world);
    expect(world.commands.findIndex((line) => line.includes('appsettings/refresh'))).toBeGreaterThan(0);
  });
  test('is not repeated for another fault', async () => {
    const world = worldOf({
      env,
      fetch: nobody,
      answers: [...deployed, [/config-zip/, failure('The zip is damaged.')]],
    });
    await expect(deployFirst(world)).rejects.toThrow('The zip is damaged.');
    expect(zips(world)).toHaveLength(1);
  });
});

describe('the first tenant', () => {
  const tid = outputs.tenantId;
  const env = { AZURE_RESOURCE_GROUP: 'rg-fields-dev' };
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
    expect(made.filter((name) => !name.startsWith('AZURE_'))).toEqual([]);
    expect(Object.keys(outputs).filter((name) => !made.includes(bicepNameOf(name)))).toEqual([]);
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
    `AZURE_BASE_URL="${outputs.baseUrl}"`,
    'AZURE_SUBSCRIPTION_ID="sub"',
    'TEST_CLIENT_ID="client-id"',
    'TOKEN_AUDIENCE="app-id"',
    'AZURE_TENANT_ID="tenant-id"',
    'AZURE_ADDRESSES="{\\"data\\":\\"a\\"}"',
  ].join('\n');
  const tokenWith = (...given: readonly string[]): string =>
    `head.${Buffer.from(JSON.stringify(given.length === 0 ? {} : { roles: given })).toString('base64url')}.mark`;
  const granted = Response.json({ access_token: tokenWith('Jobs.ReadWrite') });
  /** Entra answers the first time with the one, then with the other. */
  const proving = (values: string, first: Response, then = granted): World => {
    let asked = 0;
    return worldOf({
      answers: [
        ['azd env get-values', values],
        ['az ad app credential reset', 'a-secret'],
      ],
      fetch: (address) => {
        if (!address.startsWith('https://login.')) return new Response('{}', { status: 201 });
        expect(address).toBe('https://login.microsoftonline.com/tenant-id/oauth2/v2.0/token');
        asked += 1;
        return (asked === 1 ? first : then).clone();
      },
    });
  };
  const unknownSecret = (): Response =>
    Response.json({ error_description: 'AADSTS7000215: Invalid client secret provided.' }, { status: 401 });

  test('reads values as azd prints them', () => {
    expect(valuesOf(printed)).toMatchObject({ AZURE_BASE_URL: outputs.baseUrl, AZURE_ADDRESSES: '{"data":"a"}' });
  });
  test('asks with a secret of a day until Entra knows it, and has a field of its own', async () => {
    const world = proving(printed, unknownSecret());
    const { baseUrl, env } = await targetOfAzd(world);
    expect({ baseUrl, TOKEN: env['TOKEN'] }).toEqual({ baseUrl: outputs.baseUrl, TOKEN: tokenWith('Jobs.ReadWrite') });
    expect(Object.keys(env)).toEqual(['TOKEN', 'PARTY_ID', 'FIELD_ID']);
    const reset = world.commands.find((line) => line.includes('credential reset')) ?? '';
    expect(reset).toContain('--end-date 2026-11-27T10:00:00Z');
    // By hand it is asked in the subscription of the environment too.
    expect(world.given.get(reset)).toMatchObject({ AZURE_SUBSCRIPTION_ID: 'sub' });
    expect(world.lines.join()).not.toContain('a-secret');
  });
  test('waits for the roles of the test client', async () => {
    const world = proving(printed, Response.json({ access_token: tokenWith() }));
    expect((await targetOfAzd(world)).env).toHaveProperty('FIELD_ID');
    expect(world.slept).toEqual([10_000]);
  });
  test.each([
    { why: 'a token without one', answer: Response.json({ access_token: tokenWith() }) },
    { why: 'a refusal', answer: Response.json({ error_description: 'AADSTS501051: not assigned' }, { status: 400 }) },
  ])('proves the rest where no administrator gave it a role: $why', async ({ answer }) => {
    const world = proving(printed, answer, answer);
    expect(await targetOfAzd(world)).toEqual({ baseUrl: outputs.baseUrl, env: {} });
    expect(world.warnings.join()).toContain('an administrator gives it');
  });
  test('wants a boundary only with public images', async () => {
    const { env } = await targetOfAzd(proving(`${printed}\nPUBLIC_IMAGERY="true"`, unknownSecret()));
    expect(env).toHaveProperty('POINT');
    expect(env).toHaveProperty('FARM_ID');
  });
});
