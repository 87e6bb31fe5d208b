using 'main.bicep'

// For the production of a company: three zones, private endpoints, one address outside.
param environmentName = readEnvironmentVariable('ENVIRONMENT', 'prod')
param scale = {
  zoneRedundant: true
  maximumInstances: 100
  alwaysReadyHttp: 2
  instanceMemoryMB: 4096
}
param network = {
  mode: 'closed'
  addressPrefix: '10.22.0.0/24'
  allowedAddresses: filter(split(readEnvironmentVariable('ALLOWED_ADDRESSES', ''), ','), one => !empty(one))
  fixedOutbound: true
  imagery: 'everyone'
  frontDoorId: readEnvironmentVariable('FRONT_DOOR_ID', '')
}
param retention = {
  logDays: 90
  jobDays: 90
  imageryDays: 1100
  softDeleteDays: 30
  vaultIsProtected: true
}
param backups = {
  location: readEnvironmentVariable('BACKUP_LOCATION', 'northeurope')
  immutableDays: 30
  policyIsLocked: readEnvironmentVariable('BACKUP_POLICY_LOCKED', 'false') == 'true'
}
param alertTargets = {
  emails: filter(split(readEnvironmentVariable('ALERT_EMAILS', ''), ','), one => !empty(one))
  webhooks: filter(split(readEnvironmentVariable('ALERT_WEBHOOKS', ''), ','), one => !empty(one))
  phones: filter(split(readEnvironmentVariable('ALERT_PHONES', ''), ','), one => !empty(one))
  availabilityMinutes: 5
  monthlyBudget: 1500
  budgetStart: readEnvironmentVariable('BUDGET_START', '')
  dailyLogGb: 5
  logImageryReads: false
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
  developerId: ''
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
