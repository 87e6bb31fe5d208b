// Secrets of the service: the pepper of the API keys and the keys of weather and imagery providers.

import { Tags } from 'naming.bicep'
import { Access } from 'storageAccount.bicep'

@description('Name of the vault: at most 24 characters.')
param name string

@description('Azure region.')
param location string

@description('Tags of the vault.')
param tags Tags

@description('Who gets as far as the vault over the internet.')
param access Access

@description('Addresses or ranges (CIDR) that `allowedAddresses` lets in.')
param allowedAddresses string[]

resource vault 'Microsoft.KeyVault/vaults@2025-05-01' = {
  name: name
  location: location
  tags: tags
  properties: {
    tenantId: tenant().tenantId
    sku: {
      family: 'A'
      name: 'standard'
    }
    enableRbacAuthorization: true
    enableSoftDelete: true
    softDeleteRetentionInDays: 90
    // Cannot be undone: a lost pepper makes every API key useless.
    enablePurgeProtection: true
    publicNetworkAccess: access == 'nobody' ? 'Disabled' : 'Enabled'
    networkAcls: {
      bypass: 'AzureServices'
      defaultAction: access == 'everyone' ? 'Allow' : 'Deny'
      ipRules: [
        for address in allowedAddresses: {
          value: address
        }
      ]
    }
  }
}

@description('Name of the vault.')
output name string = vault.name

@description('Resource id of the vault.')
output id string = vault.id

@description('Address of the vault, with a slash at the end.')
output uri string = vault.properties.vaultUri
