// The page on which operators see how the service does.

import { Tags } from 'naming.bicep'

@description('Title of the workbook.')
param title string

@description('Azure region.')
param location string

@description('Tags of the workbook.')
param tags Tags

@description('Resource id of the workspace that its queries ask.')
param workspaceId string

resource workbook 'Microsoft.Insights/workbooks@2023-06-01' = {
  name: guid(resourceGroup().id, title)
  location: location
  tags: tags
  kind: 'shared'
  properties: {
    displayName: title
    description: 'Requests, jobs, timers and queues of the service.'
    category: 'workbook'
    version: 'Notebook/1.0'
    sourceId: workspaceId
    serializedData: loadTextContent('../operations.workbook.json')
  }
}
