// The console of a local environment, looked at with Chromium. `npm run test:browser`.
import main from '../../jest.config.mjs';

const api = main.projects.find(({ displayName }) => displayName === 'api');

export default {
  ...main,
  rootDir: '../..',
  // Each has a browser beside it: with more, pages take turns and steps run out of their time.
  maxWorkers: 3,
  projects: [
    {
      ...api,
      rootDir: process.cwd(),
      displayName: 'browser',
      testMatch: ['<rootDir>/tests/browser/**/*.test.ts'],
    },
  ],
};
