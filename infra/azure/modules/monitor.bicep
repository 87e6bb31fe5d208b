// Log Analytics, Application Insights on it, and the page on which operators see how the service does. Only Entra
// identities may write or read: no instrumentation key works.

import { nameOf, Place, Tags } from 'naming.bicep'

@description('Where this deployment stands.')
param place Place

@description('Tags of the resources.')
param tags Tags

@description('Days for which logs are kept and can be searched.')
@minValue(30)
@maxValue(730)
param retentionDays int

@description('Gigabytes a day after which the workspace takes no more; -1 for no limit.')
param dailyCapGb int

resource workspace 'Microsoft.OperationalInsights/workspaces@2025-02-01' = {
  name: nameOf('log', place)
  location: place.location
  tags: tags
  properties: {
    sku: {
      name: 'PerGB2018'
    }
    retentionInDays: retentionDays
    workspaceCapping: {
      dailyQuotaGb: dailyCapGb
    }
    features: {
      disableLocalAuth: true
      enableLogAccessUsingOnlyResourcePermissions: true
    }
  }
}

resource component 'Microsoft.Insights/components@2020-02-02' = {
  name: nameOf('appi', place)
  location: place.location
  tags: tags
  kind: 'web'
  properties: {
    Application_Type: 'web'
    WorkspaceResourceId: workspace.id
    IngestionMode: 'LogAnalytics'
    DisableLocalAuth: true
  }
}

resource workbook 'Microsoft.Insights/workbooks@2023-06-01' = {
  name: guid(resourceGroup().id, 'operations')
  location: place.location
  tags: tags
  kind: 'shared'
  properties: {
    displayName: '${place.workload}-${place.environment} operations'
    category: 'workbook'
    version: 'Notebook/1.0'
    sourceId: workspace.id
    serializedData: loadTextContent('../operations.workbook.json')
  }
}

@description('Resource id of the workspace.')
output workspaceId string = workspace.id

@description('Name of the Application Insights component.')
output componentName string = component.name

@description('Resource id of the Application Insights component.')
output componentId string = component.id
