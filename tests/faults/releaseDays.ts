// A release amid jobs and a backfill, in this process with a clock that is moved by hand: the product's own drain, tick,
// queue functions, work items and leases. Experiments build it, with a protection taken out when they must fail.
import type { JobWork } from '../../shared/jobs/steps/jobWork.js';
import { serviceState } from '../../shared/operate/commands/serviceState.js';
import type { Services } from '../../shared/wiring/services.js';
import { workFunction } from '../../shared/http/triggers/workFunction.js';
import { DrainStore, drainWatch } from '../../shared/work/upkeep/drain.js';
import { retryOfStorage, failureOf } from '../../shared/work/item/retry.js';
import { tick, TickStore } from '../../shared/work/upkeep/tick.js';
import type { WorkKey } from '../../shared/work/item/workItem.js';
import { done, type WorkKind } from '../../shared/work/item/workKind.js';
import { insightOf } from '../jobs/works.js';
import { JobsInMemory } from '../support/jobsInMemory.js';
import { ManualClock, settle } from '../support/manualClock.js';
import { MemoryRows } from '../support/memoryRows.js';

const SECOND_MS = 1_000;
const MINUTE_S = 60;
const LEASE_MS = 60_000;
/** Messages that one process works on at once. */
const WORKERS = 8;
const SHORTEST_JOB_S = 20;
const LONGEST_JOB_S = 70;
const DAY_OF_BACKFILL_S = 45;
const DAYS = 40;
/** The release begins amid the work, waits for it ten minutes at most, and its new process comes half a minute later. */
const RELEASE_AT_S = 120;
const LONGEST_WAIT_S = 600;
const SWITCH_S = 30;
const LONGEST_S = 4 * 3_600;
const BACKFILL_KIND = 'backfill';
const BACKFILL: WorkKey = { kind: BACKFILL_KIND, id: 'acres|e1' };

export interface ReleaseDaysOptions {
  readonly random: () => number;
  readonly jobs: number;
}

/** A clock of one process: for a process that is dead no sleep ends and nothing is renewed. */
class ProcessClock extends ManualClock {
  readonly #clock: ManualClock;
  isDead = false;

  constructor(clock: ManualClock) {
    super();
    this.#clock = clock;
  }

  override now(): Date {
    return this.#clock.now();
  }

  override async sleep(milliseconds: number): Promise<void> {
    await this.#clock.sleep(milliseconds);
    if (this.isDead) await new Promise(() => undefined);
  }

  override every(milliseconds: number, action: () => void): () => void {
    return this.#clock.every(milliseconds, () => {
      if (!this.isDead) action();
    });
  }
}

class World {
  readonly clock = new ManualClock();
  readonly limits = new MemoryRows();
  readonly drains = new DrainStore(this.limits);
  readonly ticks = new TickStore(this.limits);
  /** How often each job and each day of the backfill was begun. */
  readonly begun = new Map<string, number>();
  beganDrained = 0;
  readonly #jobs: JobsInMemory;
  readonly #random: () => number;
  #present: ProcessClock;
  #busy = 0;

  constructor(random: () => number) {
    this.#random = random;
    this.#present = new ProcessClock(this.clock);
    // The kernel's clock is that of the process which is there.
    this.#jobs = new JobsInMemory(this.#job, { clock: this.#switching() });
  }

  get kernel() {
    return this.#jobs.kernel;
  }

  create(jobId: string): Promise<unknown> {
    return this.#jobs.create({ tenant: 'tenant-a', solution: 'partnerAgPowered.gdd', jobId });
  }

  async startBackfill(): Promise<void> {
    await this.kernel.enqueuer.ask(BACKFILL);
  }

  /** The process is killed, and another one comes. */
  async replaceProcess(): Promise<void> {
    this.#present.isDead = true;
    for (let second = 0; second < SWITCH_S; second += 1) await this.clock.advance(SECOND_MS);
    this.#present = new ProcessClock(this.clock);
    this.#busy = 0;
    this.#startTicking();
  }

  /** A second of the present process: free workers take what can be taken. */
  async second(): Promise<void> {
    while (this.#busy < WORKERS) {
      const text = this.kernel.messages.take();
      if (text === undefined) break;
      this.#busy += 1;
      const process = this.#present;
      void this.#taken(JSON.parse(text) as WorkKey).finally(() => {
        if (process === this.#present) this.#busy -= 1;
      });
    }
    await settle();
    await this.clock.advance(SECOND_MS);
  }

  async state() {
    const deadLetters = () => Promise.resolve({});
    const { store } = this.kernel;
    const holds = { list: () => Promise.resolve([]) };
    return serviceState({ store, holds, drains: this.drains, ticks: this.ticks, deadLetters, clock: this.clock });
  }

  async statuses(ids: readonly string[]): Promise<readonly string[]> {
    const keyOf = (jobId: string) => ({ tenant: 'tenant-a', solution: 'partnerAgPowered.gdd', jobId }) as const;
    return Promise.all(ids.map(async (id) => (await this.#jobs.job(keyOf(id))).status));
  }

  /** The host's timer, and what it runs. */
  #startTicking(): void {
    const isDrained = drainWatch({ drains: this.drains, clock: this.clock });
    this.#isDrained = isDrained;
    const run = tick({ ticks: this.ticks, isDrained, sweep: () => this.kernel.sweep(), clock: this.clock });
    this.#present.every(MINUTE_S * SECOND_MS, () => void run());
  }
  #isDrained: () => Promise<boolean> = () => Promise.resolve(false);

  begin(): void {
    this.#startTicking();
  }

  async #taken(key: WorkKey): Promise<void> {
    const services = {
      isDrained: this.#isDrained,
      handleWork: (work: WorkKey) => this.#handle(work),
      putBack: (_queue: string, message: unknown, seconds: number) =>
        this.kernel.messages.send(JSON.stringify(message), seconds),
    } as unknown as Services;
    await workFunction('gddCalculate', 'jobs-gdd').handle(key, services);
  }

  #handle(key: WorkKey): Promise<void> {
    if (key.kind === BACKFILL_KIND) return this.kernel.handle(key, this.#backfill);
    const jobId = key.id.split('|')[1] ?? '';
    return this.#jobs.run({ tenant: 'tenant-a', solution: 'partnerAgPowered.gdd', jobId });
  }

  async #began(what: string): Promise<void> {
    this.begun.set(what, (this.begun.get(what) ?? 0) + 1);
    const drain = await this.drains.find();
    // A process believes its reading for ten seconds.
    if (drain !== undefined && this.clock.now().getTime() > this.#drainedAt + 11 * SECOND_MS) this.beganDrained += 1;
  }
  #drainedAt = 0;

  async drain(): Promise<void> {
    this.#drainedAt = this.clock.now().getTime();
    await this.drains.start({ until: this.#drainedAt + 30 * MINUTE_S * SECOND_MS, by: 'pipeline' });
  }

  readonly #job: JobWork = async ({ jobId }, insightId) => {
    await this.#began(`job ${jobId}`);
    const seconds = SHORTEST_JOB_S + this.#random() * (LONGEST_JOB_S - SHORTEST_JOB_S);
    await this.#present.sleep(seconds * SECOND_MS);
    return { kind: 'done', insight: insightOf(insightId) };
  };

  /** An archive, a day a step: the next attempt goes on where the one before has stopped. */
  readonly #backfill: WorkKind = {
    kind: BACKFILL_KIND,
    leaseMs: LEASE_MS,
    begin: (item) => {
      const day = Number(item.place?.state?.['day'] ?? 0);
      const run = async () => {
        await this.#began(`day ${day}`);
        await this.#present.sleep(DAY_OF_BACKFILL_S * SECOND_MS);
        if (day + 1 === DAYS) return done;
        const place = { step: 'day', state: { day: day + 1 } };
        return { kind: 'wait', until: this.clock.now().getTime(), hasProgress: true, place } as const;
      };
      return Promise.resolve({ retry: retryOfStorage, run, giveUp: () => Promise.resolve(done), failureOf });
    },
  };

  #switching(): ManualClock {
    const present = (): ProcessClock => this.#present;
    return new (class extends ManualClock {
      override now = (): Date => present().now();
      override sleep = (milliseconds: number): Promise<void> => present().sleep(milliseconds);
      override every = (milliseconds: number, action: () => void) => present().every(milliseconds, action);
    })();
  }
}

/** A release while jobs and a backfill are at work. */
export async function releaseDays({ random, jobs }: ReleaseDaysOptions) {
  const world = new World(random);
  world.begin();
  const ids = Array.from({ length: jobs }, (_, index) => `job-${index}`);
  for (const id of ids) await world.create(id);
  await world.startBackfill();
  await passSeconds(world, RELEASE_AT_S);
  const openBefore = (await world.state()).open;
  const released = await release(world);
  let seconds = 0;
  for (; seconds < LONGEST_S && (await world.state()).open > 0; seconds += MINUTE_S) await passSeconds(world, MINUTE_S);
  const twice = [...world.begun].filter(([, times]) => times > 1).map(([what]) => what);
  const breaches = [
    ...(released.hasTicked ? [] : ['no tick came after the release']),
    ...twice.map((what) => `${what} was begun again`),
    ...(await failuresOf(world, ids)),
  ];
  const { waitedSeconds, killed } = released;
  const minutesAfter = seconds / MINUTE_S;
  return {
    counts: { jobs, days: DAYS, openBefore, waitedSeconds, killed, twice: twice.length, minutesAfter },
    breaches,
  };
}

async function passSeconds(world: World, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) await world.second();
}

/** What a release does: it waits for what is at work, switches the process, waits for a tick, and ends the drain. */
async function release(world: World) {
  await world.drain();
  let waitedSeconds = 0;
  for (; waitedSeconds < LONGEST_WAIT_S && (await world.state()).atWork > 0; waitedSeconds += 5) {
    await passSeconds(world, 5);
  }
  const { atWork: killed, lastTick } = await world.state();
  await world.replaceProcess();
  await passSeconds(world, MINUTE_S + 1);
  const hasTicked = (await world.state()).lastTick !== lastTick;
  await world.drains.end();
  return { waitedSeconds, killed, hasTicked };
}

async function failuresOf(world: World, ids: readonly string[]): Promise<readonly string[]> {
  const failed = (await world.statuses(ids)).filter((status) => status !== 'SUCCEEDED').length;
  const failures = world.kernel.events.filter((event) => event === 'Work:AttemptFailed').length;
  const all = ids.length + DAYS;
  return [
    ...(failed > 0 ? [`I1: ${failed} jobs have not SUCCEEDED`] : []),
    ...(failures > 0 ? [`${failures} attempts failed`] : []),
    ...(world.begun.size === all ? [] : [`${world.begun.size} of ${all} pieces of work were begun`]),
    ...(world.beganDrained > 0 ? [`${world.beganDrained} pieces of work began during the drain`] : []),
  ];
}
