// What tells operators how the service does: logs of the platform, alerts, budget and workbook. Wiring only.

import { Place, nameOf, Tags } from 'naming.bicep'
import { AlertTargets } from 'parameters.bicep'

@description('Where this deployment stands.')
param place Place

@description('Tags of the resources.')
param tags Tags

@description('Who is told, and from when on.')
param targets AlertTargets

@description('Resource id of the workspace.')
param workspaceId string

@description('Resource id of the Application Insights component.')
param componentId string

@description('Name of the host account.')
param hostAccountName string

@description('Name of the data account.')
param dataAccountName string

@description('Name of the imagery account.')
param imageryAccountName string

@description('Name of the vault.')
param vaultName string

@description('Name of the function app.')
param siteName string

var alertPrefix = '${place.workload}-${place.environment}'

module diagnostics 'diagnostics.bicep' = {
  params: {
    workspaceId: workspaceId
    storageAccountNames: [hostAccountName, dataAccountName, imageryAccountName]
    blobLogs: targets.blobLogs
    vaultName: vaultName
    siteName: siteName
  }
}

module alerts 'alerts.bicep' = {
  params: {
    actionGroupName: nameOf('ag', place)
    namePrefix: alertPrefix
    location: place.location
    tags: tags
    emails: targets.emails
    workspaceId: workspaceId
  }
}

module customerAlerts 'customerAlerts.bicep' = {
  params: {
    namePrefix: alertPrefix
    location: place.location
    tags: tags
    workspaceId: workspaceId
    actionGroupId: alerts.outputs.actionGroupId
  }
}

module metricAlerts 'metricAlerts.bicep' = {
  params: {
    namePrefix: alertPrefix
    location: place.location
    tags: tags
    actionGroupId: alerts.outputs.actionGroupId
    vaultName: vaultName
    storageAccountNames: [dataAccountName, imageryAccountName]
    componentId: componentId
    siteName: siteName
  }
}

module budget 'budget.bicep' = {
  params: {
    name: nameOf('budget', place)
    monthlyAmount: targets.monthlyBudget
    startDate: targets.budgetStart
    emails: targets.emails
  }
}

module workbook 'workbook.bicep' = {
  params: {
    title: '${alertPrefix} operations'
    location: place.location
    tags: tags
    workspaceId: workspaceId
  }
}
