// Who may do what with the topic of events. What the app may elsewhere is in roles.bicep.

import { Accounts } from 'storage.bicep'

@description('Name of the topic.')
param topicName string

@description('Object id of the identity that the app runs as.')
param appPrincipalId string

@description('Object id of the identity of the topic.')
param topicPrincipalId string

@description('Names of the storage accounts.')
param accounts Accounts

// Built-in roles; docs/operations/rights.md shows them, by test.
var roleType = 'Microsoft.Authorization/roleDefinitions'
var eventSender = subscriptionResourceId(roleType, 'd5a91429-5739-47e2-a06b-3470a27159e7')
var blobContributor = subscriptionResourceId(roleType, 'ba92f5b4-2d11-453d-a403-e96b0029c9fe')

resource topic 'Microsoft.EventGrid/topics@2025-02-15' existing = {
  name: topicName
}

resource deadLetters 'Microsoft.Storage/storageAccounts/blobServices/containers@2025-01-01' existing = {
  name: '${accounts.data}/default/notice-dead-letters'
}

resource appOnTopic 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(topic.id, appPrincipalId, eventSender)
  scope: topic
  properties: {
    principalId: appPrincipalId
    principalType: 'ServicePrincipal'
    roleDefinitionId: eventSender
  }
}

// What a subscriber does not take is stored by the topic itself, for the account has no keys.
resource topicOnDeadLetters 'Microsoft.Authorization/roleAssignments@2022-04-01' = {
  name: guid(deadLetters.id, topicPrincipalId, blobContributor)
  scope: deadLetters
  properties: {
    principalId: topicPrincipalId
    principalType: 'ServicePrincipal'
    roleDefinitionId: blobContributor
  }
}
