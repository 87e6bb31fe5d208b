import type { Rows } from '../../storage/rows.js';

/** How a command ended, or that it is under way. */
export type OperationStatus = 'Running' | 'Done' | 'Refused' | 'Failed';

/** One command of an operator, as table `audit` keeps it. Instants are milliseconds since 1970 UTC. */
export interface AuditRecord {
  readonly operationId: string;
  readonly command: string;
  /** JSON of what it was about. */
  readonly target: string;
  readonly reason: string;
  /** Who gave it: an object id of the service's own tenant, or the name that a program's token for storage carries. */
  readonly by: string;
  readonly isDryRun: boolean;
  readonly traceId: string;
  readonly startedAt: number;
  readonly status: OperationStatus;
  readonly endedAt?: number;
  /** JSON of what came of it; absent of commands that only read. */
  readonly result?: string;
  /** Why it was refused or failed. */
  readonly message?: string;
}

interface AuditRow extends Omit<AuditRecord, 'operationId' | 'startedAt' | 'endedAt'> {
  readonly startedAt: string;
  readonly endedAt?: string;
}

/** Table `audit`: all rows in this partition; RowKey the id of the operation, which begins with its time. */
const COMMANDS = 'commands';

const DAY_MS = 86_400_000;
/** Who had what done can be asked for so long. */
const KEPT_DAYS = 400;

/** An instant as operation ids begin: it sorts by time, and needs no escape in an address. */
const instantOf = (at: number): string => new Date(at).toISOString().replaceAll(/[-:.]/g, '');

/** The id of an operation that begins at an instant. @param id any UUID */
export const operationIdAt = (at: number, id: string): string => `${instantOf(at)}-${id.slice(0, 8)}`;

/** What operation ids look like. */
export const OPERATION_ID = /^\d{8}T\d{9}Z-[0-9a-f]{8}$/;

/** What operators have had done. */
export class AuditStore {
  readonly #rows: Rows;

  /** @param rows of table `audit` */
  constructor(rows: Rows) {
    this.#rows = rows;
  }

  async find(operationId: string): Promise<AuditRecord | undefined> {
    const row = await this.#rows.find<AuditRow>(COMMANDS, operationId);
    if (row === undefined) return undefined;
    const { rowKey, startedAt, endedAt, partitionKey: _partition, etag: _etag, ...rest } = row;
    const times = {
      startedAt: Date.parse(startedAt),
      ...(endedAt === undefined ? {} : { endedAt: Date.parse(endedAt) }),
    };
    return { ...rest, operationId: rowKey, ...times };
  }

  /** Writes a record, or what became of it. */
  async put({ operationId, startedAt, endedAt, ...rest }: AuditRecord): Promise<void> {
    const row: AuditRow = {
      ...rest,
      startedAt: new Date(startedAt).toISOString(),
      ...(endedAt === undefined ? {} : { endedAt: new Date(endedAt).toISOString() }),
    };
    await this.#rows.put(COMMANDS, operationId, row);
  }

  /** Deletes the records that are older than 400 days. @returns how many */
  async purge(now: number): Promise<number> {
    const old = await this.#rows.range(COMMANDS, { below: instantOf(now - KEPT_DAYS * DAY_MS) }, { select: [] });
    await this.#rows.deleteMany(
      COMMANDS,
      old.map(({ rowKey }) => rowKey),
    );
    return old.length;
  }
}
