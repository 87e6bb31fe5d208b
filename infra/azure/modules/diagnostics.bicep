// What the platform logs about storage and the vault. Tables and queues send figures only: each request writes several
// rows, so their log would be larger than the data. The app itself logs through Application Insights.

@description('Resource id of the workspace.')
param workspaceId string

@description('Names of the storage accounts.')
param storageAccountNames string[]

@description('Categories of the blob log: StorageRead, StorageWrite, StorageDelete.')
param blobLogs string[]

@description('Name of the vault.')
param vaultName string

@description('Name of the function app.')
param siteName string

resource accounts 'Microsoft.Storage/storageAccounts@2025-01-01' existing = [
  for name in storageAccountNames: {
    name: name
  }
]

resource blobServices 'Microsoft.Storage/storageAccounts/blobServices@2025-01-01' existing = [
  for index in range(0, length(storageAccountNames)): {
    parent: accounts[index]
    name: 'default'
  }
]

resource vault 'Microsoft.KeyVault/vaults@2025-05-01' existing = {
  name: vaultName
}

resource site 'Microsoft.Web/sites@2025-03-01' existing = {
  name: siteName
}

resource accountDiagnostics 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = [
  for index in range(0, length(storageAccountNames)): {
    name: 'to-workspace'
    scope: accounts[index]
    properties: {
      workspaceId: workspaceId
      metrics: [
        { category: 'Transaction', enabled: true }
      ]
    }
  }
]

resource blobDiagnostics 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = [
  for index in range(0, length(storageAccountNames)): {
    name: 'to-workspace'
    scope: blobServices[index]
    properties: {
      workspaceId: workspaceId
      logs: [
        for category in blobLogs: {
          category: category
          enabled: true
        }
      ]
    }
  }
]

resource vaultDiagnostics 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = {
  name: 'to-workspace'
  scope: vault
  properties: {
    workspaceId: workspaceId
    logAnalyticsDestinationType: 'Dedicated'
    logs: [
      { category: 'AuditEvent', enabled: true }
    ]
    metrics: [
      { category: 'AllMetrics', enabled: true }
    ]
  }
}

resource siteDiagnostics 'Microsoft.Insights/diagnosticSettings@2021-05-01-preview' = {
  name: 'to-workspace'
  scope: site
  properties: {
    workspaceId: workspaceId
    metrics: [
      { category: 'AllMetrics', enabled: true }
    ]
  }
}
