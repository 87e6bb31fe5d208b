// Everything the service keeps: tables, queues and inputs in one account, images for customers in another. The names
// are those of shared/storage/names.ts, by test.

import { Tags } from 'naming.bicep'
import { Access, Redundancy, Services } from 'storageAccount.bicep'
import { TablesByRight } from 'tableRoles.bicep'

@description('Name of the account with tables, queues, inputs and insights.')
param dataName string

@description('Name of the account with the images.')
param imageryName string

@description('Azure region.')
param location string

@description('Tags of the accounts.')
param tags Tags

@description('How often the data is kept.')
param redundancy Redundancy

@description('Who gets as far as the data account over the internet.')
param dataAccess Access

@description('Who gets as far as the imagery account over the internet: customers download from it with their SAS.')
param imageryAccess Access

@description('Addresses or ranges (CIDR) that `allowedAddresses` lets in.')
param allowedAddresses string[]

@description('Origins whose pages may read images with a SAS: those of the console.')
param readingOrigins string[]

@description('Days for which a deleted blob or container can be brought back.')
@minValue(1)
@maxValue(365)
param softDeleteDays int

@description('Days after its end at which the service deletes a job with its insight.')
@minValue(1)
param jobRetentionDays int

@description('Days after it was made at which the service deletes an image.')
@minValue(31)
param imageryRetentionDays int

var tables = [
  'work'
  'enrollments'
  'fields'
  'fieldDates'
  'customers'
  'limits'
  'tenants'
  'interest'
  'scenes'
  'feed'
  'farmParties'
  'farmFarms'
  'farmFields'
  'farmInsights'
]
// Operators alone change it: an app that is taken over must not be able to add itself a tenant.
var readOnlyTables = ['tenants']
var workQueues = [
  'jobs-gdd'
  'jobs-boundary'
  'ingest'
  'discovery'
  'imagery-live'
  'imagery-late'
]
var poisonQueues = map(workQueues, queue => '${queue}-poison')
var dataContainers = ['enrollment-inputs', 'insights', 'weather-cache', 'backups', 'farm-data']
var imageryContainer = 'imagery'

module data 'storageAccount.bicep' = {
  params: {
    name: dataName
    location: location
    tags: tags
    redundancy: redundancy
    hierarchicalNamespace: false
    access: dataAccess
    allowedAddresses: allowedAddresses
    softDeleteDays: softDeleteDays
    containers: dataContainers
    queues: concat(workQueues, poisonQueues)
    tables: tables
  }
}

module imagery 'storageAccount.bicep' = {
  params: {
    name: imageryName
    location: location
    tags: tags
    redundancy: redundancy
    hierarchicalNamespace: true
    access: imageryAccess
    allowedAddresses: allowedAddresses
    readingOrigins: readingOrigins
    softDeleteDays: softDeleteDays
    containers: [imageryContainer]
  }
}

module dataLifecycle 'lifecycle.bicep' = {
  params: {
    accountName: data.outputs.name
    rules: [
      // Made again when it is missing: what weather services said of a place.
      { name: 'weather-cache', prefix: 'weather-cache/', deleteAfterDays: 400 }
      // The tables of every night.
      { name: 'backups', prefix: 'backups/', deleteAfterDays: 35 }
      // The service itself ends an insight with its job; this takes what no job knows. An insight is written at most
      // seven days before its job ends (the most that DEPENDENCY_PATIENCE_HOURS takes), so no job loses one by this rule.
      { name: 'insights', prefix: 'insights/', deleteAfterDays: jobRetentionDays + 14 }
    ]
  }
}

module imageryLifecycle 'lifecycle.bicep' = {
  params: {
    accountName: imagery.outputs.name
    rules: [
      // They stay hot: files of a few kB cost more to move to a cooler tier, and to read from it, than they save.
      // The service itself ends a day with its record and its link in the index; this takes what no record knows.
      { name: 'imagery', prefix: '${imageryContainer}/', deleteAfterDays: imageryRetentionDays + 14 }
    ]
  }
}

@description('Name of the data account.')
output dataName string = data.outputs.name

@description('Resource id of the data account.')
output dataId string = data.outputs.id

@description('Addresses of the data account.')
output services Services = data.outputs.services

@description('Tables of the data account, by what the app may do.')
output tables TablesByRight = {
  written: filter(tables, table => !contains(readOnlyTables, table))
  readOnly: readOnlyTables
}

@description('Containers of the data account.')
output containers string[] = dataContainers

@description('Name of the imagery account.')
output imageryName string = imagery.outputs.name

@description('Resource id of the imagery account.')
output imageryId string = imagery.outputs.id

@description('Addresses of the imagery account.')
output imageryServices Services = imagery.outputs.services

@description('Container of the imagery account.')
output imageryContainer string = imageryContainer
