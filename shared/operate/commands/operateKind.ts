import type { JsonObject } from '../../kit/json/json.js';
import { failureOf, retryOfStorage } from '../../work/item/retry.js';
import { done, type Outcome, type WorkKind } from '../../work/item/workKind.js';
import type { AuditRecord } from '../audit/auditStore.js';
import { commandNames, type CommandTarget } from './commandBody.js';
import { asCommandError, isRefused } from './commandRefusal.js';
import { commands } from './commands.js';
import { endOperation, keptResult, OPERATE } from './operateCommand.js';
import type { OperatePorts } from './operatePorts.js';

/** Below the host's limit: a purge waits for attempts of others. */
const LONGEST_MS = 28 * 60_000;
const FAULTS = 5;

/** The work that carries out a long command of an operator: its row in the audit says which, and how it ended. */
export function operateKind(ports: OperatePorts, leaseMs: number): WorkKind {
  return {
    kind: OPERATE,
    leaseMs,
    longestMs: LONGEST_MS,
    begin: async ({ id, place }) => {
      const record = await ports.audit.find(id.slice(1));
      return {
        retry: { ...retryOfStorage, fault: { ...retryOfStorage.fault, maximumAttempts: FAULTS } },
        run: async () => {
          if (record?.status !== 'Running') return done;
          return runStep(ports, record, place?.state);
        },
        giveUp: async (_attempt, reason) => {
          if (record?.status === 'Running') await endOperation(ports, record, { status: 'Failed', message: reason });
          return done;
        },
        failureOf: (error) => {
          const known = asCommandError(error);
          if (isRefused(known)) return { failureClass: 'final', reason: known.message };
          return { ...failureOf(error), place };
        },
      };
    },
  };
}

async function runStep(ports: OperatePorts, record: AuditRecord, state: JsonObject | undefined): Promise<Outcome> {
  const name = commandNames.find((each) => each === record.command);
  const command = name && commands[name];
  if (command === undefined || !('step' in command)) {
    throw new Error(`This version of the service has no long command ${record.command}.`);
  }
  const end = await command.step(ports, JSON.parse(record.target) as CommandTarget, state);
  if (!end.isDone) {
    return { kind: 'wait', until: end.until, hasProgress: true, place: { step: record.command, state: end.state } };
  }
  await endOperation(ports, record, { status: 'Done', ...keptResult(end.result) });
  return done;
}
