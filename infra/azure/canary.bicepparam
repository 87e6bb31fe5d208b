using 'main.bicep'

// The canary: what is to go to production serves here first, on storage of its own, and watches itself all day long.
param environmentName = 'canary'
param redundancy = 'Standard_LRS'
param scale = {
  zoneRedundant: false
  maximumInstances: 40
  alwaysReadyHttp: 0
}
param network = {
  private: true
  addressPrefix: '10.23.0.0/24'
  allowedAddresses: []
  imagery: 'everyone'
}
param retention = {
  logDays: 30
  jobDays: 90
  imageryDays: 120
  softDeleteDays: 7
}
param alertTargets = {
  emails: split(readEnvironmentVariable('ALERT_EMAILS', 'field-operations@example.com'), ',')
  monthlyBudget: 400
  budgetStart: readEnvironmentVariable('BUDGET_START', '2026-12-01')
  dailyLogGb: 2
  blobLogs: ['StorageRead', 'StorageWrite', 'StorageDelete']
}

// The pipeline sets these; docs/operations.md says how each is got.
param owner = readEnvironmentVariable('OWNER', 'field-team')
param costCentre = readEnvironmentVariable('COST_CENTRE', 'none')
param commit = readEnvironmentVariable('BUILD_COMMIT', 'unknown')
param callers = {
  tokenAudience: readEnvironmentVariable('TOKEN_AUDIENCE', '00000000-0000-0000-0000-000000000000')
  licenceAppClientId: readEnvironmentVariable('LICENCE_APP_CLIENT_ID', '')
}
param canary = readEnvironmentVariable('CANARY', '')
param openMeteo = readEnvironmentVariable('OPEN_METEO', 'false') == 'true'
param weatherContact = readEnvironmentVariable('WEATHER_CONTACT', '')
param formerSettings = json(readEnvironmentVariable('FORMER_SETTINGS', '{}'))
param operatorGroupId = readEnvironmentVariable('OPERATOR_GROUP_ID', '')
param readerGroupId = readEnvironmentVariable('READER_GROUP_ID', '')
