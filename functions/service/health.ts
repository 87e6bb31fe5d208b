import { Type } from 'typebox';
import { route } from '../../shared/wiring/declare.js';
import { version } from '../../shared/kit/version.js';

const Health = Type.Object(
  {
    status: Type.Literal('ok', { description: 'Always ok: who answers lives' }),
    version: Type.String({ description: 'Version of the service' }),
    commit: Type.String({ description: 'Commit it was built from' }),
  },
  { title: 'Health' },
);

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
        schema: Health,
        example: { status: 'ok', version: '0.2.0', commit: '0000000' },
      },
    },
  },
  faults: [],
  handle: () => Promise.resolve({ status: 200, json: { status: 'ok', ...version } }),
});
