// What azd does for this project, by its source (Azure/azure-dev ae35809f of 2026-08-21, cli/azd): nothing that it does not.
import { existsSync, readFileSync } from 'node:fs';
import { bicepNameOf, outputs } from './standIn.js';

/** Whether the last line of an ignore file that fits a folder excludes it; of patterns those that this project could have. */
function excludes(ignored: string, folder: string): boolean {
  const fits = (line: string): boolean =>
    ['*', '/*', folder, `/${folder}`, `**/${folder}`].includes(line.replace(/\/$/, ''));
  const last = ignored.split('\n').findLast((line) => fits(line.trim().replace(/^!/, '')));
  return last !== undefined && !last.startsWith('!');
}

/** Why azd refuses to package the functions (pkg/project/service_target_functionapp.go); undefined when it does not. */
export function refusalOf(azureYaml: string, ignored: string | undefined): string | undefined {
  const remoteBuild = /remoteBuild: (true|false)/.exec(azureYaml)?.[1];
  if (ignored === undefined || remoteBuild === undefined) return undefined;
  const isExcluded = excludes(ignored, 'node_modules');
  if (remoteBuild === 'true' && !isExcluded)
    return "'remoteBuild: true' requires '.funcignore' to exclude node_modules";
  return remoteBuild === 'false' && isExcluded
    ? "'remoteBuild: false' cannot be used when '.funcignore' excludes node_modules"
    : undefined;
}

/** The same for the files as they are. */
export const refusal = (): string | undefined =>
  refusalOf(
    readFileSync('azure.yaml', 'utf8'),
    existsSync('.funcignore') ? readFileSync('.funcignore', 'utf8') : undefined,
  );

/**
 * What stands in a new environment before the first hook (pkg/environment/environment.go, EnsureEnv of the Bicep provider).
 * AZURE_TENANT_ID has a name there, and nobody who sets it; AZURE_PRINCIPAL_ID is for the compiler alone.
 */
export const environmentAtFirst = {
  AZURE_ENV_NAME: 'anna',
  AZURE_SUBSCRIPTION_ID: 'subscription-of-azd',
  AZURE_LOCATION: 'westeurope',
  AZURE_RESOURCE_GROUP: 'rg-anna',
} as const;

/** What `azd provision` adds: the outputs by the names of the template, an object as JSON (pkg/infra/provisioning). */
export const provisioned: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(outputs).map(([name, value]: [string, unknown]) => [
    bicepNameOf(name),
    typeof value === 'string' ? value : JSON.stringify(value),
  ]),
);

/** `azd env get-values`: NAME="value" in order, with a backslash before quotation marks. */
export const printed = (environment: Readonly<Record<string, string>>): string =>
  Object.entries(environment)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, value]) => `${name}="${value.replaceAll('"', '\\"')}"`)
    .join('\n');
