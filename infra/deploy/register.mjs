// Before `azd provision`: the resource providers, the Entra application that tokens are for, a client to test with, and
// what the parameter file takes from the environment. Each part is left as it is where it exists.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runAsProgram } from './ports.mjs';
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

/** Sends JSON to Microsoft Graph, by a file: a shell would take its quotation marks. */
function send({ run }, method, uri, body) {
  const folder = mkdtempSync(join(tmpdir(), 'graph-'));
  try {
    const file = join(folder, 'body.json');
    writeFileSync(file, JSON.stringify(body));
    const json = ['--headers', 'Content-Type=application/json', '--body', `@${file}`];
    run('az', ['rest', '--method', method, '--uri', uri, ...json, '--output', 'none']);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** The client id of the application of this name, made when there is none; its service principal with it. */
function application({ run }, name, audience) {
  // `--display-name` would find every name that begins so.
  const filter = ['--filter', `displayName eq '${name}'`];
  const found = run('az', ['ad', 'app', 'list', ...filter, '--query', '[].appId', '--output', 'tsv']);
  if (/\s/.test(found.trim())) throw new Error(`Several applications are named ${name}: delete or rename all but one.`);
  const create = ['ad', 'app', 'create', '--display-name', name, '--sign-in-audience', audience];
  const appId = found || run('az', [...create, '--query', 'appId', '--output', 'tsv']);
  if (principalOf({ run }, appId) === '') run('az', ['ad', 'sp', 'create', '--id', appId, '--output', 'none']);
  return appId;
}

/** The object id of the service principal of an application; empty when there is none. */
const principalOf = ({ run }, appId) =>
  run('az', ['ad', 'sp', 'list', '--filter', `appId eq '${appId}'`, '--query', '[0].id', '--output', 'tsv']);

/** Gives a person or a client a role of the service, unless it has it. */
export function assign({ run }, service, { kind, id }, role) {
  const path = `${graph}/${kind}/${id}/appRoleAssignments`;
  const query = `value[?resourceId=='${service.principal}' && appRoleId=='${service.roles[role]}'].id`;
  const has = run('az', ['rest', '--method', 'get', '--uri', path, '--query', query, '--output', 'tsv']);
  if (has !== '') return;
  const body = { principalId: id, resourceId: service.principal, appRoleId: service.roles[role] };
  send({ run }, 'post', path, body);
}

/** The application that tokens are for; callers of several Entra tenants get tokens for it. @returns its client id */
function registerService(ports, name) {
  const appId = application(ports, `partner-field-service-${name}`, 'AzureADMultipleOrgs');
  ports.run('az', ['ad', 'app', 'update', '--id', appId, '--identifier-uris', `api://${appId}`, '--output', 'none']);
  const whole = JSON.parse(readFileSync(new URL('../azure/applicationRoles.json', import.meta.url), 'utf8'));
  const { preAuthorizedApplications, ...api } = whole.api;
  const uri = `${graph}/applications(appId='${appId}')`;
  // A scope must be there before an application is authorised for it.
  send(ports, 'patch', uri, { ...whole, api });
  send(ports, 'patch', uri, { api: { ...api, preAuthorizedApplications } });
  return appId;
}

/** The object id of the service's principal, and the ids of its roles by name. */
export function serviceOf(ports, appId) {
  const roles = JSON.parse(
    ports.run('az', ['ad', 'sp', 'show', '--id', appId, '--query', 'appRoles', '--output', 'json']),
  );
  return {
    principal: principalOf(ports, appId),
    roles: Object.fromEntries(roles.map(({ value, id }) => [value, id])),
  };
}

const signedInUser = ({ run }, query) =>
  run('az', ['ad', 'signed-in-user', 'show', '--query', query, '--output', 'tsv']);

/** A client to test with; whoever runs this may operate the service. @returns the client id */
function registerClient(ports, name, audience) {
  const client = application(ports, `partner-field-client-${name}`, 'AzureADMyOrg');
  const service = serviceOf(ports, audience);
  const principal = { kind: 'servicePrincipals', id: principalOf(ports, client) };
  for (const role of ['Jobs.ReadWrite', 'Farm.ReadWrite']) assign(ports, service, principal, role);
  assign(ports, service, { kind: 'users', id: signedInUser(ports, 'id') }, 'Operate');
  return client;
}

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

/** @param args `--print` has lines for the shell printed where there is no azd environment to keep the values */
export function register(ports, args = []) {
  const { env, run, now } = ports;
  const isPrinting = args.includes('--print');
  requireVersions(ports, isPrinting ? ['node', 'az'] : ['node', 'az', 'azd']);
  const keep = (name, value) => {
    if (isPrinting) ports.log(`export ${name}='${value}'`);
    else run('azd', ['env', 'set', name, value]);
  };
  registerProviders(ports);
  const name = env.AZURE_ENV_NAME;
  const audience = env.TOKEN_AUDIENCE || registerService(ports, name);
  keep('TOKEN_AUDIENCE', audience);
  keep('TEST_CLIENT_ID', env.TEST_CLIENT_ID || registerClient(ports, name, audience));
  keep('BUDGET_START', env.BUDGET_START || monthOf(now()));
  keep('WEATHER_CONTACT', env.WEATHER_CONTACT || signedInUser(ports, 'mail || userPrincipalName'));
}

await runAsProgram(import.meta.url, register);
