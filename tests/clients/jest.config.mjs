// Clients that strangers generate, and the examples: against a service of their own. `npm run test:clients`.
import main from '../../jest.config.mjs';

const [api] = main.projects.filter(({ displayName }) => displayName === 'api');

export default {
  rootDir: '../..',
  maxWorkers: 1,
  testTimeout: 900_000,
  projects: [
    {
      ...api,
      rootDir: process.cwd(),
      displayName: 'clients',
      globalSetup: '<rootDir>/tests/clients/startService.mjs',
      testMatch: ['<rootDir>/tests/clients/**/*.test.ts'],
    },
  ],
};
