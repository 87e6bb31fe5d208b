using 'main.bicep'

import { sizes } from 'modules/sizes.bicep'

// azd and the pipeline set the variables; docs/operations/deploy.md says how each is got. azd sets no SIZE.
var size = readEnvironmentVariable('SIZE', 'dev')
var isDev = size == 'dev'

param environmentName = isDev ? 'dev' : readEnvironmentVariable('ENVIRONMENT', 'prod')
param scale = sizes[size].scale
param network = union(sizes[size].network, {
  allowedAddresses: filter(split(readEnvironmentVariable('ALLOWED_ADDRESSES', ''), ','), one => !empty(one))
  frontDoorId: readEnvironmentVariable('FRONT_DOOR_ID', '')
})
// A vault that is protected can't be made anew within 90 days, so that of an acceptance environment isn't.
param retention = union(sizes[size].retention, {
  vaultIsProtected: !isDev && (size == 'large' || readEnvironmentVariable('ENVIRONMENT', 'prod') == 'prod')
})
param backups = union(sizes[size].backups, {
  location: isDev ? null : readEnvironmentVariable('BACKUP_LOCATION', '')
  policyIsLocked: readEnvironmentVariable('BACKUP_POLICY_LOCKED', 'false') == 'true'
})
param alertTargets = union(sizes[size].alertTargets, {
  emails: filter(split(readEnvironmentVariable('ALERT_EMAILS', ''), ','), one => !empty(one))
  webhooks: filter(split(readEnvironmentVariable('ALERT_WEBHOOKS', ''), ','), one => !empty(one))
  phones: filter(split(readEnvironmentVariable('ALERT_PHONES', ''), ','), one => !empty(one))
  budgetStart: readEnvironmentVariable('BUDGET_START', '')
})
param labels = {
  owner: readEnvironmentVariable('OWNER', 'field-team')
  costCentre: readEnvironmentVariable('COST_CENTRE', 'none')
  commit: readEnvironmentVariable('BUILD_COMMIT', 'unknown')
}
param people = {
  operatorGroupId: readEnvironmentVariable('OPERATOR_GROUP_ID', '')
  readerGroupId: readEnvironmentVariable('READER_GROUP_ID', '')
  developerId: isDev ? readEnvironmentVariable('AZURE_PRINCIPAL_ID', '') : ''
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
