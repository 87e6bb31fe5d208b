import { nodesOf, placeOf, stringOf, type BicepFile, type Node } from './bicepTree.js';
import { bodyOf, declarationsOf, declared, valueAt, type Declaration } from './declarations.js';

/** Resource types with the API versions that their properties were checked against; reviewed at each release. */
export const apiVersions = [
  'Microsoft.Authorization/roleAssignments@2022-04-01',
  'Microsoft.Consumption/budgets@2024-08-01',
  'Microsoft.EventGrid/topics@2025-02-15',
  'Microsoft.Insights/actionGroups@2023-01-01',
  'Microsoft.Insights/components@2020-02-02',
  'Microsoft.Insights/diagnosticSettings@2021-05-01-preview',
  'Microsoft.Insights/metricAlerts@2018-03-01',
  'Microsoft.Insights/scheduledQueryRules@2023-12-01',
  'Microsoft.Insights/webtests@2022-06-15',
  'Microsoft.Insights/workbooks@2023-06-01',
  'Microsoft.KeyVault/vaults@2025-05-01',
  'Microsoft.ManagedIdentity/userAssignedIdentities@2024-11-30',
  'Microsoft.Network/natGateways@2025-05-01',
  'Microsoft.Network/privateDnsZones/virtualNetworkLinks@2024-06-01',
  'Microsoft.Network/privateDnsZones@2024-06-01',
  'Microsoft.Network/privateEndpoints/privateDnsZoneGroups@2025-05-01',
  'Microsoft.Network/privateEndpoints@2025-05-01',
  'Microsoft.Network/publicIPAddresses@2025-05-01',
  'Microsoft.Network/virtualNetworks@2025-05-01',
  'Microsoft.OperationalInsights/workspaces@2025-02-01',
  'Microsoft.Storage/storageAccounts/blobServices/containers/immutabilityPolicies@2025-01-01',
  'Microsoft.Storage/storageAccounts/blobServices/containers@2025-01-01',
  'Microsoft.Storage/storageAccounts/blobServices@2025-01-01',
  'Microsoft.Storage/storageAccounts/managementPolicies@2025-01-01',
  'Microsoft.Storage/storageAccounts/queueServices/queues@2025-01-01',
  'Microsoft.Storage/storageAccounts/queueServices@2025-01-01',
  'Microsoft.Storage/storageAccounts/tableServices/tables@2025-01-01',
  'Microsoft.Storage/storageAccounts/tableServices@2025-01-01',
  'Microsoft.Storage/storageAccounts@2025-01-01',
  'Microsoft.Web/serverfarms@2025-03-01',
  'Microsoft.Web/sites/basicPublishingCredentialsPolicies@2025-03-01',
  'Microsoft.Web/sites@2025-03-01',
] as const;

/** The type with its API version that a resource names. */
export const typeOf = (resource: Declaration): string => stringOf(resource.rest[0]);

/** Resources that a file creates, not those that it looks up. */
export const createdIn = (file: BicepFile): readonly Declaration[] =>
  declared(file, 'resource').filter(({ node }) => !/^resource \w+ '[^']*' existing /.test(node.text));

/** Parameters, outputs, types, functions and members of types that say nothing of themselves. */
export function undescribed(file: BicepFile): readonly string[] {
  const said = declarationsOf(file).filter(({ kind }) => ['parameter', 'output', 'type', 'function'].includes(kind));
  const silent = said.filter(({ decorators }) => !decorators.includes('description'));
  const members = said.filter(({ kind }) => kind === 'type').flatMap(({ node }) => silentMembers(node));
  return [...silent.map(({ node }) => node), ...members].map(
    (node) => `${placeOf(file, node)}: ${node.text.split('\n')[0] ?? ''} has no description`,
  );
}

function silentMembers(type: Node): readonly Node[] {
  const object = [...nodesOf(type)].filter((node) => node.type === 'object');
  return object.flatMap((node) =>
    node.namedChildren.filter((member, position) => {
      // `{ *: Tenant }` has one member without a name.
      if (member.type !== 'object_property' || member.text.startsWith('*')) return false;
      const before = node.namedChildren[position - 1];
      return before?.type !== 'decorators' || !before.text.includes('@description');
    }),
  );
}

/** Outputs whose name says that they give something away. */
export const tellingOutputs = (file: BicepFile): readonly string[] =>
  declared(file, 'output')
    .filter(({ name, rest }) =>
      [name, ...rest.map(({ text }) => text)].some((text) => /\bkeys?\b|secret|connectionString|password/i.test(text)),
    )
    .map(({ node }) => `${placeOf(file, node)}: ${node.text}`);

/** Resource types in versions that nobody has checked. */
export const uncheckedVersions = (file: BicepFile): readonly string[] =>
  declared(file, 'resource')
    .filter((resource) => !(apiVersions as readonly string[]).includes(typeOf(resource)))
    .map(({ node, rest }) => `${placeOf(file, node)}: ${stringOf(rest[0])} is not among the checked versions`);

/** Weak parameters: types that allow anything. */
export const looseTypes = (file: BicepFile): readonly string[] =>
  declarationsOf(file)
    .filter(({ node }) => /^(param|output|type)\s+\w+\s+=?\s*(object|array|any)\b/.test(node.text))
    .map(({ node }) => `${placeOf(file, node)}: ${node.text.split('\n')[0] ?? ''}`);

/** Secure parameters have no default, and no default is made anew at each deployment. */
export const unstableDefaults = (file: BicepFile): readonly string[] =>
  [...nodesOf(file.root)]
    .filter(({ type, text }) => type === 'call_expression' && /^(newGuid|utcNow)\(/.test(text))
    .map((node) => `${placeOf(file, node)}: ${node.text}`);

/** The value of a property of the one resource of a type, as it is written. */
export function written(files: readonly BicepFile[], type: string, ...path: readonly string[]): string | undefined {
  const resources = files.flatMap(createdIn).filter((resource) => typeOf(resource).startsWith(`${type}@`));
  const [only] = resources;
  if (only === undefined || resources.length > 1) throw new Error(`${resources.length} resources of type ${type}`);
  return valueAt(bodyOf(only), ...path)?.text;
}
