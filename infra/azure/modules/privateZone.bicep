// A private DNS zone in which the names of private endpoints stand, for one network.

import { Tags } from 'naming.bicep'

@description('Name of the zone.')
param name string

@description('Tags of the resources.')
param tags Tags

@description('Resource id of the network that asks this zone.')
param networkId string

resource zone 'Microsoft.Network/privateDnsZones@2024-06-01' = {
  name: name
  location: 'global'
  tags: tags
}

resource link 'Microsoft.Network/privateDnsZones/virtualNetworkLinks@2024-06-01' = {
  parent: zone
  name: 'app-network'
  location: 'global'
  tags: tags
  properties: {
    registrationEnabled: false
    // A name that this zone does not know is asked of the internet: the vault or data manager of a tenant that has a
    // private endpoint of its own, in its own network, must still resolve.
    resolutionPolicy: 'NxDomainRedirect'
    virtualNetwork: {
      id: networkId
    }
  }
}
