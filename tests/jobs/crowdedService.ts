import { boundaryFaults, boundaryJobFaults, gddFaults, gddJobFaults } from '../../shared/errors/catalogue.js';
import { cancelJob } from '../../shared/jobs/cancelJob.js';
import { createJob } from '../../shared/jobs/createJob.js';
import { fetchJob } from '../../shared/jobs/fetchJob.js';
import { isEnded, type Job, type JobKey, type SolutionId } from '../../shared/jobs/job.js';
import type { JsonObject } from '../../shared/json.js';
import type { JobQueue } from '../../shared/jobs/jobPorts.js';
import type { JobWork } from '../../shared/jobs/jobWork.js';
import { linesOf } from '../../shared/jobs/lines.js';
import { runJob } from '../../shared/jobs/runJob.js';
import { sweepJobs } from '../../shared/jobs/sweepJobs.js';
import { sweepLines } from '../../shared/jobs/sweepLines.js';
import { TableJobStore } from '../../shared/jobs/tableJobStore.js';
import { ManualClock, settle } from '../support/manualClock.js';
import { MemoryRows } from '../support/memoryRows.js';
import { MemoryLineStore } from '../support/memoryLines.js';

const LEASE_MS = 60_000;
const SWEEP_MS = 60_000;

interface Message {
  readonly key: JobKey;
  readonly dueAt: number;
}

/** A queue as the platform's: first in, first out, messages hidden until they are due; some may get lost. */
class SimulatedQueue implements JobQueue {
  sent = 0;
  /** Whether the next message is taken and never seen again. */
  loses: (key: JobKey) => boolean = () => false;
  readonly #clock: ManualClock;
  readonly #messages: Message[] = [];
  readonly #idle: (() => void)[] = [];

  constructor(clock: ManualClock) {
    this.#clock = clock;
  }

  enqueue({ tenant, solution, jobId }: JobKey, delayMs: number): Promise<void> {
    this.sent += 1;
    const key = { tenant, solution, jobId };
    if (this.loses(key)) return Promise.resolve();
    const dueAt = this.#clock.now().getTime() + delayMs;
    // Behind all that are due before it or at the same time.
    const behind = this.#messages.findLastIndex((other) => other.dueAt <= dueAt);
    this.#messages.splice(behind + 1, 0, { key, dueAt });
    if (delayMs === 0) this.#wake();
    else
      void this.#clock.sleep(delayMs).then(() => {
        this.#wake();
      });
    return Promise.resolve();
  }

  servedUntil(now: number): Promise<number> {
    return Promise.resolve(Math.min(now, this.#messages[0]?.dueAt ?? now));
  }

  /** The next message that is due, as soon as there is one. */
  async take(): Promise<JobKey> {
    for (;;) {
      const [head] = this.#messages;
      if (head !== undefined && head.dueAt <= this.#clock.now().getTime()) {
        this.#messages.shift();
        return head.key;
      }
      await new Promise<void>((resolve) => this.#idle.push(resolve));
    }
  }

  #wake(): void {
    this.#idle.shift()?.();
  }
}

export interface CrowdOptions {
  readonly solution: SolutionId;
  readonly work: (service: CrowdedService) => JobWork;
  /** Messages that are handled at the same time. */
  readonly workers: number;
  /** What each line stands before. */
  readonly places: (line: string) => number;
}

/** The service in simulated time: creates, fetches, workers that take messages, a sweep every minute. */
export class CrowdedService {
  readonly clock = new ManualClock();
  readonly jobs = new TableJobStore(new MemoryRows());
  readonly lineStore = new MemoryLineStore();
  readonly queue = new SimulatedQueue(this.clock);
  /** When each job ended, milliseconds since 1970 UTC. */
  readonly ends = new Map<string, number>();
  readonly #solution: SolutionId;
  readonly #ports;

  constructor({ solution, work, workers, places }: CrowdOptions) {
    this.#solution = solution;
    const { clock, jobs, queue, lineStore } = this;
    const jobQueues = { 'partnerAgPowered.gdd': queue, 'partnerAgPowered.smartBoundary': queue };
    let ids = 0;
    const log = (event: string, facts: object): void => {
      if (/^Job:(Succeeded|Failed|Cancelled)$/.test(event))
        this.ends.set((facts as { jobId: string }).jobId, clock.now().getTime());
    };
    this.#ports = {
      jobs,
      jobQueues,
      lineStore,
      lines: linesOf({ lineStore, jobQueues, clock, log, placesOf: (line) => Promise.resolve(places(line)) }),
      clock,
      newId: () => `id-${(ids += 1)}`,
      random: () => 0.5,
      log,
      publishInsight: {
        publish: () => Promise.resolve(),
        findKept: () => Promise.resolve(undefined),
        publishKept: () => Promise.resolve(false),
        abandon: () => Promise.resolve(),
        withdraw: () => Promise.resolve(),
      },
    };
    const faults = solution === 'partnerAgPowered.gdd' ? gddJobFaults : boundaryJobFaults;
    const run = runJob(this.#ports, { work: work(this), faults, leaseMs: LEASE_MS, patienceHours: 24 });
    for (let worker = 0; worker < workers; worker += 1) void this.#serve(run);
    clock.every(SWEEP_MS, () => void this.sweep());
  }

  get lines() {
    return this.#ports.lines;
  }

  async sweep(): Promise<void> {
    await sweepJobs(this.#ports)();
    await sweepLines(this.#ports)();
  }

  keyOf(tenant: string, jobId: string): JobKey {
    return { tenant, solution: this.#solution, jobId };
  }

  async create(tenant: string, jobId: string, parameters: JsonObject = {}): Promise<void> {
    const exists = this.#solution === 'partnerAgPowered.gdd' ? gddFaults.jobExists : boundaryFaults.jobExists;
    await createJob(this.#ports)({ key: this.keyOf(tenant, jobId), parameters, exists });
  }

  fetch(tenant: string, jobId: string): Promise<Job> {
    return fetchJob(this.#ports, gddFaults.unknownJob)(this.keyOf(tenant, jobId));
  }

  async cancel(tenant: string, jobId: string): Promise<void> {
    const faults = { unknown: gddFaults.unknownJob, notCancellable: gddFaults.notCancellable };
    await cancelJob(this.#ports, faults)(this.keyOf(tenant, jobId));
  }

  /** Lets time pass until all these jobs have ended; throws when they have not after so long. */
  async untilEnded(jobIds: readonly string[], limitMs: number): Promise<void> {
    const start = this.clock.now().getTime();
    for (const jobId of jobIds) {
      while (!this.ends.has(jobId)) {
        if (this.clock.now().getTime() - start > limitMs) throw new Error('Some jobs have not ended.');
        await this.clock.advance(1_000);
      }
    }
  }

  /** How many jobs ended how. */
  async outcomes(tenant: string, jobIds: readonly string[]): Promise<Record<string, number>> {
    const count: Record<string, number> = {};
    for (const jobId of jobIds) {
      const { job } = (await this.jobs.find(this.keyOf(tenant, jobId)))!;
      const outcome = isEnded(job) ? (job.failure ?? job.status) : 'open';
      count[outcome] = (count[outcome] ?? 0) + 1;
    }
    return count;
  }

  async #serve(run: (key: JobKey) => Promise<void>): Promise<never> {
    for (;;) {
      const key = await this.queue.take();
      await run(key);
      await settle();
    }
  }
}

/** Names of so many jobs. */
export const jobIds = (prefix: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
