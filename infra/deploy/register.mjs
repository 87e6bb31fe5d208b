// Before `azd provision`: the resource providers, the Entra application that tokens are for, a client to test with, and
// what the parameter file takes from the environment. Each part is left as it is where it exists.
import { runAsProgram } from './ports.mjs';
import { requireVersions } from './versions.mjs';

/** Of what Bicep makes, by test; Flex Consumption runs apps on Microsoft.App. */
export const providers = [
  'Microsoft.App',
  'Microsoft.Consumption',
  'Microsoft.Insights',
  'Microsoft.KeyVault',
  'Microsoft.ManagedIdentity',
  'Microsoft.Network',
  'Microsoft.OperationalInsights',
  'Microsoft.Storage',
  'Microsoft.Web',
];
const graph = 'https://graph.microsoft.com/v1.0';
const json = ['--headers', 'Content-Type=application/json'];

/** The client id of the application of this name, made when there is none; its service principal with it. */
function application({ run }, name, audience) {
  const found = run('az', ['ad', 'app', 'list', '--display-name', name, '--query', '[0].appId', '--output', 'tsv']);
  const create = ['ad', 'app', 'create', '--display-name', name, '--sign-in-audience', audience];
  const appId = found || run('az', [...create, '--query', 'appId', '--output', 'tsv']);
  if (principalOf({ run }, appId) === '') run('az', ['ad', 'sp', 'create', '--id', appId, '--output', 'none']);
  return appId;
}

/** The object id of the service principal of an application; empty when there is none. */
const principalOf = ({ run }, appId) =>
  run('az', ['ad', 'sp', 'list', '--filter', `appId eq '${appId}'`, '--query', '[0].id', '--output', 'tsv']);

/** Gives a person or a client a role of the service, unless it has it. */
function assign({ run }, service, { kind, id }, role) {
  const path = `${graph}/${kind}/${id}/appRoleAssignments`;
  const query = `value[?resourceId=='${service.principal}' && appRoleId=='${service.roles[role]}'].id`;
  const has = run('az', ['rest', '--method', 'get', '--uri', path, '--query', query, '--output', 'tsv']);
  if (has !== '') return;
  const body = JSON.stringify({ principalId: id, resourceId: service.principal, appRoleId: service.roles[role] });
  run('az', ['rest', '--method', 'post', '--uri', path, ...json, '--body', body, '--output', 'none']);
}

/** The application that tokens are for; callers of several Entra tenants get tokens for it. @returns its client id */
function registerService(ports, name) {
  const { run, log } = ports;
  const appId = application(ports, `partner-field-service-${name}`, 'AzureADMultipleOrgs');
  run('az', ['ad', 'app', 'update', '--id', appId, '--identifier-uris', `api://${appId}`, '--output', 'none']);
  const uri = `${graph}/applications(appId='${appId}')`;
  const body = '@infra/azure/applicationRoles.json';
  run('az', ['rest', '--method', 'patch', '--uri', uri, ...json, '--body', body, '--output', 'none']);
  log(`Tokens are for the application ${appId}.`);
  return appId;
}

/** The object id of the service's principal, and the ids of its roles by name. */
function serviceOf(ports, appId) {
  const roles = JSON.parse(
    ports.run('az', ['ad', 'sp', 'show', '--id', appId, '--query', 'appRoles', '--output', 'json']),
  );
  return {
    principal: principalOf(ports, appId),
    roles: Object.fromEntries(roles.map(({ value, id }) => [value, id])),
  };
}

/** A client to test with; whoever runs this may operate the service. @returns the client id */
function registerClient(ports, name, audience) {
  const client = application(ports, `partner-field-client-${name}`, 'AzureADMyOrg');
  const service = serviceOf(ports, audience);
  const principal = { kind: 'servicePrincipals', id: principalOf(ports, client) };
  for (const role of ['Jobs.ReadWrite', 'Farm.ReadWrite']) assign(ports, service, principal, role);
  const person = ports.run('az', ['ad', 'signed-in-user', 'show', '--query', 'id', '--output', 'tsv']);
  assign(ports, service, { kind: 'users', id: person }, 'Operate');
  return client;
}

/** A month that lies behind is refused for a new budget. */
const monthOf = (now) => `${new Date(now).toISOString().slice(0, 7)}-01`;

export function register(ports) {
  const { env, run, now, log } = ports;
  requireVersions(ports, ['node', 'az', 'azd']);
  const set = (name, value) => run('azd', ['env', 'set', name, value]);
  const ready = run('az', [
    'provider',
    'list',
    '--query',
    "[?registrationState=='Registered'].namespace",
    '--output',
    'tsv',
  ]);
  for (const provider of providers.filter((name) => !ready.split(/\s+/).includes(name))) {
    log(`The resource provider ${provider} is registered now.`);
    run('az', ['provider', 'register', '--namespace', provider, '--wait']);
  }
  const name = env.AZURE_ENV_NAME;
  const audience = env.TOKEN_AUDIENCE || registerService(ports, name);
  if (!env.TOKEN_AUDIENCE) set('TOKEN_AUDIENCE', audience);
  if (!env.TEST_CLIENT_ID) set('TEST_CLIENT_ID', registerClient(ports, name, audience));
  if (!env.BUDGET_START) set('BUDGET_START', monthOf(now()));
  if (!env.WEATHER_CONTACT) {
    const query = 'mail || userPrincipalName';
    set('WEATHER_CONTACT', run('az', ['ad', 'signed-in-user', 'show', '--query', query, '--output', 'tsv']));
  }
}

await runAsProgram(import.meta.url, register);
