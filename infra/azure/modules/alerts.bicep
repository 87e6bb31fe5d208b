// Who is told, and of what; docs/operations/alerts.md says what to do about each, by test. Every log alert is a row; rows
// that are looked at equally often share one rule, for the platform asks a price for each rule.

import { nameOf, Place, Tags } from 'naming.bicep'
import { AlertTargets } from 'parameters.bicep'

@description('One alert on logs.')
type Row = {
  @description('Name of the alert.')
  name: string

  @description('The query; it says itself how far it looks back.')
  query: string

  @description('What of its last line strikes, such as `faults > 5`.')
  strikes: string

  @description('Column whose value joins the name: each value fires, and ends, by itself.')
  each: string?
}

@description('Where this deployment stands.')
param place Place

@description('Tags of the resources.')
param tags Tags

@description('Who is told.')
param targets AlertTargets

@description('Resource id of the workspace.')
param workspaceId string

@description('Resource id of the Application Insights component.')
param componentId string

@description('Object id of the identity that the app runs as.')
param appPrincipalId string

@description('Address of the app.')
param url string

// Callers notice, or nothing is looked after any more.
var urgent = [
  { name: 'server-errors', query: loadTextContent('../queries/serverErrors.kql'), strikes: 'failedPercent > 5' }
  { name: 'no-tick', query: loadTextContent('../queries/noTick.kql'), strikes: 'ticks < 1' }
  { name: 'failed-jobs', query: loadTextContent('../queries/failedJobs.kql'), strikes: 'failedPercent > 10' }
  { name: 'canary', query: loadTextContent('../queries/canary.kql'), strikes: 'rounds < 1' }
  {
    name: 'vault-denied'
    query: replace(loadTextContent('../queries/vaultDenied.kql'), 'APP_PRINCIPAL', appPrincipalId)
    strikes: 'denied > 0'
  }
]
var usual = [
  { name: 'poison-messages', query: loadTextContent('../queries/poisonMessages.kql'), strikes: 'messages > 0' }
  { name: 'old-messages', query: loadTextContent('../queries/oldMessages.kql'), strikes: 'meanSeconds > 600' }
  { name: 'lost-enrollments', query: loadTextContent('../queries/lostEnrollments.kql'), strikes: 'enrollments > 0' }
  { name: 'staying-failures', query: loadTextContent('../queries/stayingFailures.kql'), strikes: 'fieldDates > 0' }
  { name: 'late-imagery', query: loadTextContent('../queries/lateImagery.kql'), strikes: 'late > 0' }
  { name: 'late-scenes', query: loadTextContent('../queries/lateScenes.kql'), strikes: 'latePercent > 5' }
  { name: 'feed-behind', query: loadTextContent('../queries/feedBehind.kql'), strikes: 'polls < 1' }
  { name: 'worker-restarts', query: loadTextContent('../queries/workerRestarts.kql'), strikes: 'restarts > 0' }
  { name: 'stuck-work', query: loadTextContent('../queries/stuckWork.kql'), strikes: 'faults > 5' }
  { name: 'failed-notices', query: loadTextContent('../queries/failedNotices.kql'), strikes: 'faults > 0' }
  { name: 'late-notices', query: loadTextContent('../queries/lateNotices.kql'), strikes: 'notices > 0' }
  { name: 'late-events', query: loadTextContent('../queries/lateEvents.kql'), strikes: 'owners > 0' }
  { name: 'no-forecast', query: loadTextContent('../queries/noForecast.kql'), strikes: 'jobs > 10' }
  { name: 'daily-cap', query: loadTextContent('../queries/dailyCap.kql'), strikes: 'notes > 0' }
]
var daily = [
  { name: 'late-duty', query: loadTextContent('../queries/lateDuty.kql'), strikes: 'runs < 1', each: 'duty' }
  { name: 'farm-quota', query: loadTextContent('../queries/farmQuota.kql'), strikes: 'quotas > 0' }
]

@description('One alert as rows with its name: the rule strikes for each name by itself, and says which it was.')
func asked(row Row) string =>
  '(${row.query}| where ${row.strikes}\n| project alert = trim_end(" ", strcat("${row.name} ", ${row.?each ?? '""'})))'

@description('All alerts of one rule; one that asks a table which is not there yet silences no other.')
func together(rows Row[]) string => 'union isfuzzy=true\n${join(map(rows, row => asked(row)), ',\n')}'

var rules = [
  { name: 'urgent', severity: 1, every: 'PT5M', window: 'PT1H', query: together(urgent) }
  { name: 'usual', severity: 2, every: 'PT15M', window: 'PT2H', query: together(usual) }
  { name: 'daily', severity: 2, every: 'PT1H', window: 'P2D', query: together(daily) }
]
var prefix = '${place.workload}-${place.environment}'

module budget 'budget.bicep' = if (!empty(targets.budgetStart) && targets.budgetStart != 'none') {
  params: {
    name: nameOf('budget', place)
    monthlyAmount: targets.monthlyBudget
    startDate: targets.budgetStart
    actionGroupId: actionGroup.id
  }
}

resource actionGroup 'Microsoft.Insights/actionGroups@2023-01-01' = {
  name: nameOf('ag', place)
  location: 'global'
  tags: tags
  properties: {
    groupShortName: 'operators'
    enabled: true
    emailReceivers: map(targets.emails, one => { name: one, emailAddress: one, useCommonAlertSchema: true })
    webhookReceivers: map(targets.webhooks, one => {
      name: uniqueString(one)
      serviceUri: one
      useCommonAlertSchema: true
    })
    smsReceivers: map(targets.phones, one => { name: one, countryCode: split(one, '-')[0], phoneNumber: split(one, '-')[1] })
  }
}

resource logAlerts 'Microsoft.Insights/scheduledQueryRules@2023-12-01' = [
  for rule in rules: {
    name: '${prefix}-${rule.name}'
    location: place.location
    tags: tags
    kind: 'LogAlert'
    properties: {
      description: 'The dimension "alert" says which; docs/operations/alerts.md says what to do.'
      enabled: true
      severity: rule.severity
      scopes: [workspaceId]
      windowSize: rule.window
      evaluationFrequency: rule.every
      autoMitigate: true
      // A workspace without a line yet may not know the tables.
      skipQueryValidation: true
      criteria: {
        allOf: [
          {
            query: rule.query
            timeAggregation: 'Count'
            dimensions: [{ name: 'alert', operator: 'Include', values: ['*'] }]
            operator: 'GreaterThan'
            threshold: 0
            failingPeriods: { numberOfEvaluationPeriods: 1, minFailingPeriodsToAlert: 1 }
          }
        ]
      }
      actions: { actionGroups: [actionGroup.id] }
    }
  }
]

// Where the service answers without doing its work, this route is 503: its last tick is over ten minutes old. Being
// asked, it sends what the dead timer should have sent.
resource availabilityTest 'Microsoft.Insights/webtests@2022-06-15' = if (targets.availabilityMinutes > 0) {
  name: '${prefix}-ready'
  location: place.location
  // The portal shows the test with the component that this tag names.
  tags: union(tags, { 'hidden-link:${componentId}': 'Resource' })
  kind: 'standard'
  properties: {
    SyntheticMonitorId: '${prefix}-ready'
    Name: '${prefix}-ready'
    Kind: 'standard'
    Enabled: true
    Frequency: targets.availabilityMinutes * 60
    Timeout: 30
    RetryEnabled: true
    Locations: [{ Id: 'emea-nl-ams-azr' }, { Id: 'emea-gb-db3-azr' }, { Id: 'us-va-ash-azr' }]
    Request: { RequestUrl: '${url}/ready?work=true', HttpVerb: 'GET', ParseDependentRequests: false }
    ValidationRules: { ExpectedHttpStatusCode: 200, SSLCheck: true, SSLCertRemainingLifetimeCheck: 7 }
  }
}

resource unavailable 'Microsoft.Insights/metricAlerts@2018-03-01' = if (targets.availabilityMinutes > 0) {
  name: '${prefix}-unavailable'
  location: 'global'
  tags: tags
  properties: {
    description: 'Two of three places find the service away, or without a tick for ten minutes.'
    severity: 0
    enabled: true
    scopes: [availabilityTest.id, componentId]
    evaluationFrequency: 'PT1M'
    windowSize: 'PT15M'
    autoMitigate: true
    criteria: {
      'odata.type': 'Microsoft.Azure.Monitor.WebtestLocationAvailabilityCriteria'
      webTestId: availabilityTest.id
      componentId: componentId
      failedLocationCount: 2
    }
    actions: [{ actionGroupId: actionGroup.id }]
  }
}
