// Alerts by queries on the workspace, one for each row of a table.

import { Tags } from 'naming.bicep'

@description('One alert.')
type Rule = {
  @description('Name of the alert, behind the prefix.')
  name: string

  @description('What it tells.')
  meaning: string

  @description('The query; its last line makes the column.')
  query: string

  @description('The column that is compared.')
  column: string

  @description('How it is compared; above the threshold unless given.')
  comparison: ('GreaterThan' | 'LessThan')?

  @description('With what it is compared.')
  threshold: int

  @description('0 for what cannot wait, 4 for what can.')
  severity: 0 | 1 | 2 | 3 | 4

  @description('The time that the query looks at, ISO 8601.')
  window: 'PT5M' | 'PT10M' | 'PT15M' | 'PT30M' | 'PT1H' | 'PT2H' | 'P2D'
}

@description('Beginning of the names of the alerts.')
param namePrefix string

@description('Azure region.')
param location string

@description('Tags of the resources.')
param tags Tags

@description('Resource id of the workspace.')
param workspaceId string

@description('Resource id of the action group.')
param actionGroupId string

@description('The alerts.')
param rules Rule[]

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
        actionGroups: [actionGroupId]
      }
    }
  }
]
