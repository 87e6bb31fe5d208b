// Alerts on what Azure measures: refused secrets, throttled storage, an app that does not answer.

import { Tags } from 'naming.bicep'

@description('Beginning of the names of the alerts.')
param namePrefix string

@description('Azure region of the availability test.')
param location string

@description('Tags of the resources.')
param tags Tags

@description('Resource id of the action group.')
param actionGroupId string

@description('Name of the vault.')
param vaultName string

@description('Names of the storage accounts that are watched.')
param storageAccountNames string[]

@description('Resource id of the Application Insights component.')
param componentId string

@description('Name of the function app.')
param siteName string

resource vault 'Microsoft.KeyVault/vaults@2025-05-01' existing = {
  name: vaultName
}

resource site 'Microsoft.Web/sites@2025-03-01' existing = {
  name: siteName
}

resource vaultDenied 'Microsoft.Insights/metricAlerts@2018-03-01' = {
  name: '${namePrefix}-vault-denied'
  location: 'global'
  tags: tags
  properties: {
    description: 'The vault refuses to give a secret.'
    severity: 1
    enabled: true
    scopes: [vault.id]
    evaluationFrequency: 'PT5M'
    windowSize: 'PT5M'
    autoMitigate: true
    criteria: {
      'odata.type': 'Microsoft.Azure.Monitor.SingleResourceMultipleMetricCriteria'
      allOf: [
        {
          name: 'denied'
          criterionType: 'StaticThresholdCriterion'
          metricNamespace: 'Microsoft.KeyVault/vaults'
          metricName: 'ServiceApiResult'
          dimensions: [
            { name: 'StatusCode', operator: 'Include', values: ['403'] }
          ]
          timeAggregation: 'Count'
          operator: 'GreaterThan'
          threshold: 0
        }
      ]
    }
    actions: [
      { actionGroupId: actionGroupId }
    ]
  }
}

resource storageThrottled 'Microsoft.Insights/metricAlerts@2018-03-01' = [
  for accountName in storageAccountNames: {
    name: '${namePrefix}-storage-throttled-${accountName}'
    location: 'global'
    tags: tags
    properties: {
      description: 'The account answers that it is busy, or throttles the service.'
      severity: 2
      enabled: true
      scopes: [resourceId('Microsoft.Storage/storageAccounts', accountName)]
      evaluationFrequency: 'PT5M'
      windowSize: 'PT5M'
      autoMitigate: true
      criteria: {
        'odata.type': 'Microsoft.Azure.Monitor.SingleResourceMultipleMetricCriteria'
        allOf: [
          {
            name: 'throttled'
            criterionType: 'StaticThresholdCriterion'
            metricNamespace: 'Microsoft.Storage/storageAccounts'
            metricName: 'Transactions'
            dimensions: [
              {
                name: 'ResponseType'
                operator: 'Include'
                values: [
                  'ClientAccountRequestThrottlingError'
                  'ClientThrottlingError'
                  'ServerBusyError'
                  'ServerTimeoutError'
                ]
              }
            ]
            timeAggregation: 'Total'
            operator: 'GreaterThan'
            threshold: 20
          }
        ]
      }
      actions: [
        { actionGroupId: actionGroupId }
      ]
    }
  }
]

resource availabilityTest 'Microsoft.Insights/webtests@2022-06-15' = {
  name: '${namePrefix}-health'
  location: location
  // The portal shows the test with the component that this tag names.
  tags: union(tags, { 'hidden-link:${componentId}': 'Resource' })
  kind: 'standard'
  properties: {
    SyntheticMonitorId: '${namePrefix}-health'
    Name: '${namePrefix}-health'
    Description: 'Asks the health route from three places every five minutes.'
    Kind: 'standard'
    Enabled: true
    Frequency: 300
    Timeout: 30
    RetryEnabled: true
    Locations: [
      { Id: 'emea-nl-ams-azr' }
      { Id: 'emea-gb-db3-azr' }
      { Id: 'us-va-ash-azr' }
    ]
    Request: {
      RequestUrl: 'https://${site.properties.defaultHostName}/health'
      HttpVerb: 'GET'
      ParseDependentRequests: false
    }
    ValidationRules: {
      ExpectedHttpStatusCode: 200
      SSLCheck: true
      SSLCertRemainingLifetimeCheck: 7
    }
  }
}

resource unavailable 'Microsoft.Insights/metricAlerts@2018-03-01' = {
  name: '${namePrefix}-unavailable'
  location: 'global'
  tags: tags
  properties: {
    description: 'The health route does not answer, asked from two of three places.'
    severity: 0
    enabled: true
    scopes: [availabilityTest.id, componentId]
    evaluationFrequency: 'PT1M'
    windowSize: 'PT5M'
    autoMitigate: true
    criteria: {
      'odata.type': 'Microsoft.Azure.Monitor.WebtestLocationAvailabilityCriteria'
      webTestId: availabilityTest.id
      componentId: componentId
      failedLocationCount: 2
    }
    actions: [
      { actionGroupId: actionGroupId }
    ]
  }
}
