import { OPERATION_ID, type AuditRecord } from '../audit/auditStore.js';
import { unknownTarget } from './commandRefusal.js';
import { workOfOperation } from './operateCommand.js';
import type { OperatePorts } from './operatePorts.js';

/** A command that was given, and whether its work has got lost. @throws ServiceError 404 */
export const getOperation =
  ({ audit, store }: Pick<OperatePorts, 'audit' | 'store'>) =>
  async (operationId: string): Promise<{ readonly record: AuditRecord; readonly isLost: boolean }> => {
    // The work first: it goes after its end was written.
    const work = OPERATION_ID.test(operationId) ? await store.find(workOfOperation(operationId)) : undefined;
    const record = OPERATION_ID.test(operationId) ? await audit.find(operationId) : undefined;
    if (record === undefined) {
      throw unknownTarget('There is no operation of this id. They are kept for 400 days.');
    }
    return { record, isLost: record.status === 'Running' && work === undefined };
  };
