// Three accounts: what the platform needs, what the service keeps, and the images; that of the exports is in backup.bicep.
// The names are those of shared/storage/names.ts, by test.

import { Place, storageNameOf, Tags } from 'naming.bicep'
import { Network, Retention } from 'parameters.bicep'
import { Access, Services } from 'storageAccount.bicep'

@export()
@description('Names of the accounts.')
type Accounts = {
  @description('What the platform needs: locks and the package.')
  host: string

  @description('Tables, queues, inputs, insights, what weather services said.')
  data: string

  @description('The images.')
  imagery: string
}

@description('Where this deployment stands.')
param place Place

@description('Tags of the accounts.')
param tags Tags

@description('True to keep data in three zones.')
param zoneRedundant bool

@description('How the parts reach each other.')
param network Network

@description('Subnet of the app; empty without a network.')
param appSubnetId string

@description('How long what is kept.')
param retention Retention

@description('Origins whose pages may read images with a SAS: those of the console.')
param readingOrigins string[]

@description('True when events are sent to a topic of Event Grid.')
param hasTopic bool

@export()
@description('Tables of the data account.')
var tables = [
  'work'
  'enrollments'
  'fields'
  'fieldDates'
  'customers'
  'limits'
  'tenants'
  'audit'
  'interest'
  'scenes'
  'feed'
  'farmParties'
  'farmFarms'
  'farmFields'
  'farmInsights'
  'webhooks'
  'notices'
]
var workQueues = ['jobs-gdd', 'jobs-boundary', 'ingest', 'discovery', 'imagery-live', 'imagery-late', 'notices', 'visits']
var dataContainers = ['enrollment-inputs', 'insights', 'weather-cache', 'farm-data']
// Where subscriptions to the topic store what could not be delivered; the service itself reads none of it.
var deadLetterContainer = 'notice-dead-letters'
var packageContainer = 'app-package'
var imageryContainer = 'imagery'
var redundancy = zoneRedundant ? 'Standard_ZRS' : 'Standard_LRS'
// What the platform reads before the app is up, its package and the vault, isn't put behind service endpoints: whether
// it comes through them there is not documented for this plan. Neither holds anything of a customer.
var hostAccess = network.mode != 'closed' ? 'everyone' : empty(network.allowedAddresses) ? 'nobody' : 'allowed'
var dataAccess = network.mode == 'firewall' ? 'allowed' : hostAccess
var serviceEndpointSubnetId = network.mode == 'firewall' ? appSubnetId : ''

module host 'storageAccount.bicep' = {
  params: {
    name: storageNameOf('host', place)
    location: place.location
    tags: tags
    redundancy: redundancy
    hierarchicalNamespace: false
    access: hostAccess
    allowedAddresses: network.allowedAddresses
    // A package that was replaced is kept by the pipeline, not here.
    softDeleteDays: null
    containers: [packageContainer]
  }
}

module data 'storageAccount.bicep' = {
  params: {
    name: storageNameOf('data', place)
    location: place.location
    tags: tags
    redundancy: redundancy
    hierarchicalNamespace: false
    access: dataAccess
    allowedAddresses: network.allowedAddresses
    allowedSubnetId: serviceEndpointSubnetId
    softDeleteDays: retention.softDeleteDays
    containers: concat(dataContainers, hasTopic ? [deadLetterContainer] : [])
    queues: concat(workQueues, map(workQueues, queue => '${queue}-poison'))
    tables: tables
    lifecycle: concat(hasTopic ? [{ prefix: '${deadLetterContainer}/', deleteAfterDays: 30 }] : [], [
      // Made again when it is missing: what weather services said of a place.
      { prefix: 'weather-cache/', deleteAfterDays: 400 }
      // The service itself ends an insight with its job; this takes what no job knows. An insight is written at most
      // seven days before its job ends (the most that DEPENDENCY_PATIENCE_HOURS takes), so no job loses one by this rule.
      { prefix: 'insights/', deleteAfterDays: retention.jobDays + 14 }
    ])
  }
}

module imagery 'storageAccount.bicep' = {
  params: {
    name: storageNameOf('img', place)
    location: place.location
    tags: tags
    redundancy: redundancy
    hierarchicalNamespace: true
    access: network.imagery
    allowedAddresses: network.allowedAddresses
    allowedSubnetId: network.imagery == 'everyone' ? '' : serviceEndpointSubnetId
    readingOrigins: readingOrigins
    softDeleteDays: retention.softDeleteDays
    containers: [imageryContainer]
    // They stay hot: files of a few kB cost more to move to a cooler tier, and to read from it, than they save.
    // The service itself ends a day with its record and its link in the index; this takes what no record knows.
    lifecycle: [{ prefix: '${imageryContainer}/', deleteAfterDays: retention.imageryDays + 14 }]
  }
}

@description('Names of the accounts, once everything in them exists.')
output names Accounts = {
  host: host.outputs.name
  data: data.outputs.name
  imagery: imagery.outputs.name
}

@description('Addresses of the data account.')
output data Services = data.outputs.services

@description('Addresses of the imagery account.')
output imagery Services = imagery.outputs.services

@description('Who gets as far as the data, and the exports of it.')
output dataAccess Access = dataAccess

@description('Subnet that the data lets in through its service endpoint; empty for none.')
output dataSubnetId string = serviceEndpointSubnetId

@description('Container of the host account in which the deployed package lies.')
output packageUri string = '${host.outputs.services.blob}/${packageContainer}'
