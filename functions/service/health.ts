import { Type } from 'typebox';
import { route } from '../../shared/http/route.js';
import { version } from '../../shared/version.js';

/** GET /health — the process lives; tells its version. */
export const serviceHealth = route({
  name: 'serviceHealth',
  method: 'GET',
  path: 'health',
  caller: 'nobody',
  tag: 'Service',
  summary: 'Whether the process lives, and its version',
  errors: 'jobs',
  success: {
    status: 200,
    description: 'It lives.',
    content: {
      'application/json': {
        schema: Type.Object({ status: Type.Literal('ok'), version: Type.String(), commit: Type.String() }),
        example: { status: 'ok', version: '0.1.0', commit: '0000000' },
      },
    },
  },
  faults: [],
  handle: () => Promise.resolve({ status: 200, json: { status: 'ok', ...version } }),
});
