// What `npm test` leaves to the full run. Plain JavaScript: Jest's configuration reads it.

/** Test files that only the full run has: each takes long for what it shows beyond others. */
export const onlyInFullRun = [
  // How good the model is, on fields of four countries; `predictBoundary` and `pipelineParity` run it in `npm test`.
  'tests/boundary/syntheticTruth',
  // A prediction of full size in the worker's process, while the lease is renewed.
  'tests/smartBoundary/heartbeat',
  // Two packages are made, and a service starts from one.
  'tests/contract/package',
  // Azurite is started six times.
  'tests/local/azuriteDurability',
  // 10,000 jobs; `manyJobs` and `fairness` have fewer.
  'tests/jobs/backlog',
  // The styles of synthetic countries, counted.
  'tests/local/scenes/farmland',
  // Twenty uploads of 8 MB in a process with little memory.
  'tests/worker/hostileUploads',
];

/**
 * Of these, what the run of each change leaves out too: what they show changes with the model, or with numbers of ten
 * thousands. `npm run test:full` has them.
 */
export const onlyByHand = ['tests/boundary/syntheticTruth', 'tests/jobs/backlog'];

/** `full`: everything. `change`: what continuous integration runs for each change, all but what is named above. */
const run = process.env.TEST_RUN;

/** Test files that this run leaves out. */
export const leftOutOfRun = run === 'full' ? [] : run === 'change' ? onlyByHand : onlyInFullRun;
