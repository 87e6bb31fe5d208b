import { requireRole, type OperatorRole } from '../../access/auth/roles.js';
import type { Clock } from '../../kit/clock.js';
import { errorText, type Log } from '../../kit/telemetry/telemetry.js';
import type { WorkKey } from '../../work/item/workItem.js';
import { sayOperated } from '../audit/auditLine.js';
import { operationIdAt, type AuditRecord, type AuditStore } from '../audit/auditStore.js';
import { formOf, type CommandName, type CommandTarget } from './commandBody.js';
import { asCommandError, isRefused } from './commandRefusal.js';
import { commands, type Command } from './commands.js';
import type { OperatePorts } from './operatePorts.js';

/** A command as it was given. */
export interface AskedCommand {
  readonly command: CommandName;
  readonly target: Partial<CommandTarget>;
  readonly reason: string;
  readonly isDryRun: boolean;
  /** Object id of the caller. */
  readonly by: string;
  readonly roles: readonly OperatorRole[];
  readonly traceId: string;
}

/** A command that was carried out, or that is under way, with what came of it so far. */
export interface OperatedCommand {
  readonly record: AuditRecord;
  readonly result: unknown;
}

/** The kind of work that carries out a long command. */
export const OPERATE = 'operate';

export const workOfOperation = (operationId: string): WorkKey => ({ kind: OPERATE, id: `|${operationId}` });

/** What the audit keeps of a result. */
const MOST_KEPT = 4_000;

/**
 * Carries out one command, or has it carried out as work. Its row in the audit is written first, so that nothing is done
 * without a trace.
 *
 * @throws ServiceError 403 without the role, 404, 409 when the command is refused
 */
export const operateCommand =
  (ports: OperatePorts) =>
  async (asked: AskedCommand): Promise<OperatedCommand> => {
    const form = formOf(asked.command);
    requireRole(asked, form.isOfRelease === true ? 'Release' : 'Operate');
    const record = recordOf(ports, asked);
    await ports.audit.put(record);
    try {
      const { isUnderWay, result } = await carryOut(ports, asked, record.operationId);
      if (isUnderWay) return { record, result };
      const kept = form.isReading === true || asked.isDryRun ? {} : keptResult(result);
      return { record: await endOperation(ports, record, { status: 'Done', ...kept }), result };
    } catch (error) {
      const known = asCommandError(error);
      // What has failed inside is told the caller no further, and the log says why.
      const message = isRefused(known) ? known.message : 'It failed.';
      await endOperation(ports, record, { status: isRefused(known) ? 'Refused' : 'Failed', message });
      throw known;
    }
  };

function recordOf({ clock, newId }: OperatePorts, asked: AskedCommand): AuditRecord {
  const startedAt = clock.now().getTime();
  const { command, target, reason, by, isDryRun, traceId } = asked;
  const operationId = operationIdAt(startedAt, newId());
  const what = { operationId, command, target: JSON.stringify(target), reason, by };
  return { ...what, isDryRun, traceId, startedAt, status: 'Running' };
}

async function carryOut(
  ports: OperatePorts,
  { command, isDryRun, by, target: given }: AskedCommand,
  operationId: string,
): Promise<{ readonly isUnderWay: boolean; readonly result: unknown }> {
  const known: Command = commands[command];
  // The form of the command was checked with the body.
  const target = given as CommandTarget;
  const seen = await known.look(ports, target);
  if (isDryRun) {
    const preview = 'preview' in known ? known.preview : undefined;
    return { isUnderWay: false, result: preview === undefined ? seen : await preview(ports, target) };
  }
  if ('step' in known) {
    await ports.work.ask(workOfOperation(operationId));
    return { isUnderWay: true, result: null };
  }
  return { isUnderWay: false, result: known.run === undefined ? seen : await known.run(ports, target, by) };
}

/** What came of a command, as far as the audit keeps it. */
export function keptResult(result: unknown): { readonly result?: string } {
  const text = JSON.stringify(result);
  return text.length > MOST_KEPT ? {} : { result: text };
}

/** What the end of a command is written down with. */
export interface EndPorts {
  readonly audit: Pick<AuditStore, 'put'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}

/** Writes down how a command has ended, and says it. @returns its record as it is then */
export async function endOperation(
  { audit, clock, log }: EndPorts,
  record: AuditRecord,
  end: Pick<AuditRecord, 'status' | 'result' | 'message'>,
): Promise<AuditRecord> {
  const ended: AuditRecord = { ...record, ...end, endedAt: clock.now().getTime() };
  sayOperated(log, ended);
  // The command is done: its line tells of it even when storage is away now.
  await audit.put(ended).catch((error: unknown) => {
    log('Operate:NotWritten', { operationId: record.operationId, cause: errorText(error) });
  });
  return ended;
}
