// What the newest deployment of the service in a resource group gave out, as lines for the shell:
// eval "$(node infra/deploy/outputs.mjs <resource group>)"
import { runAsProgram } from './ports.mjs';

// azd names deployments itself, so the newest one that has our outputs is asked for.
const newest =
  "sort_by([?properties.provisioningState=='Succeeded' && properties.outputs.baseUrl], &properties.timestamp)[-1].properties";

const ofNewest = ({ run }, group, part) => {
  const args = [
    'deployment',
    'group',
    'list',
    '--resource-group',
    group,
    '--query',
    `${newest}.${part}`,
    '--output',
    'json',
  ];
  return JSON.parse(run('az', args) || 'null');
};

/** The outputs of infra/azure/main.bicep by name; undefined when nothing was deployed yet. */
export function findOutputs(ports, group) {
  const found = ofNewest(ports, group, 'outputs');
  if (found === null) return undefined;
  return Object.fromEntries(Object.entries(found).map(([name, { value }]) => [name, value]));
}

/** What it was told, in the form of a file of parameters; empty when nothing was deployed yet. */
export const findParameters = (ports, group) => ofNewest(ports, group, 'parameters') ?? {};

/** @throws Error when nothing was deployed yet */
export function outputsOf(ports, group) {
  const found = findOutputs(ports, group);
  if (found !== undefined) return found;
  throw new Error(`No deployment in ${group} has succeeded yet: \`azd provision\`, or the pipeline, comes first.`);
}

/** Names of accounts stand at the beginning of their addresses. */
export const accountAt = (address) => new URL(address).hostname.split('.')[0];

/** What the programs of operators and the commands of the pages take from the environment. */
export const variablesOf = (group, { appName, baseUrl, vaultName, addresses, appPrincipalId }) => ({
  GROUP: group,
  APP: appName,
  URL: baseUrl,
  VAULT: vaultName,
  BACKUP: accountAt(addresses.backups.blob),
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
