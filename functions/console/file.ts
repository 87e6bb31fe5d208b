import { Type } from 'typebox';
import { consoleFiles, readBuilt } from '../../shared/http/pages/consoleFiles.js';
import { pageSettingsOf } from '../../shared/http/pages/consoleSettings.js';
import { pageHeaders } from '../../shared/http/pages/consolePolicy.js';
import { commonFaults } from '../../shared/kit/errors/catalogue.js';
import { ServiceError } from '../../shared/kit/errors/serviceError.js';
import { route } from '../../shared/wiring/declare.js';
import { version } from '../../shared/kit/version.js';

const fileOf = consoleFiles(readBuilt);

/** GET /console/{*file} — the page for people, its scripts, style and font. */
export const consoleStaticFile = route({
  name: 'consoleStaticFile',
  method: 'GET',
  path: 'console/{*file}',
  caller: 'nobody',
  tag: 'Console',
  summary: 'The page for people',
  errors: 'enrollments',
  params: { file: 'Name of the file; the page itself when empty' },
  success: { status: 200, description: 'The file.', content: { 'text/html': { schema: Type.String() } } },
  faults: [commonFaults.notFound],
  handle: async ({ params }, { config, pageTiles }) => {
    const stored = config.CONSOLE ? await fileOf(params['file'] ?? '') : undefined;
    if (stored === undefined) throw new ServiceError(commonFaults.notFound, 'The console has no such file.');
    return { status: 200, stored, headers: pageHeaders(pageSettingsOf(config, version.version, await pageTiles())) };
  },
});
