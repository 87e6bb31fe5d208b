// Before `azd provision`: the region, the resource providers, the Entra application that tokens are for, a client to test
// with, and what the parameter file takes from the environment. Each part is left as it is where it exists. What you lack
// is said before anything is made; what only an administrator may do is printed for one, and stops nothing.
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { groupOf } from './outputs.mjs';
import { runAsProgram, withPatience } from './ports.mjs';
import { requireVersions } from './versions.mjs';

/** Of what Bicep makes, by test; Flex Consumption runs apps on Microsoft.App. */
export const providers = [
  'Microsoft.App',
  'Microsoft.Consumption',
  'Microsoft.EventGrid',
  'Microsoft.Insights',
  'Microsoft.KeyVault',
  'Microsoft.ManagedIdentity',
  'Microsoft.Network',
  'Microsoft.OperationalInsights',
  'Microsoft.Storage',
  'Microsoft.Web',
];
const graph = 'https://graph.microsoft.com/v1.0';

/** Entra roles that may give applications their roles: of Global, Privileged Role, Application, Cloud Application Administrator. */
const administrators = [
  '62e90394-69f5-4237-9190-012177145e10',
  'e8611ab8-c189-46e8-94e1-60213ab1f814',
  '9b895d92-2cd3-44c7-9d02-a6ac2d5ea5c3',
  '158c047a-c907-4556-b7ef-446551a6b5f7',
];

/** Sends JSON by a file: a shell would take its quotation marks. */
function send({ run }, method, uri, body) {
  const folder = mkdtempSync(join(tmpdir(), 'body-'));
  try {
    const file = join(folder, 'body.json');
    writeFileSync(file, JSON.stringify(body));
    const json = ['--headers', 'Content-Type=application/json', '--body', `@${file}`];
    run('az', ['rest', '--method', method, '--uri', uri, ...json, '--output', 'none']);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What was made in Entra a moment ago is not known everywhere: for a minute or two it isn't there, or has no roles. */
const once = (ports, known, attempt) =>
  withPatience({ ...ports, log: ports.warn }, attempt, {
    passes: (error) =>
      /\b40[04]\b|ResourceNotFound|does(n't| not) exist|not found|Bad ?Request/i.test(error.said ?? error.message),
    minutes: 2,
    seconds: 10,
    waitingFor: known,
  });

/** The client id of the application of this name, made when there is none; its service principal with it. */
async function application(ports, name, audience) {
  const { run } = ports;
  // `--display-name` would find every name that begins so.
  const filter = ['--filter', `displayName eq '${name}'`];
  const found = run('az', ['ad', 'app', 'list', ...filter, '--query', '[].appId', '--output', 'tsv']);
  if (/\s/.test(found.trim())) throw new Error(`Several applications are named ${name}: delete or rename all but one.`);
  const create = ['ad', 'app', 'create', '--display-name', name, '--sign-in-audience', audience];
  const appId = found || run('az', [...create, '--query', 'appId', '--output', 'tsv']);
  if (principalOf(ports, appId) === '') {
    await once(ports, `The application ${name}`, () =>
      run('az', ['ad', 'sp', 'create', '--id', appId, '--output', 'none']),
    );
  }
  return appId;
}

/** The object id of the service principal of an application; empty when there is none. */
const principalOf = ({ run }, appId) =>
  run('az', ['ad', 'sp', 'list', '--filter', `appId eq '${appId}'`, '--query', '[0].id', '--output', 'tsv']);

/** Gives a person or a client a role of the service, unless it has it; where that is refused, it says who gives it how. */
export async function assign(ports, service, { kind, id }, role) {
  const path = `${graph}/${kind}/${id}/appRoleAssignments`;
  const query = `value[?resourceId=='${service.principal}' && appRoleId=='${service.roles[role]}'].id`;
  const body = { principalId: id, resourceId: service.principal, appRoleId: service.roles[role] };
  try {
    await once(ports, `The role ${role}`, () => {
      const has = ports.run('az', ['rest', '--method', 'get', '--uri', path, '--query', query, '--output', 'tsv']);
      if (has === '') send(ports, 'post', path, body);
    });
  } catch (error) {
    if (!/\b403\b|Forbidden|Authorization_RequestDenied|Insufficient privileges/i.test(error.said)) throw error;
    const json = `--headers Content-Type=application/json --body '${JSON.stringify(body)}'`;
    ports.warn(
      `You may not give the role ${role}. An administrator does:\naz rest --method post --uri ${path} ${json}`,
    );
  }
}

/** The application that tokens are for; callers of several Entra tenants get tokens for it. @returns its client id */
async function registerService(ports, name) {
  const appId = await application(ports, `partner-field-service-${name}`, 'AzureADMultipleOrgs');
  const whole = JSON.parse(readFileSync(new URL('../azure/applicationRoles.json', import.meta.url), 'utf8'));
  const { preAuthorizedApplications, ...api } = whole.api;
  const uri = `${graph}/applications(appId='${appId}')`;
  await once(ports, 'The application', () => {
    ports.run('az', ['ad', 'app', 'update', '--id', appId, '--identifier-uris', `api://${appId}`, '--output', 'none']);
    // A scope must be there before an application is authorised for it.
    send(ports, 'patch', uri, { ...whole, api });
    send(ports, 'patch', uri, { api: { ...api, preAuthorizedApplications } });
  });
  return appId;
}

/** The object id of the service's principal, and the ids of its roles by name, once both are there. */
export const serviceOf = (ports, appId, wanted) =>
  once(ports, "The service's roles", () => {
    const shown = ports.run('az', ['ad', 'sp', 'show', '--id', appId, '--query', 'appRoles', '--output', 'json']);
    const roles = Object.fromEntries(JSON.parse(shown).map(({ value, id }) => [value, id]));
    const principal = principalOf(ports, appId);
    if (principal === '' || wanted.some((role) => roles[role] === undefined))
      throw new Error(`404 ${Object.keys(roles)}`);
    return { principal, roles };
  });

const signedInUser = ({ run }, query) =>
  run('az', ['ad', 'signed-in-user', 'show', '--query', query, '--output', 'tsv']);

/** A client to test with; whoever runs this may operate the service. @returns the client id */
async function registerClient(ports, name, audience) {
  const client = await application(ports, `partner-field-client-${name}`, 'AzureADMyOrg');
  const service = await serviceOf(ports, audience, ['Jobs.ReadWrite', 'Farm.ReadWrite', 'Operate']);
  const principal = await once(ports, 'The test client', () => {
    const id = principalOf(ports, client);
    if (id === '') throw new Error('404');
    return { kind: 'servicePrincipals', id };
  });
  for (const role of ['Jobs.ReadWrite', 'Farm.ReadWrite']) await assign(ports, service, principal, role);
  await assign(ports, service, { kind: 'users', id: signedInUser(ports, 'id') }, 'Operate');
  return client;
}

/** Says before anything is made that an administrator will be needed; who can't be told about, is told nothing. */
function nameAdministrator({ run, warn }) {
  const path = `${graph}/me/transitiveMemberOf/microsoft.graph.directoryRole?$select=roleTemplateId`;
  let held;
  try {
    held = run('az', [
      'rest',
      '--method',
      'get',
      '--uri',
      path,
      '--query',
      'value[].roleTemplateId',
      '--output',
      'tsv',
    ]);
  } catch {
    return;
  }
  if (administrators.some((role) => held.includes(role))) return;
  warn(
    'In Entra you are no Cloud Application Administrator. The applications are made all the same (that takes Application ' +
      'Developer), but roles of the test client are given by one: the lines for him will be printed.',
  );
}

/** Flex Consumption is not everywhere, and the platform says so only when the app is made, after everything else. */
function requireRegion({ run, env }) {
  const region = env.AZURE_LOCATION || env.REGION;
  const query = ['functionapp', 'list-flexconsumption-locations', '--query', '[].name', '--output', 'tsv'];
  const known = run('az', query).split(/\s+/);
  if (!region || known.includes(region)) return;
  throw new Error(`${region} has no Flex Consumption. Choose one of ${known.sort().join(', ')}.`);
}

/** A name such as `dev` is not one developer's alone in Entra: what he registers carries a mark of his resource group. */
const markOf = (place) => createHash('sha256').update(place.toLowerCase()).digest('hex').slice(0, 8);

/** Registers the providers that the subscription lacks; each takes a minute or two. */
function registerProviders({ run }) {
  const query = "[?registrationState=='Registered'].namespace";
  const ready = run('az', ['provider', 'list', '--query', query, '--output', 'tsv']).split(/\s+/);
  for (const provider of providers.filter((name) => !ready.includes(name))) {
    run('az', ['provider', 'register', '--namespace', provider, '--wait']);
  }
}

/** A month that lies behind is refused for a new budget. */
const monthOf = (now) => `${new Date(now).toISOString().slice(0, 7)}-01`;

/**
 * When the budget begins. A new subscription takes none for up to 48 hours, and a deployment with one would fail as a whole,
 * so one is made and deleted.
 *
 * @returns undefined when there is none this time
 */
function budgetStart(ports, place) {
  const startDate = monthOf(ports.now());
  const uri = `${place}/providers/Microsoft.Consumption/budgets/trial?api-version=2024-08-01`;
  const properties = { category: 'Cost', amount: 1, timeGrain: 'Monthly', timePeriod: { startDate } };
  try {
    send(ports, 'put', uri, { properties });
    ports.run('az', ['rest', '--method', 'delete', '--uri', uri, '--output', 'none']);
  } catch (error) {
    // `azd provision` makes the group afterwards.
    if (/ResourceGroupNotFound/.test(error.said)) return startDate;
    ports.warn(`No budget this time, so nothing warns of costs; the next \`azd up\` tries again: ${error.message}`);
    return undefined;
  }
  return startDate;
}

/** @param args `--print` has lines for the shell printed where there is no azd environment to keep the values */
export async function register(ports, args = []) {
  const { env, run } = ports;
  const isPrinting = args.includes('--print');
  requireVersions(ports, isPrinting ? ['node', 'az'] : ['node', 'az', 'azd']);
  const keep = (name, value) => {
    if (isPrinting) ports.log(`export ${name}='${value}'`);
    else run('azd', ['env', 'set', name, value]);
  };
  const subscription = env.AZURE_SUBSCRIPTION_ID || run('az', ['account', 'show', '--query', 'id', '--output', 'tsv']);
  const place = `/subscriptions/${subscription}/resourceGroups/${groupOf(ports)}`;
  requireRegion(ports);
  if (!env.TEST_CLIENT_ID) nameAdministrator(ports);
  registerProviders(ports);
  const name = `${env.AZURE_ENV_NAME}-${markOf(place)}`;
  const audience = env.TOKEN_AUDIENCE || (await registerService(ports, name));
  keep('TOKEN_AUDIENCE', audience);
  keep('TEST_CLIENT_ID', env.TEST_CLIENT_ID || (await registerClient(ports, name, audience)));
  const start = env.BUDGET_START || budgetStart(ports, place);
  if (start !== undefined) keep('BUDGET_START', start);
  keep('WEATHER_CONTACT', env.WEATHER_CONTACT || signedInUser(ports, 'mail || userPrincipalName'));
}

await runAsProgram(import.meta.url, register);
