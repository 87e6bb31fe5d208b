// The only place of the simulated feed that knows the classes of today: which function runs when, on which stores.
import { imageryFeed } from '../../../../functions/imagery/feed.js';
import { imageryInterest, imageryReconcile } from '../../../../functions/imagery/nights.js';
import { discoveryWork, enrollmentsIngest, imageryLate, imageryLive } from '../../../../functions/work.js';
import { catalogueHttpClient } from '../../../../shared/scenes/stac/catalogueHttpClient.js';
import { askRetry } from '../../../../shared/imagery/discovery/backfill.js';
import { StacClient } from '../../../../shared/scenes/stac/stacClient.js';
import { readFeed } from '../../../../shared/imagery/discovery/readFeed.js';
import { planKind } from '../../../../shared/imagery/discovery/planEnrollment.js';
import { planReconciliation, tilesKind } from '../../../../shared/imagery/discovery/reconcile.js';
import { backfillKind } from '../../../../shared/imagery/discovery/runBackfill.js';
import { compareInterest } from '../../../../shared/imagery/interest/indexEnrollment.js';
import { productKind } from '../../../../shared/imagery/units/fanOut.js';
import { unitKind } from '../../../../shared/imagery/units/unitKind.js';
import type { Services } from '../../../../shared/wiring/services.js';
import { askProductOf } from '../../../../shared/wiring/areas/unitServices.js';
import { workQueues } from '../../../../shared/wiring/areas/workServices.js';
import { handleMessage } from '../../../../shared/http/triggers/queueFunction.js';
import type { Facts } from '../../../../shared/kit/telemetry/telemetry.js';
import { enqueuer } from '../../../../shared/work/enqueue.js';
import { handleWork } from '../../../../shared/work/handleWork.js';
import { lanesOf } from '../../../../shared/work/lanes/lanes.js';
import { sweepLanes } from '../../../../shared/work/upkeep/sweepLanes.js';
import { sweepWork } from '../../../../shared/work/upkeep/sweepWork.js';
import { FeedInMemory } from '../../../support/imageryInMemory.js';
import { LEASE_MS } from '../../imageryUnderTest.js';
import { UnitsUnderTest } from '../../units/unitsUnderTest.js';
import type { FeedDriver, StorageFault } from './feedWorld.js';
import { HostQueues, type QueueMessage } from './hostQueues.js';
import type { ShownCatalogue } from './shownCatalogue.js';
import type { WorldClock } from './worldClock.js';
import { places, type WorldTile } from './worldItems.js';

const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;
const url = 'https://catalogue.example/v1';

const queueFunctions = [enrollmentsIngest, discoveryWork, imageryLive, imageryLate];

interface Timer {
  readonly run: (services: Services) => Promise<unknown>;
  readonly everyMs: number;
  /** First tick of a day after midnight UTC. */
  readonly offsetMs: number;
}

/** The sweep of every minute ticks with the polls: that only makes things later. */
const timersOf = (pollMinutes: number): readonly Timer[] => [
  { run: ({ sweepWork }) => sweepWork(), everyMs: pollMinutes * MINUTE_MS, offsetMs: 0 },
  { run: imageryFeed.run, everyMs: pollMinutes * MINUTE_MS, offsetMs: 0 },
  // The times of both, one behind the other.
  { run: imageryInterest.run, everyMs: DAY_MS, offsetMs: 330 * MINUTE_MS },
  { run: imageryReconcile.run, everyMs: DAY_MS, offsetMs: 330 * MINUTE_MS },
];

const tickAfter = ({ everyMs, offsetMs }: Timer, instant: number): number =>
  (Math.floor((instant - offsetMs) / everyMs) + 1) * everyMs + offsetMs;

/** The store with one method that fails while a fault lasts. */
function faulty<T extends object>(store: T, method: keyof T, isFailing: (subject: string) => boolean): T {
  return new Proxy(store, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      return (subject: string, ...rest: unknown[]): unknown =>
        name === method && isFailing(subject)
          ? Promise.reject(new Error('Storage answered with HTTP status 503.'))
          : (member.call(target, subject, ...rest) as unknown);
    },
  });
}

/** Feed, nights, fan-out and units of today on stores in memory, started by the real functions. */
export class MemoryFeedDriver extends UnitsUnderTest implements FeedDriver {
  readonly queues: HostQueues;
  storageFault: StorageFault | undefined;
  override readonly clock: WorldClock;
  readonly #feed = new FeedInMemory();
  readonly #source: ShownCatalogue;
  readonly #timers: readonly Timer[];
  readonly #dueAt: Map<Timer, number>;
  #services: Services;
  #claims = 0;

  constructor(source: ShownCatalogue, clock: WorldClock, pollMinutes: number) {
    super();
    this.clock = clock;
    this.#source = source;
    this.queues = new HostQueues(clock);
    this.#timers = timersOf(pollMinutes);
    this.#dueAt = new Map(this.#timers.map((timer) => [timer, tickAfter(timer, clock.nowMs - 1)]));
    this.#services = this.#newProcess();
  }

  override get ports() {
    const asking = enqueuer(this.#workPorts);
    return {
      ...super.ports,
      enqueuer: asking,
      askRetry: askRetry(asking),
      catalogue: new StacClient({ catalogue: this.#source.name, url, getJson: this.#getJson() }),
      enrollments: faulty(this.enrollments, 'list', (customer) => this.#isFailing(customer)),
    };
  }

  override get unitPorts() {
    return {
      ...super.unitPorts,
      scenes: faulty(this.scenes, 'listDays', (tile) => this.#isFailing(tile)),
      enqueuer: enqueuer(this.#workPorts),
    };
  }

  async enrolField(customer: string, tile: WorldTile, startDate: string): Promise<void> {
    const fields = [{ fieldId: tile, box: places[tile].field }];
    await super.enrol({ customer, enrollmentId: `of-${customer}`, fields, request: { startDate } });
    // The plan enters the enrollment in the index.
    await this.forgetInterest(customer);
  }

  async forgetInterest(customer: string): Promise<void> {
    await this.interest.remove(this.interest.entries.filter((entry) => entry.customer === customer));
  }

  enrolWorld(): void {
    for (let index = 0; index <= 800; index += 1) void this.interest.rows.put('tiles', `tile ${index}`, {});
  }

  hasImage(customer: string, fieldId: string, day: string): boolean {
    return this.imagery.documents.has(`${customer}/field-imagery/sentinel-2/${fieldId}/${day}/metadata.json`);
  }

  nextAt(): number {
    return Math.min(this.queues.nextAt(), ...this.#dueAt.values());
  }

  restart(): void {
    this.#services = this.#newProcess();
  }

  async runNext(): Promise<void> {
    // Queues have instances of their own: a message never waits for a timer.
    const message = this.queues.take();
    const isDue = (timer: Timer): boolean => (this.#dueAt.get(timer) ?? Infinity) <= this.clock.nowMs;
    const timer = message === undefined ? this.#timers.find(isDue) : undefined;
    // A tick that was missed while another run lasted comes once.
    if (timer !== undefined) this.#dueAt.set(timer, tickAfter(timer, this.clock.nowMs));
    const isEnded = await this.clock.run(async () => {
      // A duty that fails is told, and tried again at its next time at the latest.
      if (timer !== undefined) await timer.run(this.#services).catch(() => undefined);
      if (message !== undefined) await this.#deliver(message);
    });
    if (isEnded) return;
    if (message !== undefined) this.queues.fail(message);
    this.restart();
  }

  async #deliver(message: QueueMessage): Promise<void> {
    const definition = queueFunctions.find(({ queue }) => queue === message.queue);
    // Dead letters wait for a duty, and the sweep finds their work before.
    if (definition === undefined) return;
    const around = { services: this.#services, write: () => undefined };
    await handleMessage(definition, message.body, around).catch(() => {
      this.queues.fail(message);
    });
  }

  /** The kernel of work on the queues of the host. */
  get #workPorts() {
    const { clock, kernel } = this;
    const queues = workQueues({ messages: (name) => this.queues.messagesOf(name) }, clock, () => undefined);
    const { store, laneStore } = kernel;
    const log = (event: string, facts?: Facts): void => void this.log.push({ event, facts: facts ?? {} });
    const lanes = lanesOf({ laneStore, queues, clock, log, slotsOf: () => Promise.resolve(2) });
    return { store, laneStore, lanes, queues, clock, log };
  }

  #isFailing(partition: string): boolean {
    const { storageFault: fault, clock } = this;
    return fault?.partition === partition && clock.nowMs >= fault.from && clock.nowMs < fault.to;
  }

  #getJson() {
    const egress = { pass: (text: string) => Promise.resolve(new URL(text)) };
    const { fetch } = this.#source;
    return catalogueHttpClient({
      fetch,
      clock: this.clock,
      egress,
      random: () => 0.5,
    });
  }

  /** What a process has when it begins: its services, with nothing in memory. */
  #newProcess(): Services {
    const { queues, unitPorts: ports } = this;
    const discovery = {
      ...ports,
      interest: this.interest,
      catalogueName: this.#source.name,
      catalogue: new StacClient({ catalogue: this.#source.name, url, getJson: this.#getJson() }),
      feed: this.#feed,
      askProduct: askProductOf(ports.enqueuer),
    };
    const compareAll = planReconciliation(discovery);
    const imagery = {
      compareInterest: compareInterest(this.ports),
      readFeed: readFeed({ ...discovery, compareAll: () => compareAll('silence') }),
      planReconciliation: () => compareAll('night'),
    };
    const kinds = [
      planKind(this.ports, LEASE_MS),
      backfillKind(this.ports, LEASE_MS),
      tilesKind(discovery, LEASE_MS),
      productKind(ports, LEASE_MS),
      unitKind(ports, LEASE_MS),
    ];
    const work = this.#workPorts;
    const newId = (): string => `claim-${(this.#claims += 1)}`;
    const ofWork = {
      handleWork: handleWork(
        { ...work, newId, random: () => 1, isHeld: () => Promise.resolve(false) },
        new Map(kinds.map((kind) => [kind.kind, kind])),
      ),
      sweepWork: async () => ({ ...(await sweepWork(work)()), ...(await sweepLanes(work)()) }),
      isDrained: () => Promise.resolve(false),
    };
    const putBack = (queue: string, message: unknown) => queues.send(queue, message, MINUTE_MS);
    // The functions of imagery use these services and no others.
    return { imagery, ...ofWork, putBack, clock: this.clock, log: ports.log } as unknown as Services;
  }
}
