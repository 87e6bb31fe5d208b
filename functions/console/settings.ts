import { Type } from 'typebox';
import { pageSettingsOf } from '../../shared/http/pages/consoleSettings.js';
import { commonFaults } from '../../shared/kit/errors/catalogue.js';
import { ServiceError } from '../../shared/kit/errors/serviceError.js';
import { route } from '../../shared/wiring/declare.js';
import { version } from '../../shared/kit/version.js';

/** GET /console/settings.json — what the page must know of its surroundings. Its name sorts before that of the files. */
export const consoleSettingsFile = route({
  name: 'consoleSettingsFile',
  method: 'GET',
  path: 'console/settings.json',
  caller: 'nobody',
  tag: 'Console',
  summary: 'What the console must know of its surroundings',
  errors: 'enrollments',
  cache: 'no-cache',
  success: { status: 200, description: 'The settings.', content: { 'application/json': { schema: Type.Object({}) } } },
  faults: [commonFaults.notFound],
  handle: async (_request, { config, pageTiles }) => {
    if (!config.CONSOLE) throw new ServiceError(commonFaults.notFound, 'The console is switched off.');
    return { status: 200, json: pageSettingsOf(config, version.version, await pageTiles()) };
  },
});
