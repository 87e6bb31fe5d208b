// The sizes of an environment: all in which they differ. docs/operations/README.md shows them, by test.

@export()
@description('By name. What an environment says itself, such as its addresses, is in main.bicepparam.')
var sizes = {
  // For one developer: nothing is kept warm, nothing costs while nothing is done, all of it can be deleted.
  dev: {
    scale: { zoneRedundant: false, maximumInstances: 5, alwaysReadyHttp: 0, instanceMemoryMB: 2048 }
    network: { mode: 'open', addressPrefix: '10.20.0.0/24', fixedOutbound: false, imagery: 'everyone' }
    retention: { logDays: 30, jobDays: 30, imageryDays: 60, softDeleteDays: 7 }
    backups: { immutableDays: 0 }
    alertTargets: { availabilityMinutes: 0, monthlyBudget: 50, dailyLogGb: 1, logImageryReads: true }
  }
  // For acceptance, and for the production of a small team: data behind a firewall, one instance warm, one zone.
  small: {
    scale: { zoneRedundant: false, maximumInstances: 10, alwaysReadyHttp: 1, instanceMemoryMB: 4096 }
    network: { mode: 'firewall', addressPrefix: '10.21.0.0/24', fixedOutbound: false, imagery: 'everyone' }
    retention: { logDays: 30, jobDays: 90, imageryDays: 1100, softDeleteDays: 30 }
    backups: { immutableDays: 30 }
    // Reads of images by one busy or hostile SAS would fill the day's logs, and no alert would see a line until midnight.
    alertTargets: { availabilityMinutes: 15, monthlyBudget: 200, dailyLogGb: 1, logImageryReads: false }
  }
  // For the production of a company: three zones, private endpoints, one address outside.
  large: {
    scale: { zoneRedundant: true, maximumInstances: 100, alwaysReadyHttp: 2, instanceMemoryMB: 4096 }
    network: { mode: 'closed', addressPrefix: '10.22.0.0/24', fixedOutbound: true, imagery: 'everyone' }
    retention: { logDays: 90, jobDays: 90, imageryDays: 1100, softDeleteDays: 30 }
    backups: { immutableDays: 30 }
    alertTargets: { availabilityMinutes: 5, monthlyBudget: 2000, dailyLogGb: 5, logImageryReads: false }
  }
}
