// Who may do what, where: every role assignment of the service, each with the smallest scope that serves.

import { TablesByRight } from 'tableRoles.bicep'

@description('Object id of the identity that the app runs as.')
param appPrincipalId string

@description('Object id of the identity that mints SAS, and does nothing else.')
param sasPrincipalId string

@description('Object id of the Entra group whose members run the tenants, customers and poison commands; empty for nobody.')
param operatorGroupId string

@description('Object id of the Entra group whose members may look at the data, not change it; empty for nobody.')
param readerGroupId string

@description('Name of the host account.')
param hostAccountName string

@description('Name of the data account.')
param dataAccountName string

@description('Containers of the data account.')
param dataContainers string[]

@description('Tables of the data account, by what the app may do.')
param dataTables TablesByRight

@description('Name of the imagery account.')
param imageryAccountName string

@description('Container of the imagery account.')
param imageryContainer string

@description('Name of the vault.')
param vaultName string

@description('Name of the Application Insights component.')
param componentName string

// Built-in roles; docs/operations.md shows the same table, by test.
var roleIds = {
  storageBlobDataOwner: 'b7e6dc6d-f1e8-4753-8033-0f276bb0955b'
  storageBlobDataContributor: 'ba92f5b4-2d11-453d-a403-e96b0029c9fe'
  storageBlobDataReader: '2a2b9908-6ea1-4ae2-8e65-a410df84e7d1'
  storageBlobDelegator: 'db58b8e5-c6ad-4a2a-8342-4190687cbf4a'
  storageTableDataContributor: '0a9a7e1f-b9d0-4cc4-a60d-0319b160aaa3'
  storageTableDataReader: '76199698-9eea-4c19-bc75-cec21354c6b6'
  storageQueueDataContributor: '974c5e8b-45b9-4653-ba55-5f855dd0fb88'
  storageQueueDataReader: '19e7f393-937e-4f77-808e-94535e297925'
  keyVaultSecretsUser: '4633458b-17de-408a-b874-0445c86b69e6'
  monitoringMetricsPublisher: '3913510d-42f4-4e42-8a64-420c390055eb'
}

var app = { id: appPrincipalId, type: 'ServicePrincipal' }
var sas = { id: sasPrincipalId, type: 'ServicePrincipal' }
var operators = { id: operatorGroupId, type: 'Group' }
var readers = { id: readerGroupId, type: 'Group' }

// The host writes its locks and keys, and reads its package.
var onHost = [
  { who: app, role: roleIds.storageBlobDataOwner }
]
// The whole account: all its queues are the service's own, and the host makes missing poison queues.
var onData = [
  { who: app, role: roleIds.storageQueueDataContributor }
  { who: operators, role: roleIds.storageTableDataContributor }
  { who: operators, role: roleIds.storageQueueDataContributor }
  { who: readers, role: roleIds.storageTableDataReader }
  { who: readers, role: roleIds.storageQueueDataReader }
]
var onDataTables = [
  { who: app, role: roleIds.storageTableDataContributor }
]
// Who may call, and what is called for them: the app follows the register, operators change it.
var onReadOnlyTables = [
  { who: app, role: roleIds.storageTableDataReader }
]
var onDataContainers = [
  { who: app, role: roleIds.storageBlobDataContributor }
  { who: operators, role: roleIds.storageBlobDataContributor }
  { who: readers, role: roleIds.storageBlobDataReader }
]
// A delegation key is the account's: the role that gives one has no smaller scope.
var onImagery = [
  { who: sas, role: roleIds.storageBlobDelegator }
]
// A SAS can do what it says and its identity may: so even a faulty one lets nobody write.
var onImageryContainer = [
  { who: app, role: roleIds.storageBlobDataContributor }
  { who: sas, role: roleIds.storageBlobDataReader }
  { who: operators, role: roleIds.storageBlobDataContributor }
  { who: readers, role: roleIds.storageBlobDataReader }
]
var onVault = [
  { who: app, role: roleIds.keyVaultSecretsUser }
  { who: operators, role: roleIds.keyVaultSecretsUser }
]
var onComponent = [
  { who: app, role: roleIds.monitoringMetricsPublisher }
]

resource host 'Microsoft.Storage/storageAccounts@2025-01-01' existing = {
  name: hostAccountName
}

resource data 'Microsoft.Storage/storageAccounts@2025-01-01' existing = {
  name: dataAccountName
}

resource imagery 'Microsoft.Storage/storageAccounts@2025-01-01' existing = {
  name: imageryAccountName
}

resource vault 'Microsoft.KeyVault/vaults@2025-05-01' existing = {
  name: vaultName
}

resource component 'Microsoft.Insights/components@2020-02-02' existing = {
  name: componentName
}

resource hostGrants 'Microsoft.Authorization/roleAssignments@2022-04-01' = [
  for grant in filter(onHost, row => !empty(row.who.id)): {
    name: guid(host.id, grant.who.id, grant.role)
    scope: host
    properties: {
      principalId: grant.who.id
      principalType: grant.who.type
      roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', grant.role)
    }
  }
]

resource dataGrants 'Microsoft.Authorization/roleAssignments@2022-04-01' = [
  for grant in filter(onData, row => !empty(row.who.id)): {
    name: guid(data.id, grant.who.id, grant.role)
    scope: data
    properties: {
      principalId: grant.who.id
      principalType: grant.who.type
      roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', grant.role)
    }
  }
]

resource imageryGrants 'Microsoft.Authorization/roleAssignments@2022-04-01' = [
  for grant in filter(onImagery, row => !empty(row.who.id)): {
    name: guid(imagery.id, grant.who.id, grant.role)
    scope: imagery
    properties: {
      principalId: grant.who.id
      principalType: grant.who.type
      roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', grant.role)
    }
  }
]

resource vaultGrants 'Microsoft.Authorization/roleAssignments@2022-04-01' = [
  for grant in filter(onVault, row => !empty(row.who.id)): {
    name: guid(vault.id, grant.who.id, grant.role)
    scope: vault
    properties: {
      principalId: grant.who.id
      principalType: grant.who.type
      roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', grant.role)
    }
  }
]

resource componentGrants 'Microsoft.Authorization/roleAssignments@2022-04-01' = [
  for grant in filter(onComponent, row => !empty(row.who.id)): {
    name: guid(component.id, grant.who.id, grant.role)
    scope: component
    properties: {
      principalId: grant.who.id
      principalType: grant.who.type
      roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', grant.role)
    }
  }
]

module dataTableGrants 'tableRoles.bicep' = [
  for table in dataTables.written: {
    params: {
      accountName: dataAccountName
      tableName: table
      grants: onDataTables
    }
  }
]

module readOnlyTableGrants 'tableRoles.bicep' = [
  for table in dataTables.readOnly: {
    params: {
      accountName: dataAccountName
      tableName: table
      grants: onReadOnlyTables
    }
  }
]

module dataContainerGrants 'containerRoles.bicep' = [
  for container in dataContainers: {
    params: {
      accountName: dataAccountName
      containerName: container
      grants: onDataContainers
    }
  }
]

module imageryContainerGrants 'containerRoles.bicep' = {
  params: {
    accountName: imageryAccountName
    containerName: imageryContainer
    grants: onImageryContainer
  }
}
