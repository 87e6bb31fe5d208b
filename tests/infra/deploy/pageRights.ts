// What a command of a page needs in Azure and in Entra, and what its reader has: the stand-in for what Azure refuses.
import { readFileSync } from 'node:fs';

/** A right that no action of Azure Resource Manager is. */
const ENTRA = 'Entra';
const SECRETS = 'Microsoft.KeyVault/vaults/secrets';

const { Actions: ownRole } = JSON.parse(readFileSync('infra/azure/operatorRole.json', 'utf8')) as {
  readonly Actions: readonly string[];
};

/** By who: Azure's own roles as its reference has them, and ours. */
const rightsOf: Readonly<Record<string, readonly string[]>> = {
  // Of people.bicep, groupRoles.bicep and backup.bicep: Reader, Monitoring Reader, Key Vault Secrets User; and the own role.
  operator: [
    '*/read',
    'Microsoft.OperationalInsights/workspaces/search/action',
    `${SECRETS}/getSecret/action`,
    ...ownRole,
  ],
  // Of no data: that is another kind of right.
  Owner: ['Microsoft.*'],
  'Key Vault Secrets Officer': [`${SECRETS}/*`],
  'Entra administrator': [ENTRA],
};

/** By the beginning of a command: what it needs. The first that fits counts; nothing is needed to look at Entra. */
const needs: readonly (readonly [form: RegExp, ...actions: string[]])[] = [
  [/^az (login|account|version|bicep|ad signed-in-user|ad (user|group|sp|app) (show|list))\b/],
  [/^az (group|functionapp|keyvault|identity|storage account|deployment group) (show|list)\b/, 'Microsoft.Any/read'],
  [/^az functionapp restart /, 'Microsoft.Web/sites/restart/Action'],
  [/^az functionapp start /, 'Microsoft.Web/sites/start/Action'],
  [/^az functionapp stop /, 'Microsoft.Web/sites/stop/Action'],
  [/^az storage account revoke-/, 'Microsoft.Storage/storageAccounts/revokeUserDelegationKeys/action'],
  [/^az storage container immutability-policy show /, 'Microsoft.Storage/any/read'],
  [/^az storage container immutability-policy lock /, 'Microsoft.Storage/any/immutabilityPolicies/lock/action'],
  [/^az keyvault secret show /, `${SECRETS}/getSecret/action`],
  [/^az keyvault secret /, `${SECRETS}/setSecret/action`],
  [/^az role /, 'Microsoft.Authorization/any/write'],
  [/^az (group create|group delete|deployment group create|lock|afd)\b/, 'Microsoft.Resources/any/write'],
  [/^az (ad|rest)\b/, ENTRA],
  [/^(npm run reach|node infra\/deploy\/reach.mjs)/, 'Microsoft.Any/read', 'Microsoft.Storage/storageAccounts/write'],
  [/^npm run rotate-secret/, `${SECRETS}/setSecret/action`, 'Microsoft.Web/sites/config/any/refresh/action'],
  [/^node infra\/deploy\/outputs.mjs/, 'Microsoft.Any/read'],
  [/^node infra\/deploy\/secrets.mjs/, `${SECRETS}/setSecret/action`],
  [/^node infra\/deploy\/operators.mjs/, 'Microsoft.Authorization/roleDefinitions/write', ENTRA],
  [/^node infra\/deploy\/register.mjs/, 'Microsoft.Resources/any/register/action', ENTRA],
  [/^(npm|node -p|node infra\/deploy\/variables.mjs|gh|azd|curl)/],
];

const grants = (pattern: string, action: string): boolean =>
  new RegExp(`^${pattern.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}$`, 'i').test(action);

/** Data of a vault is no matter of Owner, whose role has none of it. */
const isData = (action: string): boolean => action.startsWith(`${SECRETS}/`);

/** Why the command is refused to who has these roles; undefined when it is not. */
export function refusalOf(command: string, roles: readonly string[]): string | undefined {
  const found = needs.find(([form]) => form.test(command));
  if (found === undefined) return `${command}: say in pageRights.ts what it needs`;
  const [, ...actions] = found;
  const isGiven = (action: string): boolean =>
    roles.some(
      (role) =>
        !(role === 'Owner' && isData(action)) && (rightsOf[role] ?? []).some((pattern) => grants(pattern, action)),
    );
  const missing = actions.filter((action) => !isGiven(action));
  return missing.length === 0 ? undefined : `${command}: ${roles.join(', ')} may not ${missing.join(', ')}`;
}
