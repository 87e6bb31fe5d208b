// The shapes of what main.bicep is told about an environment.

import { Access } from 'storageAccount.bicep'

@export()
@description('How the parts reach each other, and who reaches them from outside.')
type Network = {
  @description('True for a network of the its own with private endpoints: storage and vault are then closed.')
  private: bool

  @description('Address space of that network; a /24 is enough.')
  addressPrefix: string

  @description('Addresses or ranges (CIDR) that get in all the same, for deployment and operators.')
  allowedAddresses: string[]

  @description('Who gets as far as the imagery account: `everyone` when customers download over the internet.')
  imagery: Access
}

@export()
@description('How long what is kept.')
type Retention = {
  @description('Days for logs.')
  @minValue(30)
  @maxValue(730)
  logDays: int

  @description('Days after its end for a job and its insight.')
  @minValue(1)
  jobDays: int

  @description('Days for an image since it was made.')
  @minValue(31)
  imageryDays: int

  @description('Days in which a deleted blob can be brought back.')
  @minValue(1)
  @maxValue(365)
  softDeleteDays: int
}

@export()
@description('Who is told, and from when on.')
type AlertTargets = {
  @description('E-mail addresses that are told.')
  emails: string[]

  @description('Budget a month, in the currency of the subscription.')
  @minValue(1)
  monthlyBudget: int

  @description('First day of the first month of the budget, as YYYY-MM-01.')
  budgetStart: string

  @description('Gigabytes of logs a day; -1 for no limit.')
  dailyLogGb: int

  @description('Blob operations that are logged: StorageRead, StorageWrite, StorageDelete.')
  blobLogs: string[]
}

@export()
@description('The page for people below /console/, and what it may show and ask.')
type Console = {
  @description('True to serve it.')
  isServed: bool

  @description('Further origins under which the app is reached, such as https://fields.contoso.com; exact, without a slash.')
  origins: string[]

  @description('Map tiles below the fields, with {z}, {x} and {y}; empty for a grid of kilometres.')
  tilesUrl: string

  @description('Whom the tiles are from.')
  tilesAttribution: string

  @description('Client id of the app registration by which people sign in for jobs; empty to have them paste a token.')
  loginClientId: string
}

@export()
@description('Whose tokens count; which tenants may call stands in table tenants.')
type Callers = {
  @description('The audience that a token must name: the client id of the app registration of the service.')
  tokenAudience: string

  @description('Client id of the multi-tenant app for data managers and vaults in other Entra tenants; empty when no tenant has one.')
  licenceAppClientId: string
}
