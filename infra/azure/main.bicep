// The whole service in one resource group. Wiring only: what a part is made of stands in its module.
targetScope = 'resourceGroup'

import { backupRegionOf, Environment, nameOf, originOf, tagsOf, vaultNameOf } from 'modules/naming.bicep'
import { AlertTargets, Backups, Callers, Console, Labels, Network, People, Retention, Scale } from 'modules/parameters.bicep'
import { settingsOf } from 'modules/settings.bicep'
import { Services } from 'modules/storageAccount.bicep'

@description('Environment of this deployment.')
param environmentName Environment

@description('Azure region of everything regional.')
param location string = resourceGroup().location

@description('Short name of the service: what all names contain.')
@minLength(2)
@maxLength(10)
param workload string = 'fields'

@description('What tags say.')
param labels Labels

@description('How far the app may grow.')
param scale Scale

@description('How the parts reach each other.')
param network Network

@description('How long what is kept.')
param retention Retention

@description('Where the exports of the tables go.')
param backups Backups

@description('Who is told.')
param alertTargets AlertTargets

@description('People and groups.')
param people People

@description('Whose tokens count; which tenants may call stands in table tenants.')
param callers Callers

@description('The page for people.')
param console Console

@description('Where callers reach the service, such as https://fields.contoso.com; empty for the address of the app.')
param publicUrl string

@description('True to send events to a topic of Event Grid too; without publicUrl there are no events.')
param eventGrid bool

@description('True when the vault holds the secret open-meteo-api-key.')
param openMeteo bool

@description('Site or e-mail address of whoever runs the service: MET Norway wants it, and without it there is no forecast.')
param weatherContact string

@description('What the canary asks, as JSON (CANARY in the README); empty for no canary.')
param canary string

@description('`recover` brings back a deleted vault of the same name.')
param vaultCreateMode 'default' | 'recover' = 'default'

var suffix = uniqueString(resourceGroup().id)
var place = { workload: workload, environment: environmentName, location: location, suffix: suffix }
var tags = tagsOf(place, labels.owner, labels.costCentre, labels.commit)
var hasNetwork = network.mode != 'open' || network.fixedOutbound
var isClosed = network.mode == 'closed'
var backupGroup = backups.?location == null ? resourceGroup().name : '${resourceGroup().name}-backup'
var hasTopic = eventGrid && !empty(publicUrl)

module appIdentity 'modules/identity.bicep' = { params: { name: nameOf('id-app', place), location: location, tags: tags } }

module sasIdentity 'modules/identity.bicep' = { params: { name: nameOf('id-sas', place), location: location, tags: tags } }

module monitor 'modules/monitor.bicep' = {
  params: { place: place, tags: tags, retentionDays: retention.logDays, dailyCapGb: alertTargets.dailyLogGb }
}

module vnet 'modules/network.bicep' = if (hasNetwork) {
  params: { place: place, tags: tags, network: network }
}

module storage 'modules/storage.bicep' = {
  params: {
    place: place, tags: tags, zoneRedundant: scale.zoneRedundant, network: network
    appSubnetId: hasNetwork ? vnet!.outputs.appSubnetId : ''
    retention: retention
    readingOrigins: console.isServed ? union([originOf(place)], empty(publicUrl) ? [] : [publicUrl]) : []
    hasTopic: hasTopic
  }
}

module backup 'modules/backup.bicep' = {
  scope: resourceGroup(backupGroup)
  params: {
    place: place, tags: tags, location: backupRegionOf(backups.?location, location), backups: backups
    access: storage.outputs.dataAccess, allowedSubnetId: storage.outputs.dataSubnetId
    allowedAddresses: network.allowedAddresses, softDeleteDays: retention.softDeleteDays
    appPrincipalId: appIdentity.outputs.principalId, people: people, workspaceId: monitor.outputs.workspaceId
  }
}

module keyVault 'modules/keyVault.bicep' = {
  params: {
    name: vaultNameOf(place), location: location, tags: tags
    access: !isClosed ? 'everyone' : empty(network.allowedAddresses) ? 'nobody' : 'allowed'
    allowedAddresses: network.allowedAddresses
    isProtected: retention.vaultIsProtected, createMode: vaultCreateMode
  }
}

module topic 'modules/eventGrid.bicep' = if (hasTopic) {
  params: {
    place: place, tags: tags, isClosed: isClosed
    appPrincipalId: appIdentity.outputs.principalId
    accounts: storage.outputs.names
    workspaceId: monitor.outputs.workspaceId
  }
}

module privateEndpoints 'modules/privateEndpoints.bicep' = if (isClosed) {
  params: {
    place: place, tags: tags, networkId: vnet!.outputs.id, subnetId: vnet!.outputs.endpointSubnetId
    accounts: storage.outputs.names
    backupsId: resourceId(backupGroup, 'Microsoft.Storage/storageAccounts', backup.outputs.name)
    imagery: network.imagery != 'everyone'
    vaultId: keyVault.outputs.id, topicId: hasTopic ? topic!.outputs.id : ''
  }
}

module roles 'modules/roles.bicep' = {
  params: {
    appPrincipalId: appIdentity.outputs.principalId, sasPrincipalId: sasIdentity.outputs.principalId
    accounts: storage.outputs.names, vaultName: keyVault.outputs.name, componentName: monitor.outputs.componentName
  }
}

module peopleRoles 'modules/people.bicep' = { params: { people: people, accounts: storage.outputs.names, vaultName: keyVault.outputs.name } }

module groupRoles 'modules/groupRoles.bicep' = [
  for group in union([resourceGroup().name], [backupGroup]): { scope: resourceGroup(group), params: { people: people } }
]

module functionApp 'modules/functionApp.bicep' = {
  params: {
    place: place, tags: tags, scale: scale
    identityId: appIdentity.outputs.id, sasIdentityId: sasIdentity.outputs.id
    packageUri: storage.outputs.packageUri
    subnetId: hasNetwork ? vnet!.outputs.appSubnetId : null
    frontDoorId: empty(network.frontDoorId) || !empty(publicUrl) ? network.frontDoorId : fail('FRONT_DOOR_ID wants PUBLIC_URL')
    componentName: monitor.outputs.componentName
    settings: settingsOf(
      {
        clientId: appIdentity.outputs.clientId, sasClientId: sasIdentity.outputs.clientId
        hostAccountName: storage.outputs.names.host
        data: storage.outputs.data, imagery: storage.outputs.imagery, backups: backup.outputs.services
        vaultUri: keyVault.outputs.uri
        topicUrl: hasTopic ? topic!.outputs.endpoint : ''
        tenantId: tenant().tenantId, login: environment().authentication.loginEndpoint
        storageSuffix: environment().suffixes.storage
      },
      {
        callers: callers, console: console, retention: retention, publicUrl: publicUrl
        openMeteo: openMeteo, weatherContact: weatherContact, canary: canary
      }
    )
  }
  // Its first start has its rights, and a way to its storage.
  dependsOn: [roles, privateEndpoints]
}

module diagnostics 'modules/diagnostics.bicep' = {
  params: {
    workspaceId: monitor.outputs.workspaceId, accounts: storage.outputs.names
    logImageryReads: alertTargets.logImageryReads, vaultName: keyVault.outputs.name
  }
}

module alerts 'modules/alerts.bicep' = {
  params: {
    place: place, tags: tags, targets: alertTargets
    workspaceId: monitor.outputs.workspaceId, componentId: monitor.outputs.componentId
    appPrincipalId: appIdentity.outputs.principalId
    url: functionApp.outputs.url
  }
}

// By the names that azd gives to what it keeps; infra/deploy/outputs.mjs reads them, and says how Azure spells them.
@description('Entra tenant of the subscription: whose tokens the proof asks for.')
output AZURE_TENANT_ID string = tenant().tenantId

@description('Name of the function app: where the package goes.')
output AZURE_APP_NAME string = functionApp.outputs.name

@description('Address of the service for whoever asks it, the pipeline included: behind Front Door the app refuses its own one.')
output AZURE_BASE_URL string = empty(network.frontDoorId) ? functionApp.outputs.url : publicUrl

@description('Name of the vault: where the pepper goes.')
output AZURE_VAULT_NAME string = keyVault.outputs.name

@description('Addresses of the accounts, for the commands of operators.')
output AZURE_ADDRESSES { data: Services, imagery: Services, backups: Services } = {
  data: storage.outputs.data
  imagery: storage.outputs.imagery
  backups: backup.outputs.services
}

@description('Resource group of the account with the exports, made by who makes the group.')
output AZURE_BACKUP_GROUP string = backupGroup

@description('The audience that a token must name.')
output AZURE_TOKEN_AUDIENCE string = callers.tokenAudience

@description('Object id of the identity that the app runs as, for roles in the vaults of tenants.')
output AZURE_APP_PRINCIPAL_ID string = appIdentity.outputs.principalId

@description('The address by which the app is seen outside; empty when it has no fixed one.')
output AZURE_OUTBOUND_ADDRESS string = hasNetwork ? vnet!.outputs.outboundAddress : ''
