import { operateFaults } from '../../shared/kit/errors/catalogue.js';
import { route } from '../../shared/wiring/declare.js';
import { CommandBody, commandFaults } from '../../shared/operate/commands/commandBody.js';
import { operateCommand } from '../../shared/operate/commands/operateCommand.js';
import { Operation, operationView } from '../../shared/operate/commands/operationSchema.js';
import { currentTraceparent } from '../../shared/kit/telemetry/trace.js';
import { traceFrom } from '../../shared/kit/telemetry/traceContext.js';
import { commandExample, operationExample } from './examples.js';

/** Commands are short. */
const MOST_BYTES = 4 * 1024;

/** POST /operate/v1/commands — an operator or a pipeline has something done. */
export const operateCommandsCreate = route({
  name: 'operateCommandsCreate',
  method: 'POST',
  path: 'operate/v1/commands',
  caller: 'operator',
  role: 'Release',
  tag: 'Operations',
  summary: 'Give a command',
  description:
    'Commands narrow and repair: none adds a tenant or a key, enables or restores anything. All but `drain.start` and `drain.end` need the role `Operate`. What takes long is answered 202 and goes on as work: GET /operate/v1/operations/{id} tells of it. Every command is kept for 400 days with its reason and its caller.',
  errors: 'jobs',
  rate: 'operate',
  body: {
    schema: CommandBody,
    maxBytes: MOST_BYTES,
    invalid: operateFaults.invalidCommand,
    rules: commandFaults,
    example: commandExample,
  },
  success: {
    status: 200,
    description: 'It is done; `result` says what.',
    alsoAt: { 202: 'It is under way: `operationId` names it.' },
    content: { 'application/json': { schema: Operation, example: operationExample } },
  },
  faults: [operateFaults.unknownTarget, operateFaults.refused],
  handle: async ({ body, operator, roles }, { operate }) => {
    const { command, target = {}, reason, dryRun: isDryRun = false } = body;
    const { traceId } = traceFrom(currentTraceparent());
    const asked = { command, target, reason, isDryRun, by: operator, roles, traceId };
    const { record, result } = await operateCommand(operate)(asked);
    return { status: record.status === 'Running' ? 202 : 200, json: operationView(record, result) };
  },
});
