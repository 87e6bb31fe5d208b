// Who is told, and the alerts on what the service logs. docs/operations.md says what to do about each, by test.

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
    name: 'failed-attempts'
    meaning: 'More than 20 % of the attempts at jobs fail.'
    query: loadTextContent('../queries/failedAttempts.kql')
    column: 'failedPercent'
    threshold: 20
    severity: 2
    window: 'PT30M'
  }
  {
    name: 'failed-jobs'
    meaning: 'More than 10 % of the jobs end as FAILED.'
    query: loadTextContent('../queries/failedJobs.kql')
    column: 'failedPercent'
    threshold: 10
    severity: 1
    window: 'PT1H'
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
    name: 'lost-enrollments'
    meaning: 'An enrollment was given up: its customer has to submit it again.'
    query: loadTextContent('../queries/lostEnrollments.kql')
    column: 'enrollments'
    threshold: 0
    severity: 2
    window: 'PT15M'
  }
  {
    name: 'staying-failures'
    meaning: 'Images of fields stay failed: for days, or for good.'
    query: loadTextContent('../queries/stayingFailures.kql')
    column: 'fieldDates'
    threshold: 0
    severity: 3
    window: 'PT1H'
  }
  {
    name: 'old-jobs'
    meaning: 'A twentieth of the jobs waits and works longer than 15 minutes.'
    query: loadTextContent('../queries/oldJobs.kql')
    column: 'slowPercent'
    threshold: 5
    severity: 2
    window: 'PT30M'
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
    meaning: 'One of the daily runs has not been for 26 hours.'
    query: loadTextContent('../queries/noDailyRun.kql')
    column: 'runs'
    comparison: 'LessThan'
    threshold: 1
    severity: 2
    window: 'P2D'
  }
  {
    name: 'timer-failures'
    meaning: 'Timers fail again and again: more than 3 times in 15 minutes.'
    query: loadTextContent('../queries/timerFailures.kql')
    column: 'failures'
    threshold: 3
    severity: 2
    window: 'PT15M'
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

resource alerts 'Microsoft.Insights/scheduledQueryRules@2023-12-01' = [
  for rule in rules: {
    name: '${namePrefix}-${rule.name}'
    location: location
    tags: tags
    kind: 'LogAlert'
    properties: {
      displayName: '${namePrefix}-${rule.name}'
      description: rule.meaning
      enabled: true
      severity: rule.severity
      scopes: [workspaceId]
      windowSize: rule.window
      // The platform wants an hour at least between looks at two days.
      evaluationFrequency: rule.window == 'P2D' ? 'PT1H' : 'PT5M'
      autoMitigate: true
      // A workspace without a line yet may not know the tables.
      skipQueryValidation: true
      criteria: {
        allOf: [
          {
            query: rule.query
            metricMeasureColumn: rule.column
            timeAggregation: 'Maximum'
            operator: rule.?comparison ?? 'GreaterThan'
            threshold: rule.threshold
            failingPeriods: {
              numberOfEvaluationPeriods: 1
              minFailingPeriodsToAlert: 1
            }
          }
        ]
      }
      actions: {
        actionGroups: [actionGroup.id]
      }
    }
  }
]

@description('Resource id of the action group.')
output actionGroupId string = actionGroup.id
