// One storage account as all of ours are: no account keys, no public blobs, no old TLS. With what lies in it.

import { Tags } from 'naming.bicep'

@export()
@description('How often the data is kept: in one zone, or in three.')
type Redundancy = 'Standard_LRS' | 'Standard_ZRS'

@export()
@description('Who gets as far as the account over the internet; whether he may read is up to his roles or his SAS.')
type Access = 'everyone' | 'allowedAddresses' | 'nobody'

@export()
@description('Addresses of the services of an account, without a slash at the end.')
type Services = {
  @description('Blob service.')
  blob: string

  @description('Queue service.')
  queue: string

  @description('Table service.')
  table: string
}

@description('Name of the account: 3 to 24 lower-case letters and digits.')
param name string

@description('Azure region.')
param location string

@description('Tags of the account.')
param tags Tags

@description('How often the data is kept.')
param redundancy Redundancy

@description('True for a hierarchical namespace: without one, a SAS of a directory does not exist.')
param hierarchicalNamespace bool

@description('Who gets as far as the account over the internet.')
param access Access

@description('Addresses or ranges (CIDR) that `allowedAddresses` lets in.')
param allowedAddresses string[]

@description('Days for which a deleted blob or container can be brought back; null to delete at once.')
@minValue(1)
@maxValue(365)
param softDeleteDays int?

@description('Containers to create.')
param containers string[]

@description('Origins whose pages may read blobs with a SAS; empty for no rule.')
param readingOrigins string[] = []

@description('Queues to create.')
param queues string[] = []

@description('Tables to create.')
param tables string[] = []

var softDelete = { enabled: softDeleteDays != null, days: softDeleteDays }

resource account 'Microsoft.Storage/storageAccounts@2025-01-01' = {
  name: name
  location: location
  tags: tags
  kind: 'StorageV2'
  sku: {
    name: redundancy
  }
  properties: {
    accessTier: 'Hot'
    isHnsEnabled: hierarchicalNamespace
    allowSharedKeyAccess: false
    allowBlobPublicAccess: false
    allowCrossTenantReplication: false
    defaultToOAuthAuthentication: true
    minimumTlsVersion: 'TLS1_2'
    supportsHttpsTrafficOnly: true
    publicNetworkAccess: access == 'nobody' ? 'Disabled' : 'Enabled'
    networkAcls: {
      bypass: 'AzureServices'
      defaultAction: access == 'everyone' ? 'Allow' : 'Deny'
      ipRules: [
        for address in allowedAddresses: {
          value: address
          action: 'Allow'
        }
      ]
    }
    // Our SAS spans 8 h 15 min. Log, not Block: Block would refuse every SAS on the day the span grows.
    sasPolicy: {
      sasExpirationPeriod: '0.09:00:00'
      expirationAction: 'Log'
    }
    encryption: {
      keySource: 'Microsoft.Storage'
      requireInfrastructureEncryption: true
    }
  }
}

resource blobService 'Microsoft.Storage/storageAccounts/blobServices@2025-01-01' = {
  parent: account
  name: 'default'
  properties: {
    // A SAS is wanted all the same. Both ends of a range are named, so that no browser asks before it reads.
    cors: {
      corsRules: empty(readingOrigins)
        ? []
        : [
            {
              allowedOrigins: readingOrigins
              allowedMethods: ['GET', 'HEAD']
              allowedHeaders: ['range', 'x-ms-version']
              exposedHeaders: [
                'content-range'
                'content-length'
                'content-type'
                'etag'
                'last-modified'
                'accept-ranges'
                'x-ms-request-id'
                'x-ms-error-code'
              ]
              maxAgeInSeconds: 86400
            }
          ]
    }
    deleteRetentionPolicy: softDelete
    containerDeleteRetentionPolicy: softDelete
  }
}

resource blobContainers 'Microsoft.Storage/storageAccounts/blobServices/containers@2025-01-01' = [
  for container in containers: {
    parent: blobService
    name: container
    properties: {
      publicAccess: 'None'
    }
  }
]

resource queueService 'Microsoft.Storage/storageAccounts/queueServices@2025-01-01' = {
  parent: account
  name: 'default'
}

resource storageQueues 'Microsoft.Storage/storageAccounts/queueServices/queues@2025-01-01' = [
  for queue in queues: {
    parent: queueService
    name: queue
  }
]

resource tableService 'Microsoft.Storage/storageAccounts/tableServices@2025-01-01' = {
  parent: account
  name: 'default'
}

resource storageTables 'Microsoft.Storage/storageAccounts/tableServices/tables@2025-01-01' = [
  for table in tables: {
    parent: tableService
    name: table
  }
]

@description('Name of the account, once everything in it exists.')
output name string = account.name

@description('Resource id of the account.')
output id string = account.id

@description('Addresses of its services.')
output services Services = {
  blob: 'https://${name}.blob.${environment().suffixes.storage}'
  queue: 'https://${name}.queue.${environment().suffixes.storage}'
  table: 'https://${name}.table.${environment().suffixes.storage}'
}
