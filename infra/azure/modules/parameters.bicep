// The shapes of what main.bicep is told about an environment.

import { Access } from 'storageAccount.bicep'

@export()
@description('What tags say beside name and environment.')
type Labels = {
  @description('Team that answers for the service.')
  owner: string

  @description('Where the cost is booked.')
  costCentre: string

  @description('Commit of the repository that is deployed.')
  commit: string
}

@export()
@description('How far the app may grow, and what is kept warm.')
type Scale = {
  @description('True to spread instances over three zones: two instances are then kept, and paid, for every scaling group.')
  zoneRedundant: bool

  @description('Most instances at a time of one scaling group, those kept warm not counted.')
  @minValue(1)
  @maxValue(1000)
  maximumInstances: int

  @description('Instances that answer HTTP without a cold start; with zones, at least 2.')
  @minValue(0)
  alwaysReadyHttp: int

  @description('Memory of an instance. It is the size of the app, not of a function.')
  instanceMemoryMB: 2048 | 4096
}

@export()
@description('How the parts reach each other, and who reaches them from outside.')
type Network = {
  @description('open: identities alone protect; firewall: data lets in the network of the app alone; closed: private endpoints.')
  mode: 'open' | 'firewall' | 'closed'

  @description('Address space of the network; a /24 is enough. Not used when open.')
  addressPrefix: string

  @description('Addresses or ranges (CIDR) that get in all the same: those of operators.')
  allowedAddresses: string[]

  @description('True for one fixed address by which the app is seen outside (a NAT gateway).')
  fixedOutbound: bool

  @description('Who gets as far as the imagery account: `everyone` when customers download over the internet.')
  imagery: Access

  @description('Id of the Front Door profile that alone may call the app; empty to let everybody call it.')
  frontDoorId: string
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

  @description('True to keep a deleted vault for 90 days whatever anybody does; it can never be switched off again.')
  vaultIsProtected: bool
}

@export()
@description('Where the exports of the tables go.')
type Backups = {
  @description('Region of the account, and of the resource group that is its own; null keeps it with the service, for development.')
  location: string?

  @description('Days in which nobody can delete or change an export; 0 for no such rule.')
  @minValue(0)
  @maxValue(35)
  immutableDays: int

  @description('True once the rule is locked: a deployment could no longer set it, and would fail.')
  policyIsLocked: bool
}

@export()
@description('Who is told, and from when on.')
type AlertTargets = {
  @description('E-mail addresses that are told.')
  emails: string[]

  @description('Addresses that get the common alert schema by POST, such as those of PagerDuty, Teams or Slack.')
  webhooks: string[]

  @description('Telephones that get a text message, as country code, a hyphen and the number.')
  phones: string[]

  @description('Minutes between questions to the service from three places; 0 for no availability test.')
  availabilityMinutes: 0 | 5 | 10 | 15

  @description('Budget a month, in the currency of the subscription.')
  @minValue(1)
  monthlyBudget: int

  @description('First day of the month of the first deployment, as YYYY-MM-01; empty or `none` for no budget.')
  budgetStart: string

  @description('Gigabytes of logs a day; -1 for no limit.')
  dailyLogGb: int

  @description('True to log each read of an image: who has read what, at about 1 GB for a million reads.')
  logImageryReads: bool
}

@export()
@description('Object ids of people and groups; each may be empty.')
type People = {
  @description('Group that runs the commands of operators and may restore.')
  operatorGroupId: string

  @description('Group that may look at the data.')
  readerGroupId: string

  @description('The developer whose own environment this is: operator, and keeper of its secrets.')
  developerId: string
}

@export()
@description('The page for people below /console/, and what it may show and ask.')
type Console = {
  @description('True to serve it.')
  isServed: bool

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

  @description('Client id of the multi-tenant app for vaults in other Entra tenants; empty when no tenant has one.')
  licenceAppClientId: string
}
