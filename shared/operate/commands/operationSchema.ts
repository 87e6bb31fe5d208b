import { Type } from 'typebox';
import { closedObject, dateTimeSchema, nullable } from '../../kit/validation/schemaParts.js';
import type { AuditRecord } from '../audit/auditStore.js';

const statuses = ['Running', 'Done', 'Refused', 'Failed', 'Lost'] as const;

/** An operation as its caller sees it. */
export const Operation = closedObject('Operation', {
  operationId: Type.String({ description: 'Names it in GET /operate/v1/operations/{id}; begins with its time' }),
  command: Type.String({ description: "What was to be done: a command, or that of an operator's program" }),
  target: Type.Unknown({ description: 'What it was about' }),
  reason: Type.String({ description: 'Why' }),
  by: Type.String({
    description: 'Object id of who gave the command, or the name in the token of an operator’s program',
  }),
  dryRun: Type.Boolean({ description: 'Whether nothing was to be changed' }),
  status: Type.Enum(statuses, {
    description:
      'Running until it has ended. Lost: there is no work of it any more, as after a restore; give the command again',
  }),
  startedAt: dateTimeSchema('When it was given'),
  endedAt: nullable(dateTimeSchema('When it ended'), 'Null while it runs'),
  result: Type.Unknown({
    description: 'What was done, or would be; null before the end. Of commands that only read, the answer alone has it',
  }),
  message: nullable(Type.String(), 'Why it was refused or failed, for people'),
});

/** @param result of the command where it is known, else what the audit has kept */
export function operationView(record: AuditRecord, result: unknown = parsed(record.result)) {
  const { operationId, command, target, reason, by, isDryRun, status, startedAt, endedAt, message } = record;
  return {
    ...{ operationId, command, target: JSON.parse(target) as unknown, reason, by, dryRun: isDryRun },
    status: status as (typeof statuses)[number],
    startedAt: new Date(startedAt).toISOString(),
    endedAt: endedAt === undefined ? null : new Date(endedAt).toISOString(),
    result: result ?? null,
    message: message ?? null,
  };
}

const parsed = (text: string | undefined): unknown => (text === undefined ? null : JSON.parse(text));
