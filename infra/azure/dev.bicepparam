using 'main.bicep'

// For one developer: `azd up`. Nothing is kept warm, nothing costs while nothing is done, all of it can be deleted.
param environmentName = 'dev'
param scale = {
  zoneRedundant: false
  maximumInstances: 40
  alwaysReadyHttp: 0
  instanceMemoryMB: 2048
}
param network = {
  mode: 'open'
  addressPrefix: '10.20.0.0/24'
  allowedAddresses: []
  fixedOutbound: false
  imagery: 'everyone'
  frontDoorId: readEnvironmentVariable('FRONT_DOOR_ID', '')
}
param retention = {
  logDays: 30
  jobDays: 30
  imageryDays: 60
  softDeleteDays: 7
  vaultIsProtected: false
}
param backups = {
  location: readEnvironmentVariable('BACKUP_LOCATION', readEnvironmentVariable('AZURE_LOCATION', 'westeurope'))
  immutableDays: 0
  policyIsLocked: readEnvironmentVariable('BACKUP_POLICY_LOCKED', 'false') == 'true'
}
param alertTargets = {
  emails: filter(split(readEnvironmentVariable('ALERT_EMAILS', ''), ','), one => !empty(one))
  webhooks: filter(split(readEnvironmentVariable('ALERT_WEBHOOKS', ''), ','), one => !empty(one))
  phones: filter(split(readEnvironmentVariable('ALERT_PHONES', ''), ','), one => !empty(one))
  availabilityMinutes: 0
  monthlyBudget: 50
  budgetStart: readEnvironmentVariable('BUDGET_START', '')
  dailyLogGb: 1
  logImageryReads: true
}

// The pipeline and azd set these; docs/operations/deploy.md says how each is got.
param labels = {
  owner: readEnvironmentVariable('OWNER', 'field-team')
  costCentre: readEnvironmentVariable('COST_CENTRE', 'none')
  commit: readEnvironmentVariable('BUILD_COMMIT', 'unknown')
}
param people = {
  operatorGroupId: readEnvironmentVariable('OPERATOR_GROUP_ID', '')
  readerGroupId: readEnvironmentVariable('READER_GROUP_ID', '')
  developerId: readEnvironmentVariable('AZURE_PRINCIPAL_ID', '')
}
param callers = {
  tokenAudience: readEnvironmentVariable('TOKEN_AUDIENCE', '00000000-0000-0000-0000-000000000000')
  licenceAppClientId: readEnvironmentVariable('LICENCE_APP_CLIENT_ID', '')
}
param console = {
  isServed: true
  tilesUrl: readEnvironmentVariable('CONSOLE_TILES_URL', '')
  tilesAttribution: readEnvironmentVariable('CONSOLE_TILES_ATTRIBUTION', '')
  loginClientId: readEnvironmentVariable('CONSOLE_LOGIN_CLIENT_ID', '')
}
param publicUrl = readEnvironmentVariable('PUBLIC_URL', '')
param eventGrid = readEnvironmentVariable('EVENT_GRID', 'false') == 'true'
param canary = readEnvironmentVariable('CANARY', '')
param openMeteo = readEnvironmentVariable('OPEN_METEO', 'false') == 'true'
param weatherContact = readEnvironmentVariable('WEATHER_CONTACT', '')
param vaultCreateMode = readEnvironmentVariable('VAULT_CREATE_MODE', 'default')
