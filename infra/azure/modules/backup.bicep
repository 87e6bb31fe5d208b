// The account of the exports, with who may do what there. It lies in a resource group and a region of its own: where the
// service's region is lost, so is what would have to be changed in the service's group to reach the account.

import { Place, storageNameOf, Tags } from 'naming.bicep'
import { Backups, People } from 'parameters.bicep'
import { Access, Services } from 'storageAccount.bicep'

@description('Where the service stands.')
param place Place

@description('Tags of the account.')
param tags Tags

@description('Region of the account.')
param location string

@description('How long exports cannot be changed.')
param backups Backups

@description('Who gets as far as the account.')
param access Access

@description('Addresses or ranges (CIDR) that `allowed` lets in.')
param allowedAddresses string[]

@description('Subnet of the app, where the account is reached through its service endpoint; empty for none.')
param allowedSubnetId string

@description('Days in which a deleted blob can be brought back.')
param softDeleteDays int

@description('Object id of the identity that the app runs as.')
param appPrincipalId string

@description('People and groups.')
param people People

@description('Resource id of the workspace.')
param workspaceId string

var name = storageNameOf('bak', place)
var backupContainer = 'backups'
// What was erased and who was purged: nothing expires there, for exports of before could bring them back.
var tombstoneContainer = 'tombstones'
var setsPolicy = backups.immutableDays > 0 && !backups.policyIsLocked
// Built-in roles; docs/operations/rights.md shows the same table, by test.
var blobContributor = 'ba92f5b4-2d11-453d-a403-e96b0029c9fe'
var blobReader = '2a2b9908-6ea1-4ae2-8e65-a410df84e7d1'
// Everything but deletion; that nothing is overwritten either is up to the immutability of the container.
var noDeletion = '((!(ActionMatches{\'Microsoft.Storage/storageAccounts/blobServices/containers/blobs/delete\'})))'
// They restore from the exports; nobody deletes there.
var readers = filter(
  [{ id: people.operatorGroupId, type: 'Group' }, { id: people.developerId, type: 'User' }],
  one => !empty(one.id)
)

module exports 'storageAccount.bicep' = {
  params: {
    name: name
    location: location
    tags: tags
    redundancy: 'Standard_LRS'
    hierarchicalNamespace: false
    access: access
    allowedAddresses: allowedAddresses
    allowedSubnetId: allowedSubnetId
    softDeleteDays: softDeleteDays
    containers: [backupContainer, tombstoneContainer]
    lifecycle: [{ prefix: '${backupContainer}/', deleteAfterDays: 35 }]
  }
}

resource account 'Microsoft.Storage/storageAccounts@2025-01-01' existing = {
  name: name
}

resource blobService 'Microsoft.Storage/storageAccounts/blobServices@2025-01-01' existing = {
  parent: account
  name: 'default'
}

// Who has the identity of the app can add exports and neither change nor delete one. Unlocked, so that an
// administrator can still end it; docs/operations/restore.md locks it.
resource immutable 'Microsoft.Storage/storageAccounts/blobServices/containers/immutabilityPolicies@2025-01-01' = if (setsPolicy) {
  name: '${name}/default/${backupContainer}/default'
  properties: {
    immutabilityPeriodSinceCreationInDays: backups.immutableDays
    allowProtectedAppendWrites: false
  }
  dependsOn: [exports]
}

resource appOnBackups 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(account.id, appPrincipalId, blobContributor)
  scope: account
  properties: {
    principalId: appPrincipalId
    principalType: 'ServicePrincipal'
    roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', blobContributor)
    condition: noDeletion
    conditionVersion: '2.0'
  }
  dependsOn: [exports]
}

resource readersOfBackups 'Microsoft.Authorization/roleAssignments@2022-04-01' = [
  for reader in readers: {
    name: guid(account.id, reader.id, blobReader)
    scope: account
    properties: {
      principalId: reader.id
      principalType: reader.type
      roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', blobReader)
    }
    dependsOn: [exports]
  }
]

resource blobLogs 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = {
  name: 'to-workspace'
  scope: blobService
  properties: {
    workspaceId: workspaceId
    logs: map(['StorageRead', 'StorageWrite', 'StorageDelete'], category => { category: category, enabled: true })
  }
  dependsOn: [exports]
}

@description('Name of the account, once everything in it exists.')
output name string = exports.outputs.name

@description('Addresses of the account.')
output services Services = exports.outputs.services
