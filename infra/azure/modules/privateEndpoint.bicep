// One private endpoint, with its name in the private zone.

import { Tags } from 'naming.bicep'

@description('Name of the endpoint.')
param name string

@description('Azure region.')
param location string

@description('Tags of the resources.')
param tags Tags

@description('Subnet in which the endpoint gets an address.')
param subnetId string

@description('Resource id of the account or vault that it leads to.')
param targetId string

@description('Part of it: blob, queue, table, dfs or vault.')
param part string

@description('Private zone that holds the name.')
param zoneName string

resource zone 'Microsoft.Network/privateDnsZones@2024-06-01' existing = {
  name: zoneName
}

resource endpoint 'Microsoft.Network/privateEndpoints@2025-05-01' = {
  name: name
  location: location
  tags: tags
  properties: {
    subnet: {
      id: subnetId
    }
    privateLinkServiceConnections: [
      {
        name: name
        properties: {
          privateLinkServiceId: targetId
          groupIds: [part]
        }
      }
    ]
  }
}

resource zoneGroup 'Microsoft.Network/privateEndpoints/privateDnsZoneGroups@2025-05-01' = {
  parent: endpoint
  name: 'default'
  properties: {
    privateDnsZoneConfigs: [
      {
        name: part
        properties: {
          privateDnsZoneId: zone.id
        }
      }
    ]
  }
}
