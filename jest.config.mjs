// `unit` needs nothing, `api` runs against the whole local environment (started once, in memory), `browser` looks at
// that environment's console with Chromium.
const common = {
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
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
  maxWorkers: 3,
  // A busy machine is slow, and slowness is no failure; a test that hangs still ends.
  testTimeout: 300_000,
  reporters: ['default', '<rootDir>/tests/support/plainSummary.mjs'],
  projects: [
    {
      ...common,
      displayName: 'unit',
      testMatch: ['<rootDir>/tests/**/*.test.ts'],
      testPathIgnorePatterns: ['<rootDir>/tests/(contract|attacks|browser|clients|faults|bench|load)/'],
    },
    {
      ...common,
      displayName: 'api',
      testMatch: ['<rootDir>/tests/{contract,attacks}/**/*.test.ts'],
      globalSetup: '<rootDir>/tests/contract/startService.mjs',
      globalTeardown: '<rootDir>/tests/contract/stopService.mjs',
    },
    {
      ...common,
      displayName: 'browser',
      testMatch: ['<rootDir>/tests/browser/**/*.test.ts'],
      // The very files of `api`: both share one environment.
      globalSetup: '<rootDir>/tests/contract/startService.mjs',
      globalTeardown: '<rootDir>/tests/contract/stopService.mjs',
    },
  ],
};
