// What the app may do, where: each right with the smallest scope that serves. What people may is in people.bicep.

import { Accounts, tables } from 'storage.bicep'

@description('Object id of the identity that the app runs as.')
param appPrincipalId string

@description('Object id of the identity that mints SAS, and does nothing else.')
param sasPrincipalId string

@description('Names of the storage accounts.')
param accounts Accounts

@description('Name of the vault.')
param vaultName string

@description('Name of the Application Insights component.')
param componentName string

// Built-in roles; docs/operations/rights.md shows the same table, by test.
var roleType = 'Microsoft.Authorization/roleDefinitions'
var blobOwner = subscriptionResourceId(roleType, 'b7e6dc6d-f1e8-4753-8033-0f276bb0955b')
var blobContributor = subscriptionResourceId(roleType, 'ba92f5b4-2d11-453d-a403-e96b0029c9fe')
var blobReader = subscriptionResourceId(roleType, '2a2b9908-6ea1-4ae2-8e65-a410df84e7d1')
var blobDelegator = subscriptionResourceId(roleType, 'db58b8e5-c6ad-4a2a-8342-4190687cbf4a')
var tableContributor = subscriptionResourceId(roleType, '0a9a7e1f-b9d0-4cc4-a60d-0319b160aaa3')
var tableReader = subscriptionResourceId(roleType, '76199698-9eea-4c19-bc75-cec21354c6b6')
var queueContributor = subscriptionResourceId(roleType, '974c5e8b-45b9-4653-ba55-5f855dd0fb88')
var secretsUser = subscriptionResourceId(roleType, '4633458b-17de-408a-b874-0445c86b69e6')
var metricsPublisher = subscriptionResourceId(roleType, '3913510d-42f4-4e42-8a64-420c390055eb')

resource host 'Microsoft.Storage/storageAccounts@2025-01-01' existing = {
  name: accounts.host
}

resource data 'Microsoft.Storage/storageAccounts@2025-01-01' existing = {
  name: accounts.data
}

resource tableService 'Microsoft.Storage/storageAccounts/tableServices@2025-01-01' existing = {
  parent: data
  name: 'default'
}

resource dataTables 'Microsoft.Storage/storageAccounts/tableServices/tables@2025-01-01' existing = [
  for table in tables: {
    parent: tableService
    name: table
  }
]

resource imagery 'Microsoft.Storage/storageAccounts@2025-01-01' existing = {
  name: accounts.imagery
}

resource blobService 'Microsoft.Storage/storageAccounts/blobServices@2025-01-01' existing = {
  parent: imagery
  name: 'default'
}

resource images 'Microsoft.Storage/storageAccounts/blobServices/containers@2025-01-01' existing = {
  parent: blobService
  name: 'imagery'
}

resource vault 'Microsoft.KeyVault/vaults@2025-05-01' existing = {
  name: vaultName
}

resource component 'Microsoft.Insights/components@2020-02-02' existing = {
  name: componentName
}

// The host writes its locks and keys, and reads its package: blobs alone, for it has no queue and no table of its own.
resource appOnHost 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(host.id, appPrincipalId, blobOwner)
  scope: host
  properties: {
    principalId: appPrincipalId
    principalType: 'ServicePrincipal'
    roleDefinitionId: blobOwner
  }
}

// The whole account: its containers and queues are the service's own, and the host makes missing poison queues.
resource appOnBlobs 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(data.id, appPrincipalId, blobContributor)
  scope: data
  properties: {
    principalId: appPrincipalId
    principalType: 'ServicePrincipal'
    roleDefinitionId: blobContributor
  }
}

resource appOnQueues 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(data.id, appPrincipalId, queueContributor)
  scope: data
  properties: {
    principalId: appPrincipalId
    principalType: 'ServicePrincipal'
    roleDefinitionId: queueContributor
  }
}

// Who may call stands in table tenants: an app that is taken over must not be able to add itself a tenant.
resource appOnTables 'Microsoft.Authorization/roleAssignments@2022-04-01' = [
  for (table, index) in tables: {
    name: guid(dataTables[index].id, appPrincipalId, table == 'tenants' ? tableReader : tableContributor)
    scope: dataTables[index]
    properties: {
      principalId: appPrincipalId
      principalType: 'ServicePrincipal'
      roleDefinitionId: table == 'tenants' ? tableReader : tableContributor
    }
  }
]

// The container, not the account: the app itself gets no delegation key.
resource appOnImages 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(images.id, appPrincipalId, blobContributor)
  scope: images
  properties: {
    principalId: appPrincipalId
    principalType: 'ServicePrincipal'
    roleDefinitionId: blobContributor
  }
}

// A delegation key is the account's: the role that gives one has no smaller scope.
resource sasOnAccount 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(imagery.id, sasPrincipalId, blobDelegator)
  scope: imagery
  properties: {
    principalId: sasPrincipalId
    principalType: 'ServicePrincipal'
    roleDefinitionId: blobDelegator
  }
}

// A SAS can do what it says and its identity may: so even a faulty one lets nobody write.
resource sasOnImages 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(images.id, sasPrincipalId, blobReader)
  scope: images
  properties: {
    principalId: sasPrincipalId
    principalType: 'ServicePrincipal'
    roleDefinitionId: blobReader
  }
}

resource appOnVault 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(vault.id, appPrincipalId, secretsUser)
  scope: vault
  properties: {
    principalId: appPrincipalId
    principalType: 'ServicePrincipal'
    roleDefinitionId: secretsUser
  }
}

resource appOnComponent 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(component.id, appPrincipalId, metricsPublisher)
  scope: component
  properties: {
    principalId: appPrincipalId
    principalType: 'ServicePrincipal'
    roleDefinitionId: metricsPublisher
  }
}
