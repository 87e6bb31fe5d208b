import { Type } from 'typebox';
import { commonFaults } from '../../shared/errors/catalogue.js';
import { route } from '../../shared/http/route.js';

const Readiness = Type.Object(
  {
    ready: Type.Boolean({ description: 'Whether requests can be served' }),
    dependencies: Type.Record(Type.String(), Type.Enum(['ok', 'away']), { description: 'Each by its name' }),
    notes: Type.Array(Type.String(), { description: 'What works less well than it could, and why' }),
    duties: Type.Record(Type.String(), Type.Union([Type.String({ format: 'date-time' }), Type.Null()]), {
      description: 'When each thing that the service does of itself was last done; null before the first time',
    }),
  },
  { title: 'Readiness' },
);

/** GET /ready — whether everything a request needs is there; 503 names what is away. */
export const serviceReady = route({
  name: 'serviceReady',
  method: 'GET',
  path: 'ready',
  caller: 'nobody',
  tag: 'Service',
  summary: 'Whether everything a request needs is there',
  description:
    'A 503 has the same body with `ready: false` and names what is away; `tenants` is away while nobody is registered too. `notes` says what is not set up and makes results poorer, `duties` when what the service does of itself was last done. The answer is up to 5 seconds old.',
  errors: 'jobs',
  success: {
    status: 200,
    description: 'Everything is there.',
    alsoAt: { 503: 'Something is away: `dependencies` names it.' },
    content: {
      'application/json': {
        schema: Readiness,
        example: {
          ready: true,
          dependencies: {
            tables: 'ok',
            apiKeys: 'ok',
            queues: 'ok',
            imagery: 'ok',
            delegationKey: 'ok',
            tenants: 'ok',
          },
          notes: [],
          duties: { imageryFeed: '2026-06-17T10:05:02.113Z', upkeepPurge: null },
        },
      },
    },
  },
  faults: [],
  handle: async (_request, { readiness }) => {
    const state = await readiness();
    const retryAfter = String(commonFaults.unavailable.retryAfterSeconds);
    return state.ready
      ? { status: 200, json: state }
      : { status: 503, json: state, headers: { 'retry-after': retryAfter } };
  },
});
