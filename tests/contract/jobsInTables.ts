import type { TableClient } from '@azure/data-tables';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BlobInsightStore } from '../../shared/jobs/insight/blobInsightStore.js';
import { AzureRows } from '../../shared/storage/azure/azureRows.js';
import { folderArchive } from '../../infra/local/backup/folderArchive.js';
import { runJobCommand } from '../../infra/local/jobs/jobCommands.js';
import { runTenantCommand } from '../../infra/local/tenants/tenantCommands.js';
import { jobFailureOf } from '../../shared/jobs/dataManager/jobFailure.js';
import { exportTables } from '../../shared/operate/backup/exportTables.js';
import { restoreTables } from '../../shared/operate/restore/restoreTables.js';
import { rowOf } from '../../shared/operate/backup/rowBatches.js';
import { gddFaults, gddJobFaults } from '../../shared/kit/errors/catalogue.js';
import { JobFailure } from '../../shared/kit/errors/serviceError.js';
import { randomId } from '../../shared/kit/ids.js';
import { cancelJob } from '../../shared/jobs/operations/cancelJob.js';
import { createJob } from '../../shared/jobs/operations/createJob.js';
import { fetchJob } from '../../shared/jobs/operations/fetchJob.js';
import { solutionOf, workOf, type Job, type JobKey, type JobStatus } from '../../shared/jobs/job.js';
import { jobKind } from '../../shared/jobs/steps/jobKind.js';
import { JobPageReader } from '../../shared/jobs/jobPageReader.js';
import { JOB_PREFIX } from '../../shared/jobs/jobRows.js';
import { JobStore } from '../../shared/jobs/jobStore.js';
import type { JobWork } from '../../shared/jobs/steps/jobWork.js';
import { purgeJobs } from '../../shared/jobs/operations/purgeJobs.js';
import { MessageQueue } from '../../shared/storage/messageQueue.js';
import { tellOfJob } from '../../shared/jobs/steps/jobNotices.js';
import { noOutbox } from '../../shared/notices/log/outbox.js';
import { tableNames, type TableName } from '../../shared/storage/names.js';
import { RawRows } from '../../shared/storage/azure/rawRows.js';
import { TenantHoldStore } from '../../shared/access/tenants/tenantHoldStore.js';
import { TenantStore } from '../../shared/access/tenants/tenantStore.js';
import { enqueuer } from '../../shared/work/enqueue.js';
import { handleWork } from '../../shared/work/handleWork.js';
import { lanesOf } from '../../shared/work/lanes/lanes.js';
import { LaneStore } from '../../shared/work/lanes/laneStore.js';
import { sweepWork } from '../../shared/work/upkeep/sweepWork.js';
import type { WorkKey } from '../../shared/work/item/workItem.js';
import { WorkMessage } from '../../shared/work/item/workMessage.js';
import { WorkStore } from '../../shared/work/item/workStore.js';
import { succeeds } from '../jobs/works.js';
import { tombstonesInMemory } from '../support/keptTombstones.js';
import { ManualClock } from '../support/manualClock.js';
import { MemoryBlobs } from '../support/memoryBlobs.js';
import { RememberedPublication } from '../support/jobsInMemory.js';
import { MemoryMessages } from '../support/memoryMessages.js';
import { tableOf } from './storage.js';

const SOLUTION = solutionOf('gdd');
const RETENTION_DAYS = 30;
const OPTIONS = { failureOf: jobFailureOf(gddJobFaults), leaseMs: 60_000, patienceHours: 24 };
const FAULTS = { unknown: gddFaults.unknownJob, notCancellable: gddFaults.notCancellable };

const failsAtOnce: JobWork = () => Promise.reject(new JobFailure(gddJobFaults.fieldNotFound, 'No such field.'));

/** By which rows are ordered. */
const placeOf = ({ partitionKey, rowKey }: { readonly partitionKey: string; readonly rowKey: string }): string =>
  `${partitionKey}\n${rowKey}`;

/** What callers and operators do with the jobs of one tenant, whose rows lie in tables of their own; time goes by hand. */
export class JobsInTables {
  /** Always the same, so that the rows of a job always lie in the same order among the others. */
  readonly tenant = '5b0e9a54-6a7c-4f0e-8d3b-0c3f9f1f7a02';
  readonly clock = new ManualClock();
  readonly #folder = mkdtempSync(join(tmpdir(), 'backup-'));
  readonly #suffix = randomUUID().slice(0, 8);
  readonly #tables = new Map(tableNames.map((name) => [name, tableOf(`${name}${this.#suffix}`)]));
  readonly #messages = new MemoryMessages(() => this.clock.now().getTime());
  readonly #jobs = new JobStore(this.#rows('work'));
  readonly #insights = new BlobInsightStore(new MemoryBlobs());
  /** Jobs whose next attempt fails for good. */
  readonly #hopeless = new Set<string>();
  readonly #ports;

  constructor() {
    const { clock } = this;
    const rows = this.#rows('work');
    const queue = new MessageQueue(this.#messages, WorkMessage, { clock, traceparent: () => undefined });
    const [queues, log] = [() => queue, () => undefined];
    const [store, laneStore] = [new WorkStore(rows), new LaneStore(rows)];
    // So many slots that nothing ever waits.
    const lanes = lanesOf({ laneStore, queues, clock, log, slotsOf: () => Promise.resolve(1_000) });
    this.#ports = {
      ...{ jobs: this.#jobs, insights: this.#insights, publishInsight: new RememberedPublication() },
      ...{ store, queues, laneStore, lanes, work: enqueuer({ store, queues, clock, lanes }) },
      ...{ clock, newId: randomId, random: () => 0.5, log, tellOfJob: tellOfJob(noOutbox) },
    };
  }

  async open(): Promise<void> {
    await Promise.all([...this.#tables.values()].map((table) => table.createTable()));
    await this.#tenants('add', this.tenant);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#tables.values()].map((table) => table.deleteTable()));
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async create(jobId: string): Promise<void> {
    await createJob(this.#ports)({ key: this.#key(jobId), parameters: {}, exists: gddFaults.jobExists });
  }

  /** Has the job end so. */
  async end(jobId: string, status: JobStatus): Promise<void> {
    if (status === 'CANCELLED') {
      await cancelJob(this.#ports, FAULTS)(this.#key(jobId));
      return;
    }
    if (status === 'FAILED') this.#hopeless.add(jobId);
    await this.#handle(workOf(this.#key(jobId)));
    this.#hopeless.delete(jobId);
  }

  /** What a caller is told; undefined for a job that is not there. */
  async statusOf(jobId: string): Promise<JobStatus | undefined> {
    const job: Job | undefined = await fetchJob(this.#ports, FAULTS.unknown)(this.#key(jobId)).catch(() => undefined);
    return job?.status;
  }

  /** The list that the tenant sees: each job with its status. */
  async list(): Promise<Readonly<Record<string, JobStatus>>> {
    const entries = await new JobPageReader(this.#rows('work')).listOf(this.tenant, {
      solutions: [SOLUTION],
      limit: 200,
    });
    return Object.fromEntries(entries.map(({ job }) => [job.jobId, job.status]));
  }

  /** Minute by minute a sweep and every message that is due by then. */
  async sweepFor(minutes: number): Promise<void> {
    for (let minute = 0; minute < minutes; minute += 1) {
      this.clock.jump(60_000);
      await sweepWork(this.#ports)();
      await this.#looked();
      for (let text = this.#messages.take(); text !== undefined; text = this.#messages.take()) {
        await this.#handle(JSON.parse(text) as WorkKey);
      }
    }
  }

  /** The look at a lane, which all who come to it share, has been: whoever waited has a slot, for there are enough. */
  async #looked(): Promise<void> {
    const haveAll = async (): Promise<boolean> => {
      const pages = this.#rows('work').scan({ prefix: 'T|' }, { partitionPrefix: 'lane|' });
      for await (const page of pages) if (page.length > 0) return false;
      return true;
    };
    while (!(await haveAll())) await this.clock.advance(200);
    // The messages follow the slots.
    await new Promise((sent) => setTimeout(sent, 50));
  }

  /** The night in which everything that has ended by now is too old. */
  async purge(): Promise<void> {
    this.clock.jump((RETENTION_DAYS + 2) * 86_400_000);
    await purgeJobs({ ...this.#ports, removeLeftovers: () => Promise.resolve() }, RETENTION_DAYS)();
  }

  /**
   * Exports all tables, that of work in pages of one row: the own rows of jobs follow on each other.
   *
   * @param beforePage told before each page which job's own row is the next to be read
   */
  async export(beforePage: (nextJobId: string) => Promise<void>): Promise<void> {
    const own = await this.#ownRows();
    let read = '';
    const around = async (send: () => Promise<void>): Promise<void> => {
      const next = own.find(({ place }) => place > read);
      if (next !== undefined) await beforePage(next.jobId);
      await send();
    };
    const archive = folderArchive(this.#folder);
    const seen = async function* (lines: AsyncIterable<string>): AsyncGenerator<string> {
      for await (const line of lines) {
        read = placeOf(rowOf(line));
        yield line;
      }
    };
    const table = (name: TableName): TableClient =>
      name === 'work' ? tableOf(`${name}${this.#suffix}`, around, 1) : this.#table(name);
    const files = () => new MemoryBlobs();
    await exportTables({ rawRows: (name) => new RawRows(table(name)), files, clock: this.clock })({
      ...archive,
      write: (name, lines) => archive.write(name, name === 'work' ? seen(lines) : lines),
    });
  }

  /** Where the jobs' own rows stand, in the order in which they are read. */
  async #ownRows(): Promise<readonly { readonly place: string; readonly jobId: string }[]> {
    const rows: { place: string; jobId: string }[] = [];
    for await (const { partitionKey = '', rowKey = '' } of this.#table('work').listEntities()) {
      if (!rowKey.startsWith(JOB_PREFIX)) continue;
      rows.push({ place: placeOf({ partitionKey, rowKey }), jobId: rowKey.split('|').at(-1)! });
    }
    return rows;
  }

  /** Every row and every message is lost, and what was exported comes back. */
  async loseAndRestore(): Promise<void> {
    this.#messages.sent.length = 0;
    for (const table of this.#tables.values()) {
      const rows: { partitionKey: string; rowKey: string }[] = [];
      for await (const { partitionKey = '', rowKey = '' } of table.listEntities()) rows.push({ partitionKey, rowKey });
      await Promise.all(rows.map(({ partitionKey, rowKey }) => table.deleteEntity(partitionKey, rowKey)));
    }
    const ports = {
      rawRows: (name: TableName) => new RawRows(this.#table(name)),
      rows: (name: TableName) => this.#rows(name),
      files: () => new MemoryBlobs(),
      inputs: { listWritten: () => Promise.resolve([]) },
      keptTombstones: tombstonesInMemory(),
      clock: this.clock,
    };
    await restoreTables(ports)(folderArchive(this.#folder), { isMerge: false });
  }

  /** `npm run jobs -- redrive`. */
  async redrive(jobId: string): Promise<void> {
    const { jobs, work, clock, log } = this.#ports;
    const operator = { jobs, work, clock, log, whoAsks: () => Promise.resolve('ada@contoso.com') };
    await runJobCommand(['redrive', this.tenant, 'gdd', jobId], () => operator);
  }

  /** `npm run tenants -- disable`, and when nobody can still know the tenant, `remove`. */
  async removeTenant(): Promise<unknown> {
    await this.#tenants('disable', this.tenant);
    this.clock.jump(2 * 60_000);
    return this.#tenants('remove', this.tenant);
  }

  #tenants(...argv: readonly string[]): Promise<unknown> {
    return runTenantCommand(argv, () => ({
      tenants: new TenantStore(this.#rows('tenants'), randomId),
      holds: new TenantHoldStore(this.#rows('limits')),
      hasJobs: (tid) => this.#jobs.hasJobsOf(tid),
      hasFarmData: () => Promise.resolve(false),
      eraseTenant: () => Promise.reject(new Error('Nothing is erased here.')),
      exportTenant: () => Promise.reject(new Error('Nothing is exported here.')),
      clock: this.clock,
      whoAsks: () => Promise.resolve('ada@contoso.com'),
      seed: undefined,
    }));
  }

  #handle(key: WorkKey): Promise<void> {
    const work: JobWork = (job, ...rest) => (this.#hopeless.has(job.jobId) ? failsAtOnce : succeeds)(job, ...rest);
    const kind = jobKind('gdd', this.#ports, { work, ...OPTIONS });
    return handleWork({ ...this.#ports, isHeld: () => Promise.resolve(false) }, new Map([[kind.kind, kind]]))(key);
  }

  #key(jobId: string): JobKey {
    return { tenant: this.tenant, solution: SOLUTION, jobId };
  }

  #rows(name: TableName): AzureRows {
    return new AzureRows(this.#table(name), randomId);
  }

  #table(name: TableName): TableClient {
    return this.#tables.get(name)!;
  }
}
