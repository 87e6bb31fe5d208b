import { Type } from 'typebox';
import { closedObject, dateTimeSchema } from '../../kit/validation/schemaParts.js';
import type { WireObject } from '../wire/resourceRules.js';
import { wireTime } from '../wire/wireTime.js';
import { notBegun } from './importJob.js';
import type { ImportState } from './startImport.js';

const ImportFailure = closedObject('FarmImportError', {
  index: Type.Integer({ minimum: 0, description: 'Which feature, from 0 in the order of the file' }),
  id: Type.Optional(Type.String({ description: 'Under which id it would have been written' })),
  code: Type.String({ description: 'Which fault it is, by the codes of single writes' }),
  message: Type.String({ description: 'What is wrong with it, and what to do' }),
});

/** An import as callers see it. */
export const FarmImport = closedObject('FarmImport', {
  id: Type.String({ format: 'uuid', description: 'By which it is read' }),
  status: Type.Enum(['Waiting', 'Running', 'Succeeded', 'Failed'], {
    description:
      '`Succeeded` once every feature was tried, whatever became of it; `Failed` when the file cannot be read on',
  }),
  message: Type.Optional(Type.String({ description: 'Why it failed as a whole' })),
  total: Type.Integer({ minimum: 0, description: 'Features of the file; 0 until it is read' }),
  written: Type.Integer({ minimum: 0, description: 'Features that are stored as the file has them' }),
  failed: Type.Integer({ minimum: 0, description: 'Features that are not' }),
  errors: Type.Array(ImportFailure, { description: 'Why not, of the first 1,000' }),
  createdDateTime: dateTimeSchema('When it was asked for'),
  endTime: Type.Optional(dateTimeSchema('When it ended')),
});

/** An import as an answer. */
export function importView({ job, isRunning, progress = notBegun }: ImportState): WireObject {
  const { id, status, message, createdAt, endedAt } = job;
  const { total, written, failed, errors } = progress;
  return {
    id,
    status: isRunning ? 'Running' : status,
    ...(message === undefined ? {} : { message }),
    ...{ total, written, failed, errors },
    createdDateTime: wireTime(createdAt),
    ...(endedAt === undefined ? {} : { endTime: wireTime(endedAt) }),
  };
}
