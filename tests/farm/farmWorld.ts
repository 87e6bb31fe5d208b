import { cascadeKind } from '../../shared/farm/cascade/cascadeKind.js';
import type { CascadeJob } from '../../shared/farm/cascade/cascadeJob.js';
import { getCascade, startCascade } from '../../shared/farm/cascade/startCascade.js';
import { sweepUp } from '../../shared/farm/cascade/sweepUp.js';
import { eraseKind } from '../../shared/farm/erase/eraseKind.js';
import type { Erasure } from '../../shared/farm/erase/erasure.js';
import { erasureMark } from '../../shared/farm/erase/farmParts.js';
import { startErasure } from '../../shared/farm/erase/startErasure.js';
import { ERASED, TombstoneStore } from '../../shared/farm/erase/tombstoneStore.js';
import { FarmWorkStore } from '../../shared/farm/upkeep/farmWorkStore.js';
import type { InsightOwner, ResourceType } from '../../shared/farm/insights/farmInsight.js';
import { FarmInsightStore } from '../../shared/farm/insights/insightStore.js';
import { partyKeyOf, type LandKey, type LandKind } from '../../shared/farm/land/land.js';
import { LandStore } from '../../shared/farm/land/landStore.js';
import { putLand } from '../../shared/farm/operations/putLand.js';
import { removeLand } from '../../shared/farm/operations/removeLand.js';
import { JobStore } from '../../shared/jobs/jobStore.js';
import { erasureParts } from '../../shared/wiring/areas/farmServices.js';
import type { TableName } from '../../shared/storage/names.js';
import type { WorkKind } from '../../shared/work/item/workKind.js';
import { tombstonesInMemory } from '../support/keptTombstones.js';
import { ManualClock, settle } from '../support/manualClock.js';
import { MemoryBlobs } from '../support/memoryBlobs.js';
import { MemoryMessages } from '../support/memoryMessages.js';
import { MemoryRows } from '../support/memoryRows.js';
import { WorkInMemory } from '../support/workInMemory.js';
import { immortal, Killed, type Mortal } from './mortal.js';
import { TENANT } from './landInMemory.js';

export const LEASE_MS = 60_000;
const MINUTE = 60_000;

/** The storage of farm data in memory, in a time that tests move; processes come and go. */
export class FarmWorld {
  readonly clock = new ManualClock();
  readonly messages = new MemoryMessages(() => this.now());
  readonly blobs = new MemoryBlobs(() => this.now());
  /** Beside the exports. */
  readonly keptTombstones = tombstonesInMemory();
  /** Container `insights`. */
  readonly insightBlobs = new MemoryBlobs(() => this.now());
  readonly #tables = new Map<TableName, MemoryRows>();
  #ids = 0;

  now(): number {
    return this.clock.now().getTime();
  }

  rows(name: TableName): MemoryRows {
    const table = this.#tables.get(name) ?? new MemoryRows();
    this.#tables.set(name, table);
    return table;
  }

  newId(): string {
    return `id-${(this.#ids += 1)}`;
  }

  /** A process of the service; `mortal` says when it ends. */
  process(mortal: Mortal = immortal()) {
    const rows = (name: TableName): MemoryRows => mortal.uses(this.rows(name));
    const { clock, messages } = this;
    const kernel = new WorkInMemory(() => clock, { rows: rows('work'), messages });
    kernel.slotsOf = () => 1;
    const ports = {
      land: new LandStore(rows, mortal.uses(this.blobs)),
      insights: new FarmInsightStore(rows('farmInsights'), mortal.uses(this.blobs)),
      cascades: new FarmWorkStore<CascadeJob>(rows('work')),
      work: kernel.enqueuer,
      lanes: kernel.lanes,
      clock,
      newId: () => this.newId(),
      log: kernel.log,
      checkQuota: () => Promise.resolve(),
      insightsPerDay: 100,
    };
    const files = mortal.uses(this.blobs);
    const storage = { rows, blobs: (name: string) => (name === 'insights' ? mortal.uses(this.insightBlobs) : files) };
    const erasing = {
      erasures: new FarmWorkStore<Erasure>(rows('work')),
      tombstones: new TombstoneStore(rows('farmParties')),
      keptTombstones: this.keptTombstones,
      mark: erasureMark(ports, () => this.now()),
      parts: erasureParts(storage, { clock, leaseMs: LEASE_MS }),
    };
    const kinds: readonly WorkKind[] = [cascadeKind(ports, LEASE_MS), eraseKind({ ...ports, ...erasing }, LEASE_MS)];
    return {
      ...ports,
      ...erasing,
      jobs: new JobStore(rows('work')),
      kernel,
      kinds: new Map(kinds.map((kind) => [kind.kind, kind])),
      put: (key: LandKey, body = {}) => putLand(ports)(key, { body, by: 'someone' }),
      remove: (key: LandKey) => removeLand({ ...ports, sweepUp: sweepUp(ports) })(key, {}),
      startCascade: startCascade(ports),
      getCascade: getCascade(ports),
      startErasure: startErasure({ ...ports, ...erasing }),
    };
  }

  /** Does what is due and what becomes due, until nothing is left to do or the process has ended. */
  async work(process: Process = this.process()): Promise<void> {
    const { kernel, kinds } = process;
    for (let rounds = 0; rounds < 500; rounds += 1) {
      try {
        await settle();
        const next = kernel.takeNext();
        if (next === undefined) {
          if ((await this.openWork()).length === 0) return;
          await this.clock.advance(MINUTE);
          await kernel.sweep();
          continue;
        }
        this.clock.jump(Math.max(0, next.dueAt - this.now()));
        const kind = kinds.get(next.kind);
        if (kind !== undefined) await kernel.handle(next, kind);
      } catch (error) {
        if (error instanceof Killed) return;
        throw error;
      }
    }
    throw new Error('There is no end to the work.');
  }

  /** Row keys of all open work. */
  openWork(): Promise<readonly string[]> {
    const keys = this.rows('work')
      .all()
      .map(({ rowKey }) => rowKey);
    return Promise.resolve(keys.filter((rowKey) => rowKey.startsWith('W|')));
  }

  /** Everything that is stored of farm data: rows of all tables, and names of blobs. */
  async stored() {
    const keys = (name: TableName): readonly string[] =>
      this.rows(name)
        .all()
        .filter(({ partitionKey }) => partitionKey !== ERASED)
        .map(({ partitionKey, rowKey }) => `${partitionKey} ${rowKey}`);
    return {
      parties: keys('farmParties'),
      farms: keys('farmFarms'),
      fields: keys('farmFields'),
      insights: keys('farmInsights'),
      blobs: (await this.blobs.list('')).map(({ name }) => name),
    };
  }
}

export type Process = ReturnType<FarmWorld['process']>;

/** A party `party` with farms and fields of them, and an insight with a file of each field. */
export async function aParty(
  process: Process,
  { farms = 1, fieldsOfFarm = 1, party = 'party', withInsights = true } = {},
) {
  await process.put(partyKeyOf(TENANT, party));
  for (let farm = 0; farm < farms; farm += 1) {
    await process.put(keyIn('farm', `farm-${farm}`, party));
    for (let field = 0; field < fieldsOfFarm; field += 1) {
      const key = keyIn('field', `field-${farm}-${field}`, party);
      await process.put(key, { farmId: `farm-${farm}` });
      if (withInsights) await anInsight(process, 'Field', key.id, party);
    }
  }
}

export const keyIn = (kind: LandKind, id: string, partyId = 'party', tenant = TENANT): LandKey => ({
  kind,
  tenant,
  partyId,
  id,
});

/** An insight of a resource, and a file of it. */
export async function anInsight(
  { insights, clock }: Pick<Process, 'insights' | 'clock'>,
  resourceType: ResourceType,
  resourceId: string,
  partyId = 'party',
): Promise<void> {
  const owner: InsightOwner = { tenant: TENANT, partyId, modelId: 'gdd', resourceType, resourceId };
  const at = clock.now().getTime();
  const { tenant: _tenant, ...of } = owner;
  const common = { ...of, eTag: 'e', createdAt: at, createdBy: 'gdd', modifiedAt: at, modifiedBy: 'gdd' };
  await insights.writeFile(owner, 'file', 1, Buffer.from(`file of ${resourceId}`));
  const file = { originalFileName: 'a.csv', contentType: 'text/csv', bytes: 4 };
  await insights.write(
    'attachment',
    owner,
    { ...common, id: 'file', insightId: 'insight', ...file },
    { onto: undefined, epoch: 1 },
  );
  const told = { modelVersion: '1', from: at, to: at, measurements: { gdd: { unit: '°C·day', value: 5 } } };
  await insights.write('insight', owner, { ...common, id: 'insight', ...told }, { onto: undefined, mostOfDay: 100 });
}
