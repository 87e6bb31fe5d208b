// What `npm test` leaves to other runs. Plain JavaScript: Jest's configuration reads it.

const within = (folder, ...names) => names.map((name) => `tests/${folder}/${name}`);

/**
 * Test files that `npm test` leaves to the run of each change and to the full run: each takes long for what it shows beyond
 * others. What stays has the rules and laws of every room, and each area once through the service from end to end.
 */
export const onlyInFullRun = [
  // The service attacked: requests by the hundred, connections that dawdle.
  ...within('attacks', 'callers', 'egress', 'hostileNeighbours', 'mutatedRequests', 'operators', 'purgedCustomer'),
  ...within('attacks', 'secrets', 'slowConnections', 'surface'),
  // Kills, races, and what is away.
  ...within('contract', 'dependencyAway', 'enrollmentAttacks', 'enrollmentKills', 'farmCascade', 'farmErase'),
  ...within('contract', 'farmRaces', 'restoredJobs', 'idempotency'),
  // Long lists, uploads and exports, and operations beside the main road of each area.
  ...within(
    'contract',
    'backup',
    'canary',
    'dryRun',
    'enrollmentPaging',
    'farmImports',
    'farmInsights',
    'farmIsolation',
  ),
  ...within('contract', 'farmLists', 'feed', 'fieldLists', 'jobLists', 'limits', 'requests', 'tenants'),
  // The Bicep CLI evaluates every file, some times.
  'tests/infra/backupPlace',
  // Two packages are made, and a service starts from one.
  'tests/contract/package',
  // The twins in memory held to Azurite, and Azurite to what is asked of it.
  ...within('contract', 'blobs', 'enrollmentStores', 'imageryStores', 'jobStore', 'messages', 'rows', 'tenantStore'),
  ...within('local', 'azurite', 'azuriteDurability'),
  // How good the model is, on fields of four countries; `predictBoundary` and `pipelineParity` run it in `npm test`.
  ...within('boundary/predict', 'closeUp', 'syntheticTruth'),
  // A prediction of full size in the worker's process, while the lease is renewed; equal bytes by two ways.
  ...within('boundary/job', 'heartbeat', 'ownScenesGolden'),
  // Days and floods of the imagery service, simulated.
  ...within(
    'imagery/discovery',
    'borrowing',
    'emptyAnswer',
    'fairness',
    'flood',
    'lateItems',
    'nightlyNet',
    'oddItems',
  ),
  ...within('imagery/service', 'secondCollection', 'silentCatalogue'),
  ...within('imagery/units', 'blobSliceNotes', 'deaths', 'isolation', 'operations'),
  'tests/scenes/stac/untidyScenes',
  'tests/access/customers/purgeInBackfill',
  'tests/notices/sending/fairness',
  'tests/wiring/idleDay',
  // Thirty years of weather, again and again.
  ...within('gdd', 'chainWithoutKey', 'dayLabels', 'doubtedDays', 'measuredDays', 'mountainValley', 'seasonRange'),
  'tests/gdd/weather/terrain/terrainSource',
  // Jobs by the thousand, and what is waited for over hours.
  ...within('jobs', 'backlog', 'fairness', 'patience', 'schedules'),
  // The host, started and stopped, and processes beside it.
  ...within('local', 'start', 'functionsHost/lifecycle', 'functionsHost/queues', 'functionsHost/streaming'),
  'tests/wiring/beside/taskProcess',
  // The styles of synthetic countries, counted; what their catalogue changes under way.
  'tests/tools/scenes/farmland',
  'tests/local/standIns/stacChanges',
  // Uploads and geometries by mutation and by size.
  ...within('farm', 'shapes'),
  'tests/kit/json/jsonScanner',
  'tests/boundary/tools/modelFiles',
  // Twenty uploads of 8 MB in a process with little memory.
  'tests/wiring/beside/hostileUploads',
  // Every command line of the pages is run.
  ...within('infra', 'deploy/commandLines', 'findPackage', 'ways'),
];

/**
 * Of these, what the run of each change leaves out too: what they show changes with the model, with the stand-ins, or with
 * numbers of ten thousands. `npm run test:full` has them.
 */
export const onlyByHand = [
  'tests/boundary/predict/syntheticTruth',
  'tests/jobs/backlog',
  'tests/local/azuriteDurability',
  'tests/tools/scenes/farmland',
];

/** `full`: everything. `change`: what continuous integration runs for each change, all but what is named above. */
const run = process.env.TEST_RUN;

/** Test files that this run leaves out. */
export const leftOutOfRun = run === 'full' ? [] : run === 'change' ? onlyByHand : onlyInFullRun;
