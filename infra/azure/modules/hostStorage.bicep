// What the platform itself needs: its locks, its keys and the package that runs.

import { Tags } from 'naming.bicep'
import { Access, Redundancy, Services } from 'storageAccount.bicep'

@description('Name of the account.')
param name string

@description('Azure region.')
param location string

@description('Tags of the account.')
param tags Tags

@description('How often the data is kept.')
param redundancy Redundancy

@description('Who gets as far as the account over the internet.')
param access Access

@description('Addresses or ranges (CIDR) that `allowedAddresses` lets in.')
param allowedAddresses string[]

var packageContainer = 'app-package'

module account 'storageAccount.bicep' = {
  params: {
    name: name
    location: location
    tags: tags
    redundancy: redundancy
    hierarchicalNamespace: false
    access: access
    allowedAddresses: allowedAddresses
    // A package that was replaced is kept by the pipeline, not here.
    softDeleteDays: null
    containers: [packageContainer]
  }
}

@description('Name of the account.')
output name string = account.outputs.name

@description('Resource id of the account.')
output id string = account.outputs.id

@description('Addresses of its services.')
output services Services = account.outputs.services

@description('Container in which the deployed package lies.')
output packageUri string = '${account.outputs.services.blob}/${packageContainer}'
