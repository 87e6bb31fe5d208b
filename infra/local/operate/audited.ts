import { DefaultAzureCredential } from '@azure/identity';
import { randomBytes } from 'node:crypto';
import { systemClock } from '../../../shared/kit/clock.js';
import { settings } from '../../../shared/wiring/settings/config.js';
import { randomId } from '../../../shared/kit/ids.js';
import { AuditStore, operationIdAt, type AuditRecord } from '../../../shared/operate/audit/auditStore.js';
import { asCommandError, isRefused } from '../../../shared/operate/commands/commandRefusal.js';
import { endOperation, type EndPorts } from '../../../shared/operate/commands/operateCommand.js';
import { dataStorage } from '../../../shared/wiring/clients/storageClients.js';
import { workLimits } from '../../../shared/storage/timeLimits.js';
import { jsonLog } from '../../../shared/kit/telemetry/telemetry.js';
import { whoHolds } from '../operatorName.js';

/** Where a program writes down what its operator has had done. */
export interface AuditPorts extends EndPorts {
  readonly by: () => Promise<string>;
}

type Run = (own: readonly string[], reason: string | undefined) => Promise<unknown>;

const MOST_TARGET = 1_000;
/** Commands that change nothing without `--yes`. */
const SURE: readonly string[] = ['purge', 'drop'];

/**
 * Runs a program's command with a row and a line of the audit, as the service writes them of its own commands.
 *
 * @param changing names of the commands that are written down
 */
export const audited =
  (program: string, changing: readonly string[], run: Run, open: () => AuditPorts = storedAudit): Run =>
  async (own, reason) => {
    const [name = '', ...rest] = own;
    // Behind an option the command would not be seen, and what it does not be written down.
    if (name.startsWith('-')) throw new Error(`Write the command before its options, and not ${name} first.`);
    if (!changing.includes(name)) return run(own, reason);
    const { by, ...ports } = open();
    const startedAt = ports.clock.now().getTime();
    const record: AuditRecord = {
      operationId: operationIdAt(startedAt, randomId()),
      command: `${program} ${name}`,
      target: JSON.stringify({ arguments: rest.join(' ').slice(0, MOST_TARGET) }),
      reason: reason ?? 'none was given',
      ...{
        by: await by(),
        isDryRun: SURE.includes(name) && !rest.includes('--yes'),
        traceId: randomBytes(16).toString('hex'),
        startedAt,
        status: 'Running',
      },
    };
    await ports.audit.put(record);
    try {
      const result = await run(own, reason);
      await endOperation(ports, record, { status: 'Done' });
      return result;
    } catch (error) {
      const status = isRefused(asCommandError(error)) ? 'Refused' : 'Failed';
      await endOperation(ports, record, { status, message: error instanceof Error ? error.message : 'It failed.' });
      throw error;
    }
  };

/** Table `audit` of the storage that the environment names, seen with the operator's identity. */
function storedAudit(): AuditPorts {
  const credential = new DefaultAzureCredential();
  const uri = settings.DATA_STORAGE__tableServiceUri.parse(process.env['DATA_STORAGE__tableServiceUri'] ?? '');
  const uris = {
    DATA_STORAGE__tableServiceUri: uri,
    // Tables alone are used.
    DATA_STORAGE__queueServiceUri: uri,
    DATA_STORAGE__blobServiceUri: uri,
  };
  return {
    audit: new AuditStore(dataStorage(uris, credential, workLimits).rows('audit')),
    by: () => whoHolds(credential),
    clock: systemClock,
    log: jsonLog((line) => process.stderr.write(`${line}\n`)),
  };
}
