import { jobFailureOf } from '../../shared/jobs/dataManager/jobFailure.js';
import { gddFaults, gddJobFaults } from '../../shared/kit/errors/catalogue.js';
import type { Insight } from '../../shared/jobs/insight/jobInsight.js';
import type { PublishInsight } from '../../shared/jobs/steps/publishPort.js';
import { cancelJob } from '../../shared/jobs/operations/cancelJob.js';
import { createJob, type NewJob } from '../../shared/jobs/operations/createJob.js';
import { fetchJob } from '../../shared/jobs/operations/fetchJob.js';
import { jobOfWork, kindOf, workOf, type Job, type JobKey } from '../../shared/jobs/job.js';
import { jobKind } from '../../shared/jobs/steps/jobKind.js';
import { tellOfJob } from '../../shared/jobs/steps/jobNotices.js';
import { JobStore } from '../../shared/jobs/jobStore.js';
import type { JobKindOptions } from '../../shared/jobs/steps/jobSteps.js';
import type { JobWork } from '../../shared/jobs/steps/jobWork.js';
import { noOutbox, type Outbox } from '../../shared/notices/log/outbox.js';
import { redriveJob } from '../../shared/jobs/operations/redriveJob.js';
import type { WorkItem, WorkKey } from '../../shared/work/item/workItem.js';
import type { StoredWork, WorkStore } from '../../shared/work/item/workStore.js';
import { ManualClock } from './manualClock.js';
import { WorkInMemory, type MemoryStorage } from './workInMemory.js';

export const JOB_LEASE_MS = 60_000;

/** The job that tests create when it does not matter which. */
export const jobKeyUnderTest: JobKey = { tenant: 'tenant-a', solution: 'partnerAgPowered.gdd', jobId: 'spring-corn' };

/** A publication that remembers what was asked of it. */
export class RememberedPublication implements PublishInsight {
  readonly published: string[] = [];
  readonly withdrawn: string[] = [];
  readonly abandoned: string[] = [];

  publish: PublishInsight['publish'] = (_job: Job, { insightId }: Insight) => {
    this.published.push(insightId);
    return Promise.resolve(true);
  };

  findKept: PublishInsight['findKept'] = () => Promise.resolve({});

  publishKept: PublishInsight['publishKept'] = (_job, insightId) => {
    this.published.push(`kept ${insightId}`);
    return Promise.resolve(true);
  };

  withdraw: PublishInsight['withdraw'] = async (_job, insightId, isWanted) => {
    if (await isWanted()) this.withdrawn.push(insightId);
  };

  abandon: PublishInsight['abandon'] = (_job, insightId) => {
    this.abandoned.push(insightId);
    return Promise.resolve();
  };
}

/** What a test may have of its own: otherwise jobs are GDD jobs on storage that is as it should be. */
export type JobsInMemoryOptions = Partial<JobKindOptions> & MemoryStorage & { readonly clock?: ManualClock };

/** What a process reads and writes with. */
export interface ProcessParts {
  readonly jobs?: JobStore;
  readonly store?: WorkStore;
  readonly publishInsight?: PublishInsight;
}

/** Jobs of one kind on the kernel of work, all in memory, in a time that tests move. */
export class JobsInMemory {
  readonly clock: ManualClock;
  readonly kernel: WorkInMemory;
  readonly jobs: JobStore;
  readonly publication = new RememberedPublication();
  publishInsight: PublishInsight = this.publication;
  /** Nobody listens unless a test says so. */
  outbox: Outbox = noOutbox;
  #ids = 0;
  readonly #options: JobKindOptions;

  constructor(work: JobWork, options: JobsInMemoryOptions = {}) {
    const { clock = new ManualClock(), ...others } = options;
    this.clock = clock;
    this.kernel = new WorkInMemory(() => this.clock, options);
    this.kernel.random = 0.5;
    this.jobs = new JobStore(this.kernel.rows);
    this.#options = {
      work,
      failureOf: jobFailureOf(gddJobFaults),
      leaseMs: JOB_LEASE_MS,
      patienceHours: 24,
      ...others,
    };
  }

  get events(): readonly string[] {
    return this.kernel.events;
  }

  /** What creates, cancels and commands work with. */
  get ports() {
    const { jobs, clock, kernel } = this;
    const { enqueuer: work, lanes, log } = kernel;
    return { jobs, work, lanes, clock, log, tellOfJob: tellOfJob(this.outbox), newId: () => `id-${(this.#ids += 1)}` };
  }

  get #kindPorts() {
    const { jobs, publishInsight, clock, kernel } = this;
    return {
      jobs,
      publishInsight,
      tellOfJob: tellOfJob(this.outbox),
      clock,
      random: () => kernel.random,
      log: kernel.log,
    };
  }

  now(): number {
    return this.clock.now().getTime();
  }

  create(key = jobKeyUnderTest, others: Partial<NewJob> = {}): Promise<Job> {
    return createJob(this.ports)({ key, parameters: {}, exists: gddFaults.jobExists, ...others });
  }

  cancel(key = jobKeyUnderTest): Promise<Job> {
    const faults = { unknown: gddFaults.unknownJob, notCancellable: gddFaults.notCancellable };
    return cancelJob(this.ports, faults)(key);
  }

  fetch(key = jobKeyUnderTest): Promise<Job> {
    return fetchJob(this.ports, gddFaults.unknownJob)(key);
  }

  redrive(key = jobKeyUnderTest): Promise<Job> {
    return redriveJob(this.ports, 'operator')(key);
  }

  /** One attempt, as a message of the job brings it about. @param of parts of the process that behave otherwise */
  run(key = jobKeyUnderTest, of: ProcessParts = {}): Promise<void> {
    return this.#handle(workOf(key), of);
  }

  #handle(key: WorkKey, { store, ...of }: ProcessParts = {}): Promise<void> {
    const kind = jobKind(kindOf(jobOfWork(key).solution), { ...this.#kindPorts, ...of }, this.#options);
    return this.kernel.handle(key, kind, this.kernel.log, store);
  }

  async job(key = jobKeyUnderTest): Promise<Job> {
    return (await this.jobs.find(key))!.job;
  }

  /** What is left to be done about a job; undefined when nothing is. */
  async item(key = jobKeyUnderTest): Promise<WorkItem | undefined> {
    return (await this.jobs.findWork(key))?.item;
  }

  /** Changes the work item of a job, as an attempt that died has left it for example. */
  async setItem(change: (item: WorkItem) => WorkItem, key = jobKeyUnderTest): Promise<void> {
    const stored: StoredWork = (await this.jobs.findWork(key))!;
    await this.kernel.store.update(stored, change(stored.item));
  }

  /** Facts of the latest event of that name. */
  factsOf(event: string): Readonly<Record<string, unknown>> | undefined {
    return this.kernel.logged.findLast((logged) => logged.event === event)?.facts;
  }

  /** Takes the next message at its time; false when there is none. */
  async step(): Promise<boolean> {
    const message = this.kernel.takeNext();
    if (message === undefined) return false;
    this.clock.jump(Math.max(0, message.dueAt - this.now()));
    await this.#handle(message);
    return true;
  }

  /**
   * Every message at its time until none is left, and the sweep wherever an item has no message.
   *
   * @returns how many messages were handled
   */
  async drain(most = 1_000): Promise<number> {
    let count = 0;
    for (let turn = 0; turn < 2 * most; turn += 1) {
      if (await this.step()) count += 1;
      else if (!(await this.#sweepNext())) return count;
    }
    throw new Error(`There were more than ${most} messages.`);
  }

  /** Sweeps when the item that is to be looked at first is due; false when there is none, but for those in lanes. */
  async #sweepNext(): Promise<boolean> {
    const rows = this.kernel.rows.all<{ readonly checkAt: string; readonly parked?: string }>();
    const items = rows.filter(({ rowKey, parked }) => rowKey.startsWith('W|') && parked === undefined);
    if (items.length === 0) return false;
    const first = Math.min(...items.map(({ checkAt }) => Date.parse(checkAt)));
    this.clock.jump(Math.max(0, first - this.now()));
    await this.kernel.sweep();
    return true;
  }

  /** What happens in so many minutes without a caller: sweeps, and the messages that are due. */
  async sweepFor(minutes: number): Promise<void> {
    for (let minute = 0; minute < minutes; minute += 1) {
      this.clock.jump(60_000);
      await this.kernel.sweep();
      for (let text = this.kernel.messages.take(); text !== undefined; text = this.kernel.messages.take()) {
        await this.#handle(JSON.parse(text) as WorkKey);
      }
    }
  }
}
