import type { OperatorRole } from '../../../shared/access/auth/roles.js';
import { eraseKind } from '../../../shared/farm/erase/eraseKind.js';
import type { Erasure } from '../../../shared/farm/erase/erasure.js';
import { TombstoneStore } from '../../../shared/farm/erase/tombstoneStore.js';
import { FarmWorkStore } from '../../../shared/farm/upkeep/farmWorkStore.js';
import { rowBelongings } from '../../../shared/storage/belongings.js';
import type { CommandName, CommandTarget } from '../../../shared/operate/commands/commandBody.js';
import { operateCommand, type OperatedCommand } from '../../../shared/operate/commands/operateCommand.js';
import type { OperatePorts } from '../../../shared/operate/commands/operatePorts.js';
import type { Config } from '../../../shared/wiring/settings/config.js';
import { noticeServices } from '../../../shared/wiring/areas/noticeServices.js';
import { operateKindOf, operatePortsOf } from '../../../shared/wiring/areas/operateServices.js';
import type { DataStorage } from '../../../shared/wiring/clients/storageClients.js';
import { workPortsOf } from '../../../shared/wiring/areas/workServices.js';
import { TenantStore } from '../../../shared/access/tenants/tenantStore.js';
import { handleWork } from '../../../shared/work/handleWork.js';
import { dutyKind, everySeconds, type Duty } from '../../../shared/work/upkeep/duty.js';
import { sweepLanes } from '../../../shared/work/upkeep/sweepLanes.js';
import { sweepWork } from '../../../shared/work/upkeep/sweepWork.js';
import type { WorkKey } from '../../../shared/work/item/workItem.js';
import type { WorkKind } from '../../../shared/work/item/workKind.js';
import { tombstonesInMemory } from '../../support/keptTombstones.js';
import { ManualClock } from '../../support/manualClock.js';
import { MemoryMessages } from '../../support/memoryMessages.js';
import { MemoryRows } from '../../support/memoryRows.js';

export const LEASE_SECONDS = 60;
export const OPERATOR = '0b7c9a52-1d3e-4f60-8a71-92b3c4d5e6f7';
export const TENANT_A = '11111111-1111-4111-8111-111111111111';
const SECOND = 1_000;
const CONFIG = { JOB_LEASE_SECONDS: LEASE_SECONDS, JOBS_AT_WORK: 8, IMAGERY_RENDERS_PER_CUSTOMER: 2 };

const NOTICE_CONFIG = {
  PUBLIC_URL: 'https://api.partner.example',
  WEBHOOK_KEYS: new Map([['1', Buffer.alloc(32, 7)]]),
} as unknown as Config;

/** The commands of operators over storage in memory, wired as the service wires them, in a time that tests move. */
export class OperateWorld {
  readonly clock = new ManualClock();
  readonly tables = new Map<string, MemoryRows>();
  readonly queues = new Map<string, MemoryMessages>();
  readonly logged: { readonly event: string; readonly facts: Readonly<Record<string, unknown>> }[] = [];
  readonly ports: OperatePorts;
  /** Names under which the tables were exported. */
  readonly exports: string[] = [];
  /** How often the duty `upkeepPurge` ran. */
  runs = 0;
  readonly #handle: (key: WorkKey) => Promise<void>;
  readonly #sweep: () => Promise<unknown>;
  #ids = 0;

  constructor() {
    const rows = (name: string): MemoryRows => named(this.tables, name, () => new MemoryRows());
    const messages = (name: string): MemoryMessages => named(this.queues, name, () => new MemoryMessages(this.now));
    const unused = (): never => {
      throw new Error('Nothing here has clients.');
    };
    const storage = { rows, messages, table: unused, queue: unused, container: unused, blobs: unused } as DataStorage;
    const { clock, log, newId } = this;
    const tenants = { find: () => Promise.resolve(undefined), isEmpty: () => Promise.resolve(false) };
    const work = workPortsOf(CONFIG, { storage, tenants, clock });
    const duties: readonly Duty<undefined>[] = [
      {
        name: 'upkeepPurge',
        times: () => everySeconds(86_400),
        run: () => Promise.resolve({ runs: (this.runs += 1) }),
      },
    ];
    this.ports = operatePortsOf(CONFIG, {
      ...{ storage, work, duties, clock, newId, log },
      keptTombstones: tombstonesInMemory(),
      notices: noticeServices(NOTICE_CONFIG, { storage, work, clock, log }),
      // The blobs of a customer need clients: here it has rows alone.
      belongings: () => [rowBelongings('rows of fields', rows('fields'))],
      backUp: (name) => {
        this.exports.push(name);
        return Promise.resolve({ exportedAt: '', rows: { customers: 2, tenants: 3 } });
      },
    });
    const erasures = new FarmWorkStore<Erasure>(rows('work'));
    const kinds: readonly WorkKind[] = [
      operateKindOf(CONFIG, this.ports),
      dutyKind({ duties, services: () => undefined, clock, log }, LEASE_SECONDS * SECOND),
      eraseKind(
        {
          ...{ erasures, clock, log },
          tombstones: new TombstoneStore(rows('farmParties')),
          keptTombstones: tombstonesInMemory(),
          mark: { set: () => Promise.resolve(), remove: () => Promise.resolve() },
          parts: [],
        },
        LEASE_SECONDS * SECOND,
      ),
    ];
    const known = new Map(kinds.map((kind) => [kind.kind, kind]));
    this.#handle = handleWork({ ...work, clock, newId, random: () => 0.5, log }, known);
    this.#sweep = async () => [await sweepWork({ ...work, log })(), await sweepLanes({ ...work, log })()];
  }

  readonly now = (): number => this.clock.now().getTime();
  readonly log = (event: string, facts: object): void => void this.logged.push({ event, facts: { ...facts } });
  readonly newId = (): string => `${String((this.#ids += 1)).padStart(8, '0')}-0000-4000-8000-000000000000`;

  /** Gives a command. */
  command(
    command: CommandName,
    target: Partial<CommandTarget> = {},
    { roles = ['Operate'], isDryRun = false }: { roles?: readonly OperatorRole[]; isDryRun?: boolean } = {},
  ): Promise<OperatedCommand> {
    const reason = 'An incident of this very night.';
    const asked = { command, target, reason, isDryRun, by: OPERATOR, roles, traceId: '0'.repeat(32) };
    return operateCommand(this.ports)(asked);
  }

  /** Registers a tenant, as an operator's program does. */
  async registerTenant(tid = TENANT_A): Promise<void> {
    const store = new TenantStore(this.rows('tenants'), this.newId);
    const after = { tid, settings: '{}' };
    await store.change(await store.guardEtag(), [
      { tid, action: 'add', by: 'test', at: this.now(), before: undefined, after },
    ]);
  }

  rows(name: string): MemoryRows {
    return named(this.tables, name, () => new MemoryRows());
  }

  /** Lives for so many seconds: hands out messages every second, and sweeps every minute. */
  async live(seconds: number): Promise<void> {
    for (let second = 0; second < seconds; second += 1) {
      for (const queue of this.queues.values()) {
        for (let text = queue.take(); text !== undefined; text = queue.take()) {
          await this.#running(this.#handle(JSON.parse(text) as WorkKey));
        }
      }
      await this.clock.advance(SECOND);
      if (second % 60 === 0) await this.#sweep();
    }
  }

  /** Work that sleeps goes on as time does. */
  async #running(work: Promise<void>): Promise<void> {
    const end = { isThere: false };
    void work.catch(() => undefined).finally(() => (end.isThere = true));
    for (let step = 0; step < 36_000; step += 1) {
      await Promise.resolve();
      if (end.isThere) break;
      await this.clock.advance(100);
    }
    await work;
  }

  get operated() {
    return this.logged.filter(({ event }) => event === 'Operate:Done').map(({ facts }) => facts);
  }
}

function named<T>(known: Map<string, T>, name: string, make: () => T): T {
  const one = known.get(name) ?? make();
  known.set(name, one);
  return one;
}
