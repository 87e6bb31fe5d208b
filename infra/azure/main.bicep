// The whole service in one resource group. Wiring only: what a part is made of stands in its module.
targetScope = 'resourceGroup'

import { Environment, nameOf, originOf, storageNameOf, tagsOf, vaultNameOf } from 'modules/naming.bicep'
import { AlertTargets, Callers, Console, Network, Retention } from 'modules/parameters.bicep'
import { Redundancy, Services } from 'modules/storageAccount.bicep'
import { Scale } from 'modules/functionApp.bicep'

@description('Environment of this deployment.')
param environmentName Environment

@description('Azure region of everything regional.')
param location string = resourceGroup().location

@description('Short name of the service: what all names contain.')
@minLength(2)
@maxLength(10)
param workload string = 'fields'

@description('Team that answers for the service.')
param owner string

@description('Where the cost is booked.')
param costCentre string

@description('Commit of the repository that is deployed.')
param commit string

@description('How often data is kept.')
param redundancy Redundancy

@description('How far the app may grow.')
param scale Scale

@description('How the parts reach each other.')
param network Network

@description('How long what is kept.')
param retention Retention

@description('Who is told.')
param alertTargets AlertTargets

@description('Whose tokens count; which tenants may call stands in table tenants.')
param callers Callers

@description('The page for people.')
param console Console = { isServed: true, origins: [], tilesUrl: '', tilesAttribution: '', loginClientId: '' }

@description('True when the vault holds the secret open-meteo-api-key.')
param openMeteo bool

@description('Site or e-mail address of whoever runs the service: MET Norway wants it, and without it there is no forecast.')
param weatherContact string

@description('Settings of the version before, for as long as it runs or may come back.')
param formerSettings { *: string }

@description('What the canary asks, as JSON (CANARY in the README); empty for no canary.')
param canary string

@description('Entra group whose members run the tenants, customers and poison commands; empty for nobody.')
param operatorGroupId string

@description('Entra group whose members may look at the data; empty for nobody.')
param readerGroupId string

var suffix = uniqueString(resourceGroup().id)
var place = { workload: workload, environment: environmentName, location: location, suffix: suffix }
var tags = tagsOf(place, owner, costCentre, commit)
var access = !network.private ? 'everyone' : empty(network.allowedAddresses) ? 'nobody' : 'allowedAddresses'

module appIdentity 'modules/identity.bicep' = {
  params: { name: nameOf('id-app', place), location: location, tags: tags }
}

module sasIdentity 'modules/identity.bicep' = {
  params: { name: nameOf('id-sas', place), location: location, tags: tags }
}

module monitor 'modules/monitor.bicep' = {
  params: { place: place, tags: tags, retentionDays: retention.logDays, dailyCapGb: alertTargets.dailyLogGb }
}

module hostStorage 'modules/hostStorage.bicep' = {
  params: {
    name: storageNameOf('host', place)
    location: location
    tags: tags
    redundancy: redundancy
    access: access
    allowedAddresses: network.allowedAddresses
  }
}

module dataStorage 'modules/dataStorage.bicep' = {
  params: {
    dataName: storageNameOf('data', place)
    imageryName: storageNameOf('img', place)
    location: location
    tags: tags
    redundancy: redundancy
    dataAccess: access
    imageryAccess: network.imagery
    readingOrigins: console.isServed ? union([originOf(place)], console.origins) : []
    allowedAddresses: network.allowedAddresses
    softDeleteDays: retention.softDeleteDays
    jobRetentionDays: retention.jobDays
    imageryRetentionDays: retention.imageryDays
  }
}

module keyVault 'modules/keyVault.bicep' = {
  params: { name: vaultNameOf(place), location: location, tags: tags, access: access, allowedAddresses: network.allowedAddresses }
}

module privateNetwork 'modules/network.bicep' = if (network.private) {
  params: {
    name: nameOf('vnet', place)
    location: location
    tags: tags
    addressPrefix: network.addressPrefix
    hostAccountId: hostStorage.outputs.id
    dataAccountId: dataStorage.outputs.dataId
    imageryAccountId: dataStorage.outputs.imageryId
    vaultId: keyVault.outputs.id
  }
}

module roles 'modules/roles.bicep' = {
  params: {
    appPrincipalId: appIdentity.outputs.principalId
    sasPrincipalId: sasIdentity.outputs.principalId
    operatorGroupId: operatorGroupId
    readerGroupId: readerGroupId
    hostAccountName: hostStorage.outputs.name
    dataAccountName: dataStorage.outputs.dataName
    dataContainers: dataStorage.outputs.containers
    dataTables: dataStorage.outputs.tables
    imageryAccountName: dataStorage.outputs.imageryName
    imageryContainer: dataStorage.outputs.imageryContainer
    vaultName: keyVault.outputs.name
    componentName: monitor.outputs.componentName
  }
}

module functionApp 'modules/functionApp.bicep' = {
  params: {
    place: place
    tags: tags
    scale: scale
    identityId: appIdentity.outputs.id
    sasIdentityId: sasIdentity.outputs.id
    packageUri: hostStorage.outputs.packageUri
    subnetId: network.private ? privateNetwork!.outputs.appSubnetId : null
  }
  dependsOn: [roles] // Its first start has its rights.
}

module appSettings 'modules/appSettings.bicep' = {
  params: {
    siteName: functionApp.outputs.name
    clientId: appIdentity.outputs.clientId
    sasClientId: sasIdentity.outputs.clientId
    host: hostStorage.outputs.services
    data: dataStorage.outputs.services
    imagery: dataStorage.outputs.imageryServices
    vaultUri: keyVault.outputs.uri
    componentName: monitor.outputs.componentName
    tokens: {
      issuers: '${environment().authentication.loginEndpoint}{tid}/v2.0'
      audience: callers.tokenAudience
      keysUri: '${environment().authentication.loginEndpoint}organizations/discovery/v2.0/keys'
    }
    licenceAppClientId: callers.licenceAppClientId
    console: console
    openMeteo: openMeteo
    weatherContact: weatherContact
    canary: canary
    jobRetentionDays: retention.jobDays
    imageryRetentionDays: retention.imageryDays
    formerSettings: formerSettings
  }
}

module operations 'modules/operations.bicep' = {
  params: {
    place: place
    tags: tags
    targets: alertTargets
    workspaceId: monitor.outputs.workspaceId
    componentId: monitor.outputs.componentId
    hostAccountName: hostStorage.outputs.name
    dataAccountName: dataStorage.outputs.dataName
    imageryAccountName: dataStorage.outputs.imageryName
    vaultName: keyVault.outputs.name
    siteName: functionApp.outputs.name
  }
}

@description('Name of the function app: where the package goes.')
output appName string = functionApp.outputs.name

@description('Address of the service.')
output baseUrl string = 'https://${functionApp.outputs.hostName}'

@description('Name of the vault: where the pepper goes.')
output vaultName string = keyVault.outputs.name

@description('Addresses of the data account, for the commands of operators.')
output dataServices Services = dataStorage.outputs.services

@description('Addresses of the imagery account, for the commands of operators.')
output imageryServices Services = dataStorage.outputs.imageryServices

@description('Subnet for a runner of the pipeline; empty without a network.')
output runnerSubnetId string = network.private ? privateNetwork!.outputs.runnerSubnetId : ''

@description('Object id of the identity that the app runs as, for roles in the vaults and data managers of tenants.')
output appPrincipalId string = appIdentity.outputs.principalId
