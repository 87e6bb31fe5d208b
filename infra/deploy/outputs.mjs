// What the newest deployment of the service in a resource group gave out, as lines for the shell:
// eval "$(node infra/deploy/outputs.mjs <resource group>)"
import { runAsProgram } from './ports.mjs';

const query = "sort_by([?properties.provisioningState=='Succeeded'], &properties.timestamp)[].properties.outputs";

/** Modules have no parameter of that name. */
const ofNewest =
  "sort_by([?properties.provisioningState=='Succeeded' && properties.parameters.environmentName], &properties.timestamp)[-1].properties.parameters";

/** AZURE_BASE_URL is baseUrl here. Azure itself changes the case of names that begin so: it answers azurE_BASE_URL. */
const nameOf = (name) =>
  /^azure_/i.test(name)
    ? name
        .slice(6)
        .toLowerCase()
        .replaceAll(/_(\w)/g, (_, letter) => letter.toUpperCase())
    : name;

/**
 * The outputs of infra/azure/main.bicep by name; undefined when nothing was deployed yet. azd names deployments itself, and
 * modules are deployments too, so the newest one that has our outputs is taken.
 */
export function findOutputs({ run }, group) {
  const args = ['deployment', 'group', 'list', '--resource-group', group, '--query', query, '--output', 'json'];
  const all = JSON.parse(run('az', args) || '[]');
  return all
    .map((outputs) => Object.fromEntries(Object.entries(outputs).map(([name, { value }]) => [nameOf(name), value])))
    .findLast(({ baseUrl }) => baseUrl !== undefined);
}

/** The resource group by the variable of azd, or that of the pages. */
export function groupOf({ env }) {
  const group = env.AZURE_RESOURCE_GROUP || env.GROUP;
  if (group) return group;
  throw new Error('Name the resource group: azd env set AZURE_RESOURCE_GROUP <name>, without azd export GROUP=<name>.');
}

/** What it was told, in the form of a file of parameters; empty when nothing was deployed yet. */
export function findParameters({ run }, group) {
  const args = ['deployment', 'group', 'list', '--resource-group', group, '--query', ofNewest, '--output', 'json'];
  return JSON.parse(run('az', args) || 'null') ?? {};
}

/** @throws Error when nothing was deployed yet */
export function outputsOf(ports, group) {
  const found = findOutputs(ports, group);
  if (found !== undefined) return found;
  throw new Error(`No deployment in ${group} has succeeded yet: \`azd provision\`, or the pipeline, comes first.`);
}

/** Names of accounts stand at the beginning of their addresses. */
export const accountAt = (address) => new URL(address).hostname.split('.')[0];

/** What the programs of operators and the commands of the pages take from the environment. */
export const variablesOf = (
  group,
  { appName, baseUrl, vaultName, addresses, appPrincipalId, backupGroup, tokenAudience },
) => ({
  GROUP: group,
  APP: appName,
  URL: baseUrl,
  VAULT: vaultName,
  BACKUP: accountAt(addresses.backups.blob),
  BACKUP_GROUP: backupGroup,
  IMAGERY: accountAt(addresses.imagery.blob),
  TOKEN_AUDIENCE: tokenAudience,
  APP_PRINCIPAL: appPrincipalId,
  DATA_STORAGE__tableServiceUri: addresses.data.table,
  DATA_STORAGE__queueServiceUri: addresses.data.queue,
  DATA_STORAGE__blobServiceUri: addresses.data.blob,
  IMAGERY_STORAGE__blobServiceUri: addresses.imagery.blob,
  BACKUP_STORAGE__blobServiceUri: addresses.backups.blob,
});

await runAsProgram(import.meta.url, (ports, [group]) => {
  if (group === undefined) throw new Error('Name the resource group: node infra/deploy/outputs.mjs <resource group>');
  const variables = Object.entries(variablesOf(group, outputsOf(ports, group)));
  for (const [name, value] of variables) ports.log(`export ${name}='${value}'`);
});
