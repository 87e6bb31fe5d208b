import type { JsonObject } from '../../kit/json/json.js';
import { insightIdOf } from './insightId.js';
import { usualPace } from '../../kit/retryDelay.js';
import { AttemptLost, type Attempt } from '../../work/item/attempt.js';
import { jobsLaneOf } from '../../work/lanes/lane.js';
import type { Failure, RetryPolicies } from '../../work/item/retry.js';
import type { WorkItem } from '../../work/item/workItem.js';
import type { Outcome, Step } from '../../work/item/workKind.js';
import { ended, failing, running, workOf, type Job, type JobEnd, type Outage } from '../job.js';
import { WITHDRAW, RERUN, type JobKindOptions, type JobKindPorts } from './jobSteps.js';
import { noticeOfEnd } from './jobNotices.js';
import { sayEnd } from './sayEnd.js';
import { withdrawAgain } from './withdrawStep.js';
import type { StoredJob } from '../jobPorts.js';
import { changeOf, jobKey } from '../jobRows.js';
import type { WorkOutcome } from './jobWork.js';
import type { Publisher } from './publishPort.js';
import { firstRerun } from '../rerun.js';

const HOUR_MS = 3_600_000;

/** Attempts a job gets before it is FAILED with the last reason. */
export const MAX_ATTEMPTS = 5;
/** Whoever is refused by one after the other, each for nearly as long as is waited, comes to an end all the same. */
const MOST_PATIENCES = 3;

/** The place of a job whose insight is computed and kept with us, and that the data manager has not taken yet. */
const PUBLICATION = 'publication';

/** An insight that is computed and kept with us, and what it lacks. */
interface Computed {
  readonly lacks?: string;
}

/** One attempt at a job that has not ended: work, publish, end. */
export const attemptStep = (ports: JobKindPorts, options: JobKindOptions, stored: StoredJob): Step =>
  new AttemptStep(ports, options, stored);

class AttemptStep implements Step {
  readonly retry: RetryPolicies;
  readonly waitsWhileHeld = true;
  readonly #ports: JobKindPorts;
  readonly #options: JobKindOptions;
  readonly #stored: StoredJob;
  /** The job as claimed. */
  #job: Job;
  /** Set once only the publication of the insight can still fail. */
  #computed: Computed | undefined;
  /** Set once the data manager is being told. */
  #told: JsonObject | undefined;

  constructor(ports: JobKindPorts, options: JobKindOptions, stored: StoredJob) {
    this.#ports = ports;
    this.#options = options;
    this.#stored = stored;
    this.#job = stored.job;
    const outage = { ...usualPace, maximumElapsedMs: this.#patienceMs };
    this.retry = { fault: { ...usualPace, maximumAttempts: MAX_ATTEMPTS }, outage, refusal: outage };
  }

  claim(item: WorkItem) {
    this.#job = running(this.#stored.job, item, this.#now());
    return changeOf(this.#stored, this.#job);
  }

  async run(attempt: Attempt): Promise<Outcome> {
    this.#sayRedrive(attempt);
    this.#computed = computedOf(attempt.item);
    if (this.#computed !== undefined && (await this.#publishKept(attempt))) return this.#succeeded(attempt);
    this.#computed = undefined;
    const outcome = await this.#options.work(this.#job, insightIdOf(this.#job), attempt.signal);
    return this.#outcomeOf(attempt, outcome);
  }

  async giveUp(attempt: Attempt, failure: string): Promise<Outcome> {
    const now = this.#now();
    const end = await this.#end(attempt, { status: 'FAILED', failure });
    // Any attempt may have published, and what this one has sent to the data manager may still be on its way.
    const until = Math.max(now, attempt.item.notBefore);
    const withdrawal = { kind: 'wait', until, place: { step: WITHDRAW }, leaving: {}, hasProgress: true } as const;
    return { ...withdrawal, ...end };
  }

  failureOf(error: unknown): Failure {
    const { fault, message, retryAfterSeconds } = this.#options.failureOf(error);
    const { code, dependency } = fault;
    const failure = { code, reason: `${code}: ${message}`, retryAfterSeconds };
    if (dependency === undefined) return { ...failure, failureClass: fault.retryable ? 'fault' : 'final' };
    const place = this.#computed && { step: PUBLICATION, state: { ...this.#computed } };
    return { ...failure, failureClass: 'outage', by: dependency, until: this.#until, place };
  }

  tell(attempt: Attempt, next: WorkItem, failure: Failure) {
    const told = { failure: failure.reason, outage: this.#outageOf(next, failure) };
    return this.#change(attempt, failing(this.#job, told, this.#now()));
  }

  /**
   * The data manager cannot be fenced: where it was told of a job that somebody has ended without success meanwhile, and
   * perhaps after that was taken back, it is to be taken back once more.
   */
  async lost(): Promise<void> {
    if (this.#told !== undefined) await withdrawAgain(this.#ports, this.#job, this.#told);
  }

  get #patienceMs(): number {
    return this.#options.patienceHours * HOUR_MS;
  }

  /** When waiting for what refuses the job ends, whoever refuses. */
  get #until(): number {
    return (this.#job.startedAt ?? this.#job.createdAt) + MOST_PATIENCES * this.#patienceMs;
  }

  #now(): number {
    return this.#ports.clock.now().getTime();
  }

  #change(attempt: Attempt, next: Job) {
    return changeOf({ job: this.#job, etag: attempt.etagOf(jobKey(this.#job)) }, next);
  }

  /** The command ran on the operator's machine: here its trace reaches the log of the service. */
  #sayRedrive({ item }: Attempt): void {
    const { tenant, solution, jobId, redrives } = this.#job;
    const redrive = redrives?.at(-1);
    if (redrive !== undefined && item.attempts === 1)
      this.#ports.log('Job:Redriven', { tenant, solution, jobId, ...redrive });
  }

  #publisher(attempt: Attempt): Publisher {
    const { signal } = attempt;
    return { signal, hold: () => attempt.hold(), tells: (trace) => (this.#told = trace) };
  }

  /** Publishes what an earlier attempt has computed; false when it is not there any more. */
  async #publishKept(attempt: Attempt): Promise<boolean> {
    await attempt.hold();
    return this.#ports.publishInsight.publishKept(this.#job, insightIdOf(this.#job), this.#publisher(attempt));
  }

  async #outcomeOf(attempt: Attempt, outcome: WorkOutcome): Promise<Outcome> {
    if (outcome.kind === 'unchanged') throw new Error('A job that has no insight yet cannot leave it unchanged.');
    const { insight, lacks } = outcome;
    this.#computed = lacks === undefined ? {} : { lacks };
    const publisher = this.#publisher(attempt);
    await attempt.hold();
    // Effect first, status after: an insight that no job points to is invisible, a status without insight would lie.
    if (!(await this.#ports.publishInsight.publish(this.#job, insight, publisher))) throw new AttemptLost();
    return this.#succeeded(attempt);
  }

  async #succeeded(attempt: Attempt): Promise<Outcome> {
    const lacks = this.#computed?.lacks;
    const insightId = insightIdOf(this.#job);
    if (lacks === undefined) return { kind: 'done', ...(await this.#end(attempt, { status: 'SUCCEEDED', insightId })) };
    const rerun = firstRerun(lacks, this.#now());
    const leaving = { askAgainIn: jobsLaneOf(workOf(this.#job)) };
    const next = { kind: 'wait', until: rerun.dueAt, place: { step: RERUN }, leaving, hasProgress: true } as const;
    return { ...next, ...(await this.#end(attempt, { status: 'SUCCEEDED', insightId, rerun })) };
  }

  async #end(attempt: Attempt, end: JobEnd) {
    const now = this.#now();
    const job = ended(this.#job, end, now);
    const { attempts } = attempt.item;
    const telling = await this.#ports.tellOfJob(job, noticeOfEnd(job));
    const after = (): Promise<void> => {
      sayEnd(this.#ports.log, job, { attempt: attempts, now });
      return telling.send();
    };
    return { beside: [...this.#change(attempt, job), ...telling.actions], after };
  }

  #outageOf(
    { failures, notBefore }: WorkItem,
    { by, code, retryAfterSeconds, until = Infinity }: Failure,
  ): Outage | undefined {
    const { outage } = failures;
    if (by === undefined || code === undefined || outage === undefined) return undefined;
    return {
      dependency: by,
      code,
      since: outage.since,
      until: Math.min(outage.since + this.#patienceMs, until),
      refusals: outage.count,
      ...(retryAfterSeconds === undefined ? {} : { askedSeconds: retryAfterSeconds }),
      nextAt: notBefore,
    };
  }
}

/** What an earlier attempt has computed and the data manager has not taken yet. */
function computedOf({ place }: WorkItem): Computed | undefined {
  if (place?.step !== PUBLICATION) return undefined;
  const lacks = place.state?.['lacks'];
  return typeof lacks === 'string' ? { lacks } : {};
}
