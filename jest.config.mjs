// `unit` needs nothing, `api` runs against the whole local environment (started once, in memory). Other runs have more:
// `npm run test:full`, `npm run test:browser`, `npm run test:clients`.
import { leftOutOfRun } from './tests/support/longTests.mjs';
import { packedModules } from './tests/support/packedModules.mjs';

const leftOut = leftOutOfRun.map((file) => `<rootDir>/${file}\\.test`);
const common = {
  // What lies elsewhere, all of node_modules, is not searched for tests.
  roots: ['tests', 'shared', 'functions', 'infra', 'console'].map((folder) => `<rootDir>/${folder}`),
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { ...(await packedModules()), '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: {
    '^.+\\.ts$': [
      '<rootDir>/tests/support/transform.mjs',
      { jsc: { target: 'es2022', parser: { syntax: 'typescript' } } },
    ],
  },
  setupFiles: ['<rootDir>/tests/support/endContexts.mjs'],
  testEnvironment: 'node',
  // Copies of the sources, as `npm run mutation` makes them.
  modulePathIgnorePatterns: ['<rootDir>/build/mutation/'],
};

export default {
  coverageProvider: 'v8',
  // More than there are processors: some wait for the service most of the time.
  maxWorkers: 4,
  testSequencer: '<rootDir>/tests/support/waitingAmongOthers.mjs',
  // A busy machine is slow, and slowness is no failure; a test that hangs still ends.
  testTimeout: 900_000,
  reporters: ['default', '<rootDir>/tests/support/plainSummary.mjs'],
  projects: [
    {
      ...common,
      displayName: 'unit',
      testMatch: ['<rootDir>/tests/**/*.test.ts'],
      testPathIgnorePatterns: ['<rootDir>/tests/(contract|attacks|browser|clients|faults|bench|load)/', ...leftOut],
    },
    {
      ...common,
      displayName: 'api',
      testMatch: ['<rootDir>/tests/{contract,attacks}/**/*.test.ts'],
      testPathIgnorePatterns: ['/node_modules/', ...leftOut],
      globalSetup: '<rootDir>/tests/contract/startService.mjs',
      globalTeardown: '<rootDir>/tests/contract/stopService.mjs',
    },
  ],
};
