import type { Log } from '../../kit/telemetry/telemetry.js';
import type { AuditRecord } from './auditStore.js';

/** Says what an operator has had done, in the words of its row: the service and the operators' programs say it alike. */
export function sayOperated(log: Log, record: AuditRecord): void {
  const { operationId, command, target, reason, by, isDryRun, status, message, traceId } = record;
  log('Operate:Done', {
    ...{ operationId, command, target, reason, by, outcome: status, traceId },
    ...(isDryRun ? { isDryRun } : {}),
    ...(message === undefined ? {} : { message }),
  });
}
