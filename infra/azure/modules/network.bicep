// A network of the app's own: it reaches storage and the vault through private endpoints in it.

import { Tags } from 'naming.bicep'

@description('Name of the network.')
param name string

@description('Azure region.')
param location string

@description('Tags of the resources.')
param tags Tags

@description('Address space; a /24 gives all subnets room.')
param addressPrefix string

@description('Resource id of the host account.')
param hostAccountId string

@description('Resource id of the data account.')
param dataAccountId string

@description('Resource id of the imagery account.')
param imageryAccountId string

@description('Resource id of the vault.')
param vaultId string

var storageSuffix = environment().suffixes.storage

// What a private endpoint can be for, and the zone in which its name then stands.
var zoneNames = {
  blob: 'privatelink.blob.${storageSuffix}'
  queue: 'privatelink.queue.${storageSuffix}'
  table: 'privatelink.table.${storageSuffix}'
  dfs: 'privatelink.dfs.${storageSuffix}'
  vault: 'privatelink${replace(environment().suffixes.keyvaultDns, '.vault.', '.vaultcore.')}'
}

var endpoints = [
  { name: 'host-blob', target: hostAccountId, part: 'blob' }
  { name: 'host-queue', target: hostAccountId, part: 'queue' }
  { name: 'host-table', target: hostAccountId, part: 'table' }
  { name: 'data-blob', target: dataAccountId, part: 'blob' }
  { name: 'data-queue', target: dataAccountId, part: 'queue' }
  { name: 'data-table', target: dataAccountId, part: 'table' }
  { name: 'imagery-blob', target: imageryAccountId, part: 'blob' }
  { name: 'imagery-dfs', target: imageryAccountId, part: 'dfs' }
  { name: 'vault', target: vaultId, part: 'vault' }
]

resource network 'Microsoft.Network/virtualNetworks@2025-05-01' = {
  name: name
  location: location
  tags: tags
  properties: {
    addressSpace: {
      addressPrefixes: [addressPrefix]
    }
    subnets: [
      {
        // The platform takes no name with an underscore, and no subnet that something else uses.
        name: 'app'
        properties: {
          addressPrefix: cidrSubnet(addressPrefix, 26, 0)
          delegations: [
            {
              name: 'flex-consumption'
              properties: {
                serviceName: 'Microsoft.App/environments'
              }
            }
          ]
        }
      }
      {
        name: 'endpoints'
        properties: {
          addressPrefix: cidrSubnet(addressPrefix, 26, 1)
          privateEndpointNetworkPolicies: 'Disabled'
        }
      }
      {
        // For the machine that deploys: what is closed is reached from here alone.
        name: 'runner'
        properties: {
          addressPrefix: cidrSubnet(addressPrefix, 26, 2)
        }
      }
    ]
  }
}

module zones 'privateZone.bicep' = [
  for zone in items(zoneNames): {
    params: {
      name: zone.value
      tags: tags
      networkId: network.id
    }
  }
]

// One after the other: an account takes one change of its endpoints at a time.
@batchSize(1)
module privateEndpoints 'privateEndpoint.bicep' = [
  for endpoint in endpoints: {
    params: {
      name: '${name}-${endpoint.name}'
      location: location
      tags: tags
      subnetId: '${network.id}/subnets/endpoints'
      targetId: endpoint.target
      part: endpoint.part
      zoneName: zoneNames[endpoint.part]
    }
    dependsOn: [zones]
  }
]

@description('Subnet for a runner of the pipeline.')
output runnerSubnetId string = '${network.id}/subnets/runner'

@description('Subnet of the app.')
output appSubnetId string = '${network.id}/subnets/app'
