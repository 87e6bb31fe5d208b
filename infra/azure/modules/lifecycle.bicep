// When blobs go.

@export()
@description('What happens to the blobs under one prefix as they get older. Days count from the last write.')
type LifecycleRule = {
  @description('Name of the rule.')
  name: string

  @description('Container, a slash, and the beginning of the path.')
  prefix: string

  @description('Days after which a blob is deleted.')
  @minValue(1)
  deleteAfterDays: int
}

@description('Name of the storage account.')
param accountName string

@description('The rules; an account has one policy, and it holds them all.')
param rules LifecycleRule[]

resource account 'Microsoft.Storage/storageAccounts@2025-01-01' existing = {
  name: accountName
}

resource policy 'Microsoft.Storage/storageAccounts/managementPolicies@2025-01-01' = {
  parent: account
  name: 'default'
  properties: {
    policy: {
      rules: [
        for rule in rules: {
          name: rule.name
          enabled: true
          type: 'Lifecycle'
          definition: {
            filters: {
              blobTypes: ['blockBlob']
              prefixMatch: [rule.prefix]
            }
            actions: {
              baseBlob: {
                delete: { daysAfterModificationGreaterThan: rule.deleteAfterDays }
              }
            }
          }
        }
      ]
    }
  }
}
