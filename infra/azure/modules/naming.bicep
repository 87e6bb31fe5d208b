// How everything is called and tagged.

@export()
@description('Environments this service is deployed as; part of every name.')
type Environment = 'dev' | 'test' | 'canary' | 'prod'

@export()
@description('What the names of one deployment are made of.')
type Place = {
  @description('Short name of the service, lower-case letters and digits.')
  workload: string

  @description('Environment of this deployment.')
  environment: Environment

  @description('Azure region of everything regional.')
  location: string

  @description('13 characters: always the same for one resource group, different for any other.')
  suffix: string
}

@export()
@description('Tags of every resource.')
type Tags = {
  @description('Short name of the service.')
  workload: string

  @description('Environment of this deployment.')
  env: Environment

  @description('Team that answers for the resource.')
  owner: string

  @description('Where its cost is booked.')
  costCentre: string

  @description('Commit of the repository that was deployed last.')
  commit: string
}

@export()
@description('Name of a resource that must be unique in its resource group only.')
func nameOf(abbreviation string, place Place) string =>
  '${abbreviation}-${place.workload}-${place.environment}-${place.location}'

@export()
@description('Name of a resource that must be unique in all of Azure, at most 60 characters.')
func uniqueNameOf(abbreviation string, place Place) string =>
  '${abbreviation}-${place.workload}-${place.environment}-${place.suffix}'

@export()
@description('Origin of the app, made of its name: the app waits for storage, and storage that asked it would wait for the app.')
func originOf(place Place) string => 'https://${uniqueNameOf('func', place)}.azurewebsites.net'

@export()
@description('Name of a vault: unique in all of Azure, at most 24 characters.')
func vaultNameOf(place Place) string => 'kv-${place.environment}-${place.suffix}'

@export()
@description('What a storage account is for, as short as its name needs it.')
type AccountPurpose = 'host' | 'data' | 'img'

@export()
@description('Name of a storage account: unique in all of Azure, lower-case letters and digits, at most 24 characters.')
func storageNameOf(purpose AccountPurpose, place Place) string =>
  take('st${purpose}${place.environment}${place.suffix}', 24)

@export()
@description('The tags of one deployment.')
func tagsOf(place Place, owner string, costCentre string, commit string) Tags => {
  workload: place.workload
  env: place.environment
  owner: owner
  costCentre: costCentre
  commit: commit
}
