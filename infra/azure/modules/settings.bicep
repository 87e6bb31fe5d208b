// The settings of the app: first the platform's, then every one of shared/wiring/settings/config.ts, by test. None holds a secret.

import { Callers, Console, Retention } from 'parameters.bicep'
import { Services } from 'storageAccount.bicep'

@description('What settings are made of that other modules know.')
type Known = {
  @description('Client id of the identity that the app runs as.')
  clientId: string

  @description('Client id of the identity that mints SAS.')
  sasClientId: string

  @description('Name of the host account.')
  hostAccountName: string

  @description('Addresses of the data account.')
  data: Services

  @description('Addresses of the imagery account.')
  imagery: Services

  @description('Addresses of the account with the exports.')
  backups: Services

  @description('Address of the vault, with a slash at the end.')
  vaultUri: string

  @description('Where events are sent; empty without a topic.')
  topicUrl: string

  @description('Entra tenant of the subscription: the home of those who operate the service.')
  tenantId: string

  @description('Login host of the cloud, with a slash at the end.')
  login: string

  @description('What addresses of storage end in.')
  storageSuffix: string
}

@description('What of an environment its settings say.')
type Wanted = {
  @description('Whose tokens count.')
  callers: Callers

  @description('The page for people.')
  console: Console

  @description('How long what is kept.')
  retention: Retention

  @description('Where callers reach the service, such as https://fields.contoso.com; empty for the address of the app.')
  publicUrl: string

  @description('True when the vault holds the secret open-meteo-api-key.')
  openMeteo: bool

  @description('Site or e-mail address of whoever runs the service, for MET Norway.')
  weatherContact: string

  @description('What the canary asks, as JSON; empty for no canary. Its key is the secret canary-api-key.')
  canary: string
}

@export()
@description('The settings of the app.')
func settingsOf(known Known, wanted Wanted) { *: string } => {
  // By name, not by address: with addresses the host at times finds no storage (azure-functions-host#11787). Without
  // known.clientId it asks for the system-assigned identity, which there is none of.
  AzureWebJobsStorage__accountName: known.hostAccountName
  AzureWebJobsStorage__credential: 'managedidentity'
  AzureWebJobsStorage__clientId: known.clientId
  DATA_STORAGE__credential: 'managedidentity'
  DATA_STORAGE__clientId: known.clientId
  // The host answers the methods of `/` that no function can list, such as TRACE, with its own page otherwise.
  AzureWebJobsDisableHomepage: 'true'
  // Pieces of 32 KB and more go back at once: left alone, glibc keeps the memory of several uploads, which come by 64 KB
  // (https://www.gnu.org/software/libc/manual: malloc tunables).
  MALLOC_MMAP_THRESHOLD_: '32768'
  MALLOC_TRIM_THRESHOLD_: '32768'
  // The largest upload and its framing: JSON that is not sent in chunks is parsed by the host before the service is asked.
  FUNCTIONS_REQUEST_BODY_SIZE_LIMIT: '55000000'
  APPLICATIONINSIGHTS_AUTHENTICATION_STRING: 'ClientId=${known.clientId};Authorization=AAD'

  // The service's.
  DATA_STORAGE__tableServiceUri: known.data.table
  DATA_STORAGE__queueServiceUri: known.data.queue
  DATA_STORAGE__blobServiceUri: known.data.blob
  IMAGERY_STORAGE__blobServiceUri: known.imagery.blob
  BACKUP_STORAGE__blobServiceUri: known.backups.blob
  OPERATE_TENANT: known.tenantId
  AZURE_CLIENT_ID: known.clientId
  SAS_IDENTITY_CLIENT_ID: known.sasClientId
  JWT_ISSUERS: '${known.login}{tid}/v2.0'
  JWT_AUDIENCE: wanted.callers.tokenAudience
  JWKS_URI: '${known.login}organizations/discovery/v2.0/keys'
  AZURE_AUTHORITY_HOST: known.login
  PUBLIC_URL: wanted.publicUrl
  LICENCE_APP_CLIENT_ID: wanted.callers.licenceAppClientId
  API_KEY_PEPPERS: '@Microsoft.KeyVault(SecretUri=${known.vaultUri}secrets/api-key-peppers)'
  WEATHER_SOURCE: wanted.openMeteo ? 'open-meteo,nasa-power,met-norway' : 'nasa-power,met-norway'
  WEATHER_CONTACT: wanted.weatherContact
  OPEN_METEO_ARCHIVE_URL: 'https://customer-archive-api.open-meteo.com/v1/archive'
  OPEN_METEO_FORECAST_URL: 'https://customer-api.open-meteo.com/v1/forecast'
  OPEN_METEO_API_KEY: wanted.openMeteo ? '@Microsoft.KeyVault(SecretUri=${known.vaultUri}secrets/open-meteo-api-key)' : ''
  OPEN_METEO_NONCOMMERCIAL: 'false'
  WEATHER_MEASURED: 'false'
  NASA_POWER_URL: 'https://power.larc.nasa.gov/api/temporal/daily/point'
  MET_NORWAY_URL: 'https://api.met.no/weatherapi/locationforecast/2.0/complete'
  TERRAIN_URL: 'https://copernicus-dem-90m.s3.amazonaws.com'
  FORECAST_DAYS: '8'
  JOB_RETENTION_DAYS: string(wanted.retention.jobDays)
  DEPENDENCY_PATIENCE_HOURS: '24'
  JOB_LEASE_SECONDS: '60'
  JOBS_AT_WORK: '8'
  FARM_PARTIES_PER_TENANT: '10000'
  FARM_FARMS_PER_TENANT: '50000'
  FARM_FIELDS_PER_TENANT: '1000000'
  // Each round of the canary has two insights of one field: 192 a day.
  FARM_INSIGHTS_PER_DAY: empty(wanted.canary) ? '100' : '250'
  FARM_INSIGHT_DAYS: '1100'
  DEFAULT_FIELD_LIMIT: '250'
  ENROLLMENT_EARLIEST_START: '2016-11-01'
  ENROLLMENT_MAX_DAYS: '1096'
  ENROLLMENT_MAX_YEARS_AHEAD: '2'
  RATE_LIMITS: 'on'
  RATE_LIMIT_RATES: 'create=10/s:50,read=50/s:200,submit=10/min:10,list=10/s:20,sas=10/min:10,farmRead=50/s:200,farmWrite=20/s:100'
  CANARY: wanted.canary
  CANARY_API_KEY: empty(wanted.canary) ? '' : '@Microsoft.KeyVault(SecretUri=${known.vaultUri}secrets/canary-api-key)'
  CONSOLE: wanted.console.isServed ? 'on' : 'off'
  CONSOLE_BLOB_ENDPOINT: known.imagery.blob
  CONSOLE_TILES_URL: wanted.console.tilesUrl
  CONSOLE_TILES_ATTRIBUTION: wanted.console.tilesAttribution
  CONSOLE_LOGIN_CLIENT_ID: wanted.console.loginClientId
  CONSOLE_LOGIN_AUTHORITY: empty(wanted.console.loginClientId) ? '' : '${known.login}organizations'
  CONSOLE_LOGIN_SCOPE: empty(wanted.console.loginClientId) ? '' : '${wanted.callers.tokenAudience}/.default'
  IMAGERY_SOURCE: 'earth-search'
  EARTH_SEARCH_URL: 'https://earth-search.aws.element84.com/v1'
  PLANETARY_COMPUTER_URL: 'https://planetarycomputer.microsoft.com/api'
  IMAGERY_HOSTS: 'earth-search.aws.element84.com,sentinel-cogs.s3.us-west-2.amazonaws.com,e84-earth-search-sentinel-data.s3.us-west-2.amazonaws.com,planetarycomputer.microsoft.com,sentinel2l2a01.blob.${known.storageSuffix}'
  IMAGERY_FEED_SECONDS: '300'
  IMAGERY_MIN_COVERAGE_PERCENT: '95'
  IMAGERY_MIN_CLEAR_PERCENT: '60'
  IMAGERY_MIN_CLEAR_SCOUTING_PERCENT: '80'
  IMAGERY_MAX_SCENE_CLOUD_PERCENT: '95'
  IMAGERY_RETENTION_DAYS: string(wanted.retention.imageryDays)
  IMAGERY_RENDERS_PER_CUSTOMER: '2'
  // Events have the public address as their source.
  WEBHOOK_KEYS: empty(wanted.publicUrl) ? '' : '@Microsoft.KeyVault(SecretUri=${known.vaultUri}secrets/webhook-keys)'
  NOTICES_TOPIC_URL: known.topicUrl
  NOTICES_RETENTION_DAYS: '30'
}
