import { operateFaults } from '../../shared/kit/errors/catalogue.js';
import { route } from '../../shared/wiring/declare.js';
import { getOperation } from '../../shared/operate/commands/getOperation.js';
import { Operation, operationView } from '../../shared/operate/commands/operationSchema.js';
import { operationExample } from './examples.js';

/** GET /operate/v1/operations/{id} — what came of a command. */
export const operateOperationGet = route({
  name: 'operateOperationGet',
  method: 'GET',
  path: 'operate/v1/operations/{id}',
  caller: 'operator',
  role: 'Operate',
  tag: 'Operations',
  summary: 'See what came of a command',
  errors: 'jobs',
  rate: 'operate',
  params: { id: 'The `operationId` of the command' },
  success: {
    status: 200,
    description: 'The command and what came of it so far.',
    content: { 'application/json': { schema: Operation, example: operationExample } },
  },
  faults: [operateFaults.unknownTarget],
  handle: async ({ params }, { operate }) => {
    const { record, isLost } = await getOperation(operate)(params['id'] ?? '');
    const view = operationView(record);
    return { status: 200, json: isLost ? { ...view, status: 'Lost' } : view };
  },
});
