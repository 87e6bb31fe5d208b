import { Type } from 'typebox';
import { route } from '../../shared/wiring/declare.js';
import { serviceState } from '../../shared/operate/commands/serviceState.js';
import { closedObject, dateTimeSchema, nullable, uuidSchema } from '../../shared/kit/validation/schemaParts.js';

const State = closedObject('ServiceState', {
  atWork: Type.Integer({
    minimum: 0,
    description: 'Attempts under way; those that were killed count until their leases end',
  }),
  open: Type.Integer({ minimum: 0, description: 'Pieces of work that are not done' }),
  held: Type.Integer({
    minimum: 0,
    description: 'Those of them that wait for the release of a tenant which operators hold',
  }),
  holds: Type.Array(
    closedObject('Hold', {
      tenant: uuidSchema('Id of the tenant'),
      since: dateTimeSchema('When the hold began'),
    }),
    { description: 'The tenants that operators hold' },
  ),
  lastTick: nullable(dateTimeSchema('When the service last looked for work that is due'), 'Null before the first time'),
  deadLetters: Type.Record(Type.String(), Type.Integer({ minimum: 0 }), {
    description: 'About how many messages the host has given up, by queue',
  }),
  drain: nullable(
    closedObject('Drain', {
      until: dateTimeSchema('Until when no work begins'),
      by: Type.String({ description: 'Object id of who wants it so' }),
    }),
    'Null while work begins as usual',
  ),
});

/** GET /operate/v1/state — what a release waits for, and what an operator looks at first. */
export const operateStateGet = route({
  name: 'operateStateGet',
  method: 'GET',
  path: 'operate/v1/state',
  caller: 'operator',
  role: 'Release',
  tag: 'Operations',
  summary: 'See how much is at work',
  errors: 'jobs',
  rate: 'operate',
  success: {
    status: 200,
    description: 'The state now.',
    content: {
      'application/json': {
        schema: State,
        example: {
          atWork: 3,
          open: 214,
          held: 2,
          holds: [{ tenant: '0f0c7c1e-3c52-4d2b-9a63-6c1f0a5d7b11', since: '2026-06-17T09:40:00.000Z' }],
          lastTick: '2026-06-17T10:06:20.310Z',
          deadLetters: { 'jobs-gdd': 0, discovery: 1 },
          drain: { until: '2026-06-17T10:20:00.000Z', by: '0b7c9a52-1d3e-4f60-8a71-92b3c4d5e6f7' },
        },
      },
    },
  },
  faults: [],
  handle: async (_request, { operate }) => ({ status: 200, json: await serviceState(operate) }),
});
