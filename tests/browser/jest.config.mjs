// The console of a local environment, looked at with Chromium. `npm run test:browser`.
import main from '../../jest.config.mjs';

const api = main.projects.find(({ displayName }) => displayName === 'api');

export default {
  ...main,
  rootDir: '../..',
  projects: [
    {
      ...api,
      rootDir: process.cwd(),
      displayName: 'browser',
      testMatch: ['<rootDir>/tests/browser/**/*.test.ts'],
    },
  ],
};
