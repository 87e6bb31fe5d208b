// The topic to which the service sends the events of all tenants and customers, for the systems of whoever runs it. Who
// subscribes, and what they get, is up to them.

import { Place, Tags, uniqueNameOf } from 'naming.bicep'
import { Accounts } from 'storage.bicep'

@description('Where this deployment stands.')
param place Place

@description('Tags of the resources.')
param tags Tags

@description('True when events get to the topic through private endpoints alone.')
param isClosed bool

@description('Object id of the identity that the app runs as.')
param appPrincipalId string

@description('Names of the storage accounts.')
param accounts Accounts

@description('Resource id of the workspace.')
param workspaceId string

resource topic 'Microsoft.EventGrid/topics@2025-02-15' = {
  name: uniqueNameOf('evgt', place)
  location: place.location
  tags: tags
  identity: {
    // Subscriptions store with it what could not be delivered: the account takes no key.
    type: 'SystemAssigned'
  }
  properties: {
    inputSchema: 'CloudEventSchemaV1_0'
    disableLocalAuth: true
    minimumTlsVersionAllowed: '1.2'
    publicNetworkAccess: isClosed ? 'Disabled' : 'Enabled'
  }
}

module roles 'topicRoles.bicep' = {
  params: {
    topicName: topic.name
    appPrincipalId: appPrincipalId
    topicPrincipalId: topic.identity.principalId
    accounts: accounts
  }
}

// Which events were not taken, or could not be delivered.
resource topicLog 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = {
  name: 'to-workspace'
  scope: topic
  properties: {
    workspaceId: workspaceId
    logs: map(['DeliveryFailures', 'PublishFailures'], category => { category: category, enabled: true })
  }
}

@description('Resource id of the topic.')
output id string = topic.id

@description('Where events are sent.')
output endpoint string = topic.properties.endpoint
