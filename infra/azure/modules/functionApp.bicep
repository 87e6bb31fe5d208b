// The Flex Consumption plan and the function app on it.

import { nameOf, Place, Tags, uniqueNameOf } from 'naming.bicep'

@export()
@description('How far the app may grow, and what is kept warm.')
type Scale = {
  @description('True to spread instances over three zones.')
  zoneRedundant: bool

  @description('Most instances at a time; the platform wants 40 or more.')
  @minValue(40)
  @maxValue(1000)
  maximumInstances: int

  @description('Instances that answer HTTP without a cold start; with zones, at least 2.')
  @minValue(0)
  alwaysReadyHttp: int
}

@description('Where this deployment stands.')
param place Place

@description('Tags of the resources.')
param tags Tags

@description('How far the app may grow.')
param scale Scale

@description('Resource id of the identity that the app runs as.')
param identityId string

@description('Resource id of the identity that mints SAS.')
param sasIdentityId string

@description('Container of the host account in which the package lies.')
param packageUri string

@description('Subnet through which the app reaches what is private; null without a network.')
param subnetId string?

resource plan 'Microsoft.Web/serverfarms@2025-03-01' = {
  name: nameOf('asp', place)
  location: place.location
  tags: tags
  kind: 'functionapp'
  sku: {
    name: 'FC1'
    tier: 'FlexConsumption'
  }
  properties: {
    reserved: true
    zoneRedundant: scale.zoneRedundant
  }
}

resource site 'Microsoft.Web/sites@2025-03-01' = {
  name: uniqueNameOf('func', place)
  location: place.location
  tags: tags
  kind: 'functionapp,linux'
  identity: {
    type: 'UserAssigned'
    userAssignedIdentities: {
      '${identityId}': {}
      '${sasIdentityId}': {}
    }
  }
  properties: {
    serverFarmId: plan.id
    httpsOnly: true
    keyVaultReferenceIdentity: identityId
    virtualNetworkSubnetId: subnetId
    siteConfig: {
      minTlsVersion: '1.2'
      scmMinTlsVersion: '1.2'
      ftpsState: 'Disabled'
      http20Enabled: true
      alwaysOn: false
    }
    functionAppConfig: {
      runtime: {
        name: 'node'
        version: '22'
      }
      deployment: {
        storage: {
          type: 'blobContainer'
          value: packageUri
          authentication: {
            type: 'UserAssignedIdentity'
            userAssignedIdentityResourceId: identityId
          }
        }
      }
      scaleAndConcurrency: {
        // Rendering and prediction need it; the size is the app's, not a function's.
        instanceMemoryMB: 4096
        maximumInstanceCount: scale.maximumInstances
        alwaysReady: scale.alwaysReadyHttp == 0 ? [] : [{ name: 'http', instanceCount: scale.alwaysReadyHttp }]
        triggers: {
          http: {
            // The host buffers uploads, about 300 MB for one of 50 MB: eight of them fit.
            perInstanceConcurrency: 8
          }
        }
      }
    }
  }
}

// Nobody deploys by user name and password.
resource ftpLogin 'Microsoft.Web/sites/basicPublishingCredentialsPolicies@2025-03-01' = {
  parent: site
  name: 'ftp'
  properties: {
    allow: false
  }
}

resource scmLogin 'Microsoft.Web/sites/basicPublishingCredentialsPolicies@2025-03-01' = {
  parent: site
  name: 'scm'
  properties: {
    allow: false
  }
}

@description('Name of the app.')
output name string = site.name

@description('Resource id of the app.')
output id string = site.id

@description('Host name of the app.')
output hostName string = site.properties.defaultHostName
