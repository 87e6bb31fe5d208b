import { Type } from 'typebox';
import { commonFaults } from '../../shared/kit/errors/catalogue.js';
import { route } from '../../shared/wiring/declare.js';
import { dateTimeSchema, nullable } from '../../shared/kit/validation/schemaParts.js';
import { isTickLate } from '../../shared/work/upkeep/tick.js';

const Readiness = Type.Object(
  {
    ready: Type.Boolean({ description: 'Whether requests can be served' }),
    dependencies: Type.Record(Type.String(), Type.Enum(['ok', 'away']), { description: 'Each by its name' }),
    notes: Type.Array(Type.String(), { description: 'What works less well than it could, and why' }),
    duties: Type.Record(Type.String(), Type.Union([Type.String({ format: 'date-time' }), Type.Null()]), {
      description: 'When each thing that the service does of itself was last done; null before the first time',
    }),
    lastTick: nullable(
      dateTimeSchema('When the service last looked for work that is due, which it does every minute'),
      'Null before the first time, and while storage is away',
    ),
  },
  { title: 'Readiness' },
);

/** Asked by whoever wants to know of the work, too: the availability test and releases. */
const ReadyParameters = Type.Object({
  work: Type.Optional(
    Type.Boolean({
      description: 'With `true` the answer is 503, too, when `lastTick` is over ten minutes old or null',
    }),
  ),
});

/** GET /ready — whether everything a request needs is there; 503 names what is away. */
export const serviceReady = route({
  name: 'serviceReady',
  method: 'GET',
  path: 'ready',
  caller: 'nobody',
  tag: 'Service',
  summary: 'Whether everything a request needs is there',
  description:
    'A 503 has the same body with `ready: false` and names what is away; `tenants` is away while nobody is registered too. `notes` says what is not set up and makes results poorer, `duties` when what the service does of itself was last done, `lastTick` when it last looked for work that is due. A late tick is no reason to take the service out of use: without `work=true` it is only told. The answer is up to 5 seconds old.',
  errors: 'jobs',
  query: ReadyParameters,
  success: {
    status: 200,
    description: 'Everything is there.',
    alsoAt: { 503: 'Something is away: `dependencies` names it. Or, with `work=true`, the last tick is too old.' },
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
          lastTick: '2026-06-17T10:06:20.310Z',
        },
      },
    },
  },
  faults: [],
  handle: async ({ query }, { readiness, clock }) => {
    const state = await readiness();
    const retryAfter = String(commonFaults.unavailable.retryAfterSeconds);
    const lastTickAt = state.lastTick === null ? undefined : Date.parse(state.lastTick);
    const isLate = query.work === true && isTickLate(lastTickAt, clock.now().getTime());
    return state.ready && !isLate
      ? { status: 200, json: state }
      : { status: 503, json: state, headers: { 'retry-after': retryAfter } };
  },
});
