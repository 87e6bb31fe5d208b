// Who is told, and the alerts on how the service does. docs/operations.md says what to do about each, by test.

import { Tags } from 'naming.bicep'

@description('Name of the action group.')
param actionGroupName string

@description('Beginning of the names of the alerts.')
param namePrefix string

@description('Azure region.')
param location string

@description('Tags of the resources.')
param tags Tags

@description('E-mail addresses that are told.')
param emails string[]

@description('Resource id of the workspace.')
param workspaceId string

// Without a comparison an alert strikes above its threshold.
var rules = [
  {
    name: 'server-errors'
    meaning: 'More than 5 % of the requests end with a fault of the service.'
    query: loadTextContent('../queries/serverErrors.kql')
    column: 'failedPercent'
    threshold: 5
    severity: 1
    window: 'PT10M'
  }
  {
    name: 'slow-requests'
    meaning: 'A twentieth of the requests takes longer than 2 s.'
    query: loadTextContent('../queries/slowRequests.kql')
    column: 'slowPercent'
    threshold: 5
    severity: 2
    window: 'PT15M'
  }
  {
    name: 'poison-messages'
    meaning: 'Messages came to a poison queue, or were unreadable.'
    query: loadTextContent('../queries/poisonMessages.kql')
    column: 'messages'
    threshold: 0
    severity: 2
    window: 'PT5M'
  }
  {
    name: 'old-messages'
    meaning: 'Messages wait in their queues longer than 10 minutes on average.'
    query: loadTextContent('../queries/oldMessages.kql')
    column: 'meanSeconds'
    threshold: 600
    severity: 2
    window: 'PT15M'
  }
  {
    name: 'overdue-jobs'
    meaning: 'Sweepers send more than 50 pieces of work again within 15 minutes: workers do not take them, or die.'
    query: loadTextContent('../queries/overdueJobs.kql')
    column: 'overdue'
    threshold: 50
    severity: 2
    window: 'PT15M'
  }
  {
    name: 'no-sweep'
    meaning: 'No sweep for 10 minutes.'
    query: loadTextContent('../queries/noSweep.kql')
    column: 'sweeps'
    comparison: 'LessThan'
    threshold: 1
    severity: 1
    window: 'PT10M'
  }
  {
    name: 'no-daily-run'
    meaning: 'One of the duties of a day or an hour has not been done for 26 hours.'
    query: loadTextContent('../queries/noDailyRun.kql')
    column: 'runs'
    comparison: 'LessThan'
    threshold: 1
    severity: 2
    window: 'P2D'
  }
  {
    name: 'timer-failures'
    meaning: 'The timer, or duties, fail again and again: more than 10 times in 15 minutes.'
    query: loadTextContent('../queries/timerFailures.kql')
    column: 'failures'
    threshold: 10
    severity: 2
    window: 'PT15M'
  }
  {
    name: 'canary'
    meaning: 'The canary has not had a good round for an hour.'
    query: loadTextContent('../queries/canary.kql')
    column: 'rounds'
    comparison: 'LessThan'
    threshold: 1
    severity: 1
    window: 'PT1H'
  }
  {
    name: 'daily-cap'
    meaning: 'The workspace takes no more logs today: every other alert on logs is blind until midnight.'
    query: loadTextContent('../queries/dailyCap.kql')
    column: 'notes'
    threshold: 0
    severity: 2
    window: 'PT1H'
  }
]

resource actionGroup 'Microsoft.Insights/actionGroups@2023-01-01' = {
  name: actionGroupName
  location: 'global'
  tags: tags
  properties: {
    groupShortName: 'operators'
    enabled: true
    emailReceivers: [
      for email in emails: {
        name: email
        emailAddress: email
        useCommonAlertSchema: true
      }
    ]
  }
}

module alerts 'logAlerts.bicep' = {
  params: {
    namePrefix: namePrefix
    location: location
    tags: tags
    workspaceId: workspaceId
    actionGroupId: actionGroup.id
    rules: rules
  }
}

@description('Resource id of the action group.')
output actionGroupId string = actionGroup.id
