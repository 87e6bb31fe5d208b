// The settings of the app: first the platform's, then every one of shared/config.ts, by test. None holds a secret.

import { Console } from 'parameters.bicep'
import { Services } from 'storageAccount.bicep'

@export()
@description('Whose tokens the service takes.')
type Tokens = {
  @description('Accepted issuers, separated by commas; {tid} stands for the tenant of the token.')
  issuers: string

  @description('The audience a token must name.')
  audience: string

  @description('Where the signing keys of the issuer are.')
  keysUri: string
}

@description('Name of the function app.')
param siteName string

@description('Client id of the identity that the app runs as.')
param clientId string

@description('Client id of the identity that mints SAS.')
param sasClientId string

@description('Addresses of the host account.')
param host Services

@description('Addresses of the data account.')
param data Services

@description('Addresses of the imagery account.')
param imagery Services

@description('Address of the vault, with a slash at the end.')
param vaultUri string

@description('Name of the Application Insights component that the app sends telemetry to.')
param componentName string

@description('Whose tokens the service takes.')
param tokens Tokens

@description('Client id of the multi-tenant app for data managers and vaults in other Entra tenants; empty for none.')
param licenceAppClientId string

@description('The page for people.')
param console Console

@description('True when the vault holds a key of the commercial Open-Meteo hosts: the secret open-meteo-api-key.')
param openMeteo bool

@description('Site or e-mail address of whoever runs the service, for MET Norway; without it there is no forecast but Open-Meteo\'s.')
param weatherContact string

@description('What the canary asks, as JSON; empty for no canary. Its key is the secret canary-api-key.')
param canary string

@description('Days after its end at which a job and its insight are deleted.')
@minValue(1)
param jobRetentionDays int

@description('Days after they were made at which the images of a field and day are deleted.')
@minValue(31)
param imageryRetentionDays int

@description('Settings of the version before, for as long as it runs or may come back; ours win.')
param formerSettings { *: string }

resource site 'Microsoft.Web/sites@2025-03-01' existing = {
  name: siteName
}

resource component 'Microsoft.Insights/components@2020-02-02' existing = {
  name: componentName
}

var settings = {
  // The host's own connections. Without clientId it asks for the system-assigned identity, which there is none of.
  AzureWebJobsStorage__blobServiceUri: host.blob
  AzureWebJobsStorage__queueServiceUri: host.queue
  AzureWebJobsStorage__tableServiceUri: host.table
  AzureWebJobsStorage__credential: 'managedidentity'
  AzureWebJobsStorage__clientId: clientId
  DATA_STORAGE__credential: 'managedidentity'
  DATA_STORAGE__clientId: clientId
  APPLICATIONINSIGHTS_CONNECTION_STRING: component.properties.ConnectionString
  APPLICATIONINSIGHTS_AUTHENTICATION_STRING: 'ClientId=${clientId};Authorization=AAD'

  // The service's.
  DATA_STORAGE__tableServiceUri: data.table
  DATA_STORAGE__queueServiceUri: data.queue
  DATA_STORAGE__blobServiceUri: data.blob
  IMAGERY_STORAGE__blobServiceUri: imagery.blob
  AZURE_CLIENT_ID: clientId
  SAS_IDENTITY_CLIENT_ID: sasClientId
  JWT_ISSUERS: tokens.issuers
  JWT_AUDIENCE: tokens.audience
  JWKS_URI: tokens.keysUri
  AZURE_AUTHORITY_HOST: environment().authentication.loginEndpoint
  LICENCE_APP_CLIENT_ID: licenceAppClientId
  API_KEY_PEPPERS: '@Microsoft.KeyVault(SecretUri=${vaultUri}secrets/api-key-peppers)'
  DATA_MANAGER_SCOPE: 'https://farmbeats.azure.net/.default'
  DATA_MANAGER_API_VERSION: '2023-11-01-preview'
  WEATHER_SOURCE: openMeteo ? 'open-meteo,nasa-power,met-norway' : 'nasa-power,met-norway'
  WEATHER_CONTACT: weatherContact
  OPEN_METEO_ARCHIVE_URL: 'https://customer-archive-api.open-meteo.com/v1/archive'
  OPEN_METEO_FORECAST_URL: 'https://customer-api.open-meteo.com/v1/forecast'
  OPEN_METEO_API_KEY: openMeteo ? '@Microsoft.KeyVault(SecretUri=${vaultUri}secrets/open-meteo-api-key)' : ''
  OPEN_METEO_NONCOMMERCIAL: 'false'
  WEATHER_MEASURED: 'false'
  NASA_POWER_URL: 'https://power.larc.nasa.gov/api/temporal/daily/point'
  MET_NORWAY_URL: 'https://api.met.no/weatherapi/locationforecast/2.0/complete'
  TERRAIN_URL: 'https://copernicus-dem-90m.s3.amazonaws.com'
  FORECAST_DAYS: '8'
  JOB_RETENTION_DAYS: string(jobRetentionDays)
  DEPENDENCY_PATIENCE_HOURS: '24'
  JOB_LEASE_SECONDS: '60'
  JOBS_AT_WORK: '8'
  FARM_PARTIES_PER_TENANT: '10000'
  FARM_FARMS_PER_TENANT: '50000'
  FARM_FIELDS_PER_TENANT: '1000000'
  // Each round of the canary has two insights of one field: 192 a day.
  FARM_INSIGHTS_PER_DAY: empty(canary) ? '100' : '250'
  FARM_INSIGHT_DAYS: '1100'
  DEFAULT_FIELD_LIMIT: '250'
  ENROLLMENT_EARLIEST_START: '2016-11-01'
  ENROLLMENT_MAX_DAYS: '1096'
  ENROLLMENT_MAX_YEARS_AHEAD: '2'
  RATE_LIMITS: 'on'
  RATE_LIMIT_RATES: 'create=10/s:50,read=50/s:200,submit=10/min:10,list=10/s:20,sas=10/min:10,farmRead=50/s:200,farmWrite=20/s:100'
  CANARY: canary
  CANARY_API_KEY: empty(canary) ? '' : '@Microsoft.KeyVault(SecretUri=${vaultUri}secrets/canary-api-key)'
  CONSOLE: console.isServed ? 'on' : 'off'
  CONSOLE_BLOB_ENDPOINT: imagery.blob
  CONSOLE_TILES_URL: console.tilesUrl
  CONSOLE_TILES_ATTRIBUTION: console.tilesAttribution
  CONSOLE_LOGIN_CLIENT_ID: console.loginClientId
  CONSOLE_LOGIN_AUTHORITY: empty(console.loginClientId) ? '' : '${environment().authentication.loginEndpoint}organizations'
  CONSOLE_LOGIN_SCOPE: empty(console.loginClientId) ? '' : '${tokens.audience}/.default'
  IMAGERY_SOURCE: 'earth-search'
  EARTH_SEARCH_URL: 'https://earth-search.aws.element84.com/v1'
  PLANETARY_COMPUTER_URL: 'https://planetarycomputer.microsoft.com/api'
  IMAGERY_HOSTS: 'earth-search.aws.element84.com,sentinel-cogs.s3.us-west-2.amazonaws.com,e84-earth-search-sentinel-data.s3.us-west-2.amazonaws.com,planetarycomputer.microsoft.com,sentinel2l2a01.blob.${environment().suffixes.storage}'
  IMAGERY_FEED_SECONDS: '300'
  IMAGERY_MIN_COVERAGE_PERCENT: '95'
  IMAGERY_MIN_CLEAR_PERCENT: '60'
  IMAGERY_MIN_CLEAR_SCOUTING_PERCENT: '80'
  IMAGERY_MAX_SCENE_CLOUD_PERCENT: '95'
  IMAGERY_RETENTION_DAYS: string(imageryRetentionDays)
  IMAGERY_RENDERS_PER_CUSTOMER: '2'
}

resource applied 'Microsoft.Web/sites/config@2025-03-01' = {
  parent: site
  name: 'appsettings'
  properties: union(formerSettings, settings)
}
