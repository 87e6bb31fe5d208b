// Rights on one container.

@export()
@description('One right: who may do what.')
type Grant = {
  @description('Who gets it.')
  who: {
    @description('Object id; a grant to nobody (empty) is left out.')
    id: string

    @description('What kind of principal it is.')
    type: 'ServicePrincipal' | 'Group'
  }

  @description('GUID of the built-in role.')
  role: string
}

@description('Name of the storage account.')
param accountName string

@description('Name of the container.')
param containerName string

@description('The rights.')
param grants Grant[]

resource account 'Microsoft.Storage/storageAccounts@2025-01-01' existing = {
  name: accountName
}

resource blobService 'Microsoft.Storage/storageAccounts/blobServices@2025-01-01' existing = {
  parent: account
  name: 'default'
}

resource container 'Microsoft.Storage/storageAccounts/blobServices/containers@2025-01-01' existing = {
  parent: blobService
  name: containerName
}

resource assignments 'Microsoft.Authorization/roleAssignments@2022-04-01' = [
  for grant in filter(grants, row => !empty(row.who.id)): {
    name: guid(container.id, grant.who.id, grant.role)
    scope: container
    properties: {
      principalId: grant.who.id
      principalType: grant.who.type
      roleDefinitionId: subscriptionResourceId('Microsoft.Authorization/roleDefinitions', grant.role)
    }
  }
]
