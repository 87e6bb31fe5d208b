/**
 * What the service does of itself while nobody calls and nothing is new: its timers, and the messages that these leave, on
 * counted storage. What the service is made of is known in this file alone; the test beside it says what may come out.
 */
import { functionTable } from '../../functions/functionTable.js';
import { parseSchedule } from '../../infra/local/functionsHost/schedule.js';
import { FaultScript } from '../../infra/local/standIns/http/faultScript.js';
import { startServer, type RunningServer } from '../../infra/local/standIns/http/server.js';
import type { ItemSource } from '../../infra/local/standIns/stac/itemSource.js';
import { searchReply } from '../../infra/local/standIns/stac/searchRoute.js';
import { readConfig, type Config } from '../../shared/wiring/settings/config.js';
import type { GeoBox } from '../../shared/scenes/place/footprint.js';
import { indexEnrollment } from '../../shared/imagery/interest/indexEnrollment.js';
import { TableInterestStore } from '../../shared/imagery/interest/tableInterestStore.js';
import { BlobInsightStore } from '../../shared/jobs/insight/blobInsightStore.js';
import { JobStore } from '../../shared/jobs/jobStore.js';
import { limiter } from '../../shared/kit/limiter.js';
import { enrollmentServices } from '../../shared/wiring/areas/enrollmentServices.js';
import { imageryServices } from '../../shared/wiring/areas/imageryServices.js';
import type { DataStorage } from '../../shared/wiring/clients/storageClients.js';
import { workPortsOf, workServices } from '../../shared/wiring/areas/workServices.js';
import type { Services } from '../../shared/wiring/services.js';
import { DUTY, dutyKind, openDuties, timeAfter } from '../../shared/work/upkeep/duty.js';
import type { WorkKey } from '../../shared/work/item/workItem.js';
import { anEnrollment } from '../enrollments/builders.js';
import { ImageryUnderTest } from '../imagery/imageryUnderTest.js';
import { itemOfScene } from '../imagery/service/shownCatalogue.js';
import { ManualClock } from '../support/manualClock.js';
import { MemoryBlobs } from '../support/memoryBlobs.js';
import { nobodyListens } from '../support/nobodyListens.js';

const NOW = '2026-06-15T05:30:00Z';
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** What these do is measured by itself: one calls as customers do, the other reads whatever is stored. */
const LEFT_OUT = ['upkeepCanary', 'upkeepBackup'];
const AT_ONCE = 16;
/** In which customers have fields, whichever their number. */
const TILES = 10;

/** What the service does again and again. */
interface Task {
  readonly name: string;
  readonly timesADay: number;
  /** Lets the time pass until it is due. */
  readonly wait: () => void;
  readonly run: () => Promise<unknown>;
}

const dutiesOfDay = functionTable.duties.filter(({ name }) => !LEFT_OUT.includes(name));

/** How often a timer ticks in a day. */
function timesOf(schedule: string): number {
  const next = parseSchedule(schedule);
  const end = Date.parse(NOW) + DAY_MS;
  let times = 0;
  for (let at = next(new Date(NOW)); at !== undefined && at.getTime() <= end; at = next(at)) times += 1;
  return times;
}

/** What a timer or a duty asks of storage, with what the sweeps of the next hour do for it. */
export interface TimerCost {
  readonly timer: string;
  readonly timesADay: number;
  /** Of one time, but for its messages. */
  readonly operations: number;
  /** Of one time, in its messages: for each tile of which somebody wants images. */
  readonly ofATile: number;
}

/** What all timers of a day ask of storage. @param tiles of which somebody wants images */
export const operationsOf = (day: readonly TimerCost[], tiles: number): number =>
  day.reduce((sum, { timesADay, operations, ofATile }) => sum + timesADay * (operations + ofATile * tiles), 0);

/** Items of every tile that is asked for, which show nobody's field. */
class ItemsBeside implements ItemSource {
  find({ tiles = [], ids = [], from, to, collections }: Parameters<ItemSource['find']>[0]) {
    const named = [...tiles, ...ids.map((id) => id.split('_')[1] ?? '')];
    const scenes = named.map((tile) => ({ tile, day: '2026-06-14', footprint: [0, 0, 1, 1] as const }));
    return scenes
      .map((scene) => itemOfScene(scene, '2026-06-14T16:00:00Z'))
      .filter(({ collection, properties }) => {
        const takenAt = Date.parse(properties.datetime);
        return collections.includes(collection) && takenAt >= from && takenAt <= to;
      });
  }

  item(): undefined {
    return undefined;
  }

  file(): undefined {
    return undefined;
  }
}

/** The settings of a service whose storage is handed in. */
const configFor = (catalogue: RunningServer): Config =>
  readConfig({
    DATA_STORAGE__tableServiceUri: 'https://data.table.core.windows.net',
    DATA_STORAGE__queueServiceUri: 'https://data.queue.core.windows.net',
    DATA_STORAGE__blobServiceUri: 'https://data.blob.core.windows.net',
    IMAGERY_STORAGE__blobServiceUri: 'https://imagery.blob.core.windows.net',
    BACKUP_STORAGE__blobServiceUri: 'https://backups.blob.core.windows.net',
    API_KEY_PEPPERS: JSON.stringify({ 1: Buffer.alloc(32, 1).toString('base64') }),
    JWT_ISSUERS: 'https://login.microsoftonline.com/{tid}/v2.0',
    JWT_AUDIENCE: '6f0b1c2d-3e4f-4a5b-8c6d-7e8f9a0b1c2d',
    JWKS_URI: 'https://login.microsoftonline.com/organizations/discovery/v2.0/keys',
    EARTH_SEARCH_URL: `${catalogue.url}/v1`,
    IMAGERY_HOSTS: new URL(catalogue.url).host,
  });

/** Storage whose requests are counted. */
export interface IdleStorage {
  readonly data: DataStorage;
  /** So far. */
  readonly requests: number;
  /** Takes all messages of a queue, as the host does. */
  take(queue: string): Promise<readonly string[]>;
  stop(): Promise<void>;
}

const nobody = { find: () => Promise.resolve(undefined), isEmpty: () => Promise.resolve(true) };
const unused = (): never => {
  throw new Error('An idle service has no use for this.');
};

/** The wiring of the service, but for what answers callers. */
function servicesOn(storage: DataStorage, config: Config, clock: ManualClock): Services {
  let ids = 0;
  const newId = (): string => String((ids += 1));
  const log = (): void => undefined;
  const surroundings = {
    tellers: nobodyListens,
    forWork: storage,
    credential: { getToken: unused },
    runTask: unused,
    clock,
    newId,
    log,
  };
  const work = workPortsOf(config, { storage, tenants: nobody, clock });
  const imagery = imageryServices(config, { ...surroundings, work, images: new MemoryBlobs() });
  const dutyPorts = { duties: dutiesOfDay, services: () => wired as unknown as Services, clock, log };
  const kinds = [...imagery.imageryKinds, dutyKind(dutyPorts, config.JOB_LEASE_SECONDS * 1000)];
  const wired: object = {
    ...{ config, clock, newId, log },
    ...enrollmentServices(config, { ...surroundings, forRequests: storage, beginMonitoring: unused }),
    ...workServices(kinds, work, { clock, newId, log, messages: (name) => storage.messages(name), putBack: unused }),
    openDuties: openDuties(dutyPorts, work.work),
    ...imagery,
    jobs: new JobStore(storage.rows('work')),
    insights: new BlobInsightStore(storage.blobs('insights')),
  };
  return wired as unknown as Services;
}

export class IdleService {
  customers = 0;
  readonly #storage: IdleStorage;
  readonly #catalogue: RunningServer;
  readonly #clock = new ManualClock(NOW);
  readonly #services: Services;

  private constructor(storage: IdleStorage, catalogue: RunningServer) {
    this.#storage = storage;
    this.#catalogue = catalogue;
    this.#services = servicesOn(storage.data, configFor(catalogue), this.#clock);
  }

  static async on(storage: IdleStorage): Promise<IdleService> {
    const source = new ItemsBeside();
    const catalogue = await startServer({
      answer: (exchange) => searchReply(source, exchange),
      script: new FaultScript(),
    });
    return new IdleService(storage, catalogue);
  }

  async stop(): Promise<void> {
    await this.#catalogue.close();
    await this.#storage.stop();
  }

  /** As many customers as that, each with a field in one of some tiles, which is looked through to today. */
  async growTo(customers: number): Promise<void> {
    const enrolling = limiter(AT_ONCE);
    const more = Array.from({ length: customers - this.customers }, (_, index) => this.customers + index);
    await Promise.all(more.map((number) => enrolling(() => this.#enrol(number, number % TILES))));
    this.customers = customers;
    // What is new of them is done: the first look of each sweep, and the scenes of their tiles.
    for (let round = 0; round < 2; round += 1) {
      for (const task of this.#tasks) await this.#run(task);
      this.#clock.jump(2 * HOUR_MS);
    }
    for (const task of this.#tasks) if (task.timesADay > 24) await this.#run(task);
  }

  /** What the timer and the duties of a day cost. */
  async day(): Promise<readonly TimerCost[]> {
    const costs: TimerCost[] = [];
    const idle = await this.#costOfSweeps();
    for (const task of this.#tasks) {
      const { name, timesADay } = task;
      const { own, ofMessages } = await this.#costOf(task);
      // What a night leaves, the sweeps find; those of a minute have nothing but themselves.
      const left = timesADay === 1 ? (await this.#costOfSweeps()) - idle : 0;
      costs.push({ timer: name, timesADay, operations: own + left, ofATile: ofMessages / TILES });
    }
    return costs;
  }

  get #tasks(): readonly Task[] {
    const timers = functionTable.timers.map(({ name, schedule, handle }): Task => {
      const timesADay = timesOf(schedule);
      const wait = (): void => {
        this.#clock.jump(DAY_MS / timesADay);
      };
      return { name, timesADay, wait, run: () => handle(this.#services) };
    });
    const duties = dutiesOfDay.map((duty): Task => {
      const times = duty.times(this.#services);
      const wait = (): void => {
        const now = this.#clock.now().getTime();
        this.#clock.jump(timeAfter(times, now) - now);
      };
      const run = (): Promise<unknown> => this.#services.handleWork({ kind: DUTY, id: `|${duty.name}` });
      return { name: duty.name, timesADay: DAY_MS / times.everyMs, wait, run };
    });
    return [...timers, ...duties];
  }

  /** The sweeps of a minute, an hour later. */
  async #costOfSweeps(): Promise<number> {
    this.#clock.jump(HOUR_MS + 1);
    const before = this.#storage.requests;
    for (const task of this.#tasks) if (task.timesADay === 1_440) await task.run();
    return this.#storage.requests - before;
  }

  /** Of one time, after another at its usual distance where there is one in an hour. */
  async #costOf(task: Task): Promise<{ readonly own: number; readonly ofMessages: number }> {
    if (task.timesADay > 24) await this.#run(task);
    task.wait();
    const before = this.#storage.requests;
    await task.run();
    const own = this.#storage.requests - before;
    return { own, ofMessages: await this.#deliver() };
  }

  async #run(task: Task): Promise<void> {
    task.wait();
    await task.run();
    await this.#deliver();
  }

  /** Handles all messages. @returns what they asked of storage; taking them is the host's */
  async #deliver(): Promise<number> {
    let operations = 0;
    for (const { queue, handle } of functionTable.queues) {
      for (const text of await this.#storage.take(queue)) {
        const message = JSON.parse(Buffer.from(text, 'base64').toString()) as WorkKey;
        // Each duty is measured by itself.
        if (message.kind === DUTY) continue;
        const before = this.#storage.requests;
        await handle(message, this.#services);
        operations += this.#storage.requests - before;
      }
    }
    return operations;
  }

  async #enrol(number: number, tile: number): Promise<void> {
    const services = this.#services;
    const [west, south] = [12.4 + 1.35 * (tile % 4), 48.3 + 0.9 * Math.floor(tile / 4)];
    const box: GeoBox = [west, south, west + 0.002, south + 0.0015];
    const customer = `customer-${number}`;
    await services.customers.insert({ customer, fieldLimit: 250, createdAt: Date.parse(NOW) });
    const enrollment = anEnrollment({ customer, enrollmentId: `e-${number}`, createdAt: Date.parse(NOW) });
    await services.enrollments.insert(enrollment);
    const stored = await services.enrollments.find(enrollment);
    await services.enrollments.replace(stored!, { ...enrollment, status: 'completed' });
    const made = new ImageryUnderTest(NOW);
    await made.enrol({ customer, enrollmentId: enrollment.enrollmentId, fields: [{ fieldId: 'north', box }] });
    const [field] = await made.fields.listFields(enrollment);
    const [holder] = await made.fields.listHolders(customer, 'north');
    if (field?.status !== 'ready' || holder === undefined) throw new Error('The field could not be made.');
    const outline = { geometry: { type: 'Polygon' as const, coordinates: [] }, bbox: box, areaHa: 1 };
    await services.fields.write(enrollment, [{ field, holder, replaces: undefined, outline }]);
    const interest = new TableInterestStore(this.#storage.data.rows('interest'));
    await indexEnrollment({ interest })(enrollment, [field]);
  }
}
