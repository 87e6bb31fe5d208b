// Rights on one table.

import { Grant } from 'containerRoles.bicep'

@export()
@description('Tables by what the app may do.')
type TablesByRight = {
  @description('Those that it writes.')
  written: string[]

  @description('Those that it only reads.')
  readOnly: string[]
}

@description('Name of the storage account.')
param accountName string

@description('Name of the table.')
param tableName string

@description('The rights.')
param grants Grant[]

resource account 'Microsoft.Storage/storageAccounts@2025-01-01' existing = {
  name: accountName
}

resource tableService 'Microsoft.Storage/storageAccounts/tableServices@2025-01-01' existing = {
  parent: account
  name: 'default'
}

resource table 'Microsoft.Storage/storageAccounts/tableServices/tables@2025-01-01' existing = {
  parent: tableService
  name: tableName
}

resource assignments 'Microsoft.Authorization/roleAssignments@2022-04-01' = [
  for grant in filter(grants, row => !empty(row.who.id)): {
    name: guid(table.id, grant.who.id, grant.role)
    scope: table
    properties: {
      principalId: grant.who.id
      principalType: grant.who.type
      roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', grant.role)
    }
  }
]
