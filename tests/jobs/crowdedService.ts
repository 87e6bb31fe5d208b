import { jobFailureOf } from '../../shared/jobs/dataManager/jobFailure.js';
import { boundaryFaults, boundaryJobFaults } from '../../shared/kit/errors/boundaryFaults.js';
import { gddFaults, gddJobFaults } from '../../shared/kit/errors/catalogue.js';
import { isEnded, jobOfWork, type Job, type JobKey, type SolutionId } from '../../shared/jobs/job.js';
import type { JobWork } from '../../shared/jobs/steps/jobWork.js';
import type { JsonObject } from '../../shared/kit/json/json.js';
import type { LaneStore } from '../../shared/work/lanes/laneStore.js';
import type { Lanes } from '../../shared/work/lanes/lanes.js';
import type { WorkKey } from '../../shared/work/item/workItem.js';
import { JobsInMemory } from '../support/jobsInMemory.js';
import { ManualClock, settle } from '../support/manualClock.js';
import { MemoryMessages } from '../support/memoryMessages.js';

const SWEEP_MS = 60_000;

const jobOfMessage = (text: string): JobKey => jobOfWork(JSON.parse(text) as WorkKey);

/** A queue as the platform's, that wakes its workers: messages are hidden until they are due, and some may get lost. */
class SimulatedQueue extends MemoryMessages {
  /** How many messages were sent, taken and lost ones among them. */
  count = 0;
  /** Whether the next message is taken and never seen again. */
  loses: (key: JobKey) => boolean = () => false;
  readonly #clock: ManualClock;
  readonly #idle: (() => void)[] = [];

  constructor(clock: ManualClock) {
    super(() => clock.now().getTime());
    this.#clock = clock;
  }

  override async send(text: string, delaySeconds: number): Promise<void> {
    this.count += 1;
    if (this.loses(jobOfMessage(text))) return;
    await super.send(text, delaySeconds);
    if (delaySeconds === 0) this.#wake();
    else
      void this.#clock.sleep(delaySeconds * 1000).then(() => {
        this.#wake();
      });
  }

  /** The next message that is due, as soon as there is one. */
  async next(): Promise<string> {
    for (;;) {
      const text = this.take();
      if (text !== undefined) return text;
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
  /** How many slots each lane has. */
  readonly slots: (lane: string) => number;
}

/** The service in simulated time: creates, fetches, workers that take messages, a sweep every minute. */
export class CrowdedService {
  readonly clock = new ManualClock();
  readonly queue = new SimulatedQueue(this.clock);
  /** When each job ended, milliseconds since 1970 UTC. */
  readonly ends = new Map<string, number>();
  readonly #solution: SolutionId;
  readonly #instance: JobsInMemory;

  constructor({ solution, work, workers, slots }: CrowdOptions) {
    this.#solution = solution;
    const failureOf = jobFailureOf(solution === 'partnerAgPowered.gdd' ? gddJobFaults : boundaryJobFaults);
    // The work may name the lanes of the service, which are there only behind this line.
    const run: JobWork = (...look) => workHere(...look);
    this.#instance = new JobsInMemory(run, { clock: this.clock, messages: this.queue, failureOf });
    this.#instance.kernel.slotsOf = slots;
    const workHere = work(this);
    for (let worker = 0; worker < workers; worker += 1) void this.#serve();
    this.clock.every(SWEEP_MS, () => void this.#instance.kernel.sweep());
  }

  get lanes(): Lanes {
    return this.#instance.kernel.lanes;
  }

  get laneStore(): LaneStore {
    return this.#instance.kernel.laneStore;
  }

  /** How many tickets wait in all lanes. */
  waitingTickets(): Promise<number> {
    return this.#instance.kernel.waitingTickets();
  }

  keyOf(tenant: string, jobId: string): JobKey {
    return { tenant, solution: this.#solution, jobId };
  }

  async create(tenant: string, jobId: string, parameters: JsonObject = {}): Promise<void> {
    const exists = this.#solution === 'partnerAgPowered.gdd' ? gddFaults.jobExists : boundaryFaults.jobExists;
    await this.#instance.create(this.keyOf(tenant, jobId), { parameters, exists });
  }

  fetch(tenant: string, jobId: string): Promise<Job> {
    return this.#instance.fetch(this.keyOf(tenant, jobId));
  }

  async cancel(tenant: string, jobId: string): Promise<void> {
    const { lastActionAt } = await this.#instance.cancel(this.keyOf(tenant, jobId));
    this.ends.set(jobId, lastActionAt);
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
      const job = await this.#instance.job(this.keyOf(tenant, jobId));
      const outcome = isEnded(job) ? (job.failure ?? job.status) : 'open';
      count[outcome] = (count[outcome] ?? 0) + 1;
    }
    return count;
  }

  async #serve(): Promise<never> {
    for (;;) {
      const key = jobOfMessage(await this.queue.next());
      await this.#instance.run(key);
      const job = await this.#instance.job(key);
      if (isEnded(job)) this.ends.set(key.jobId, job.lastActionAt);
      await settle();
    }
  }
}

/** Names of so many jobs. */
export const jobIds = (prefix: string, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${prefix}-${index}`);
