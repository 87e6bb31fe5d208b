// Alerts on what customers pay for: jobs, results, images, forecasts. docs/operations.md says what to do about each, by
// test.

import { Tags } from 'naming.bicep'

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

// Without a comparison an alert strikes above its threshold.
var rules = [
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
    name: 'lost-enrollments'
    meaning: 'An enrollment was given up: its customer has to submit it again.'
    query: loadTextContent('../queries/lostEnrollments.kql')
    column: 'enrollments'
    threshold: 0
    severity: 2
    window: 'PT15M'
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
    name: 'staying-failures'
    meaning: 'Images of fields stay failed: for days, or for good.'
    query: loadTextContent('../queries/stayingFailures.kql')
    column: 'fieldDates'
    threshold: 0
    severity: 3
    window: 'PT1H'
  }
  {
    name: 'late-imagery'
    meaning: 'Customers wait for scenes that the catalogue has had for more than six hours.'
    query: loadTextContent('../queries/lateImagery.kql')
    column: 'late'
    threshold: 0
    severity: 2
    window: 'PT2H'
  }
  {
    name: 'waiting-imagery'
    meaning: 'Fields on days have waited for more than a day.'
    query: loadTextContent('../queries/waitingImagery.kql')
    column: 'waiting'
    threshold: 0
    severity: 2
    window: 'PT2H'
  }
  {
    name: 'late-scenes'
    meaning: 'More than a twentieth of new scenes have their files later than 20 minutes after their publication.'
    query: loadTextContent('../queries/lateScenes.kql')
    column: 'latePercent'
    threshold: 5
    severity: 2
    window: 'PT2H'
  }
  {
    name: 'feed-behind'
    meaning: 'For an hour no poll of the catalogue was up to date at its end: new scenes are not seen.'
    query: loadTextContent('../queries/feedBehind.kql')
    column: 'polls'
    comparison: 'LessThan'
    threshold: 1
    severity: 2
    window: 'PT1H'
  }
  {
    name: 'silent-feed'
    meaning: 'The catalogue answers, and has shown nothing new of any place for hours.'
    query: loadTextContent('../queries/feedSilent.kql')
    column: 'polls'
    threshold: 0
    severity: 3
    window: 'PT1H'
  }
  {
    name: 'failed-sweeps'
    meaning: 'The imagery of customers could not be planned or looked after.'
    query: loadTextContent('../queries/failedSweeps.kql')
    column: 'faults'
    threshold: 5
    severity: 2
    window: 'PT30M'
  }
  {
    name: 'waiting-withdrawals'
    meaning: 'What was published for a job that failed or was cancelled cannot be taken back.'
    query: loadTextContent('../queries/waitingWithdrawals.kql')
    column: 'attempts'
    threshold: 5
    severity: 2
    window: 'PT1H'
  }
  {
    name: 'waiting-publications'
    meaning: 'Results are ready and their data managers do not take them.'
    query: loadTextContent('../queries/waitingPublications.kql')
    column: 'attempts'
    threshold: 20
    severity: 2
    window: 'PT1H'
  }
  {
    name: 'no-forecast'
    meaning: 'GDD jobs went without a forecast: every provider that has one is away, or none is set up.'
    query: loadTextContent('../queries/noForecast.kql')
    column: 'jobs'
    threshold: 10
    severity: 2
    window: 'PT1H'
  }
  {
    name: 'farm-quota'
    meaning: 'A tenant has nine tenths of the parties, farms or fields that it may have: soon more are refused.'
    query: loadTextContent('../queries/farmQuota.kql')
    column: 'quotas'
    threshold: 0
    severity: 3
    window: 'P2D'
  }
]

module alerts 'logAlerts.bicep' = {
  params: {
    namePrefix: namePrefix
    location: location
    tags: tags
    workspaceId: workspaceId
    actionGroupId: actionGroupId
    rules: rules
  }
}
