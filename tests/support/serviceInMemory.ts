/**
 * The whole service in one process: its own wiring, routes, queues and duties over storage in memory, with the stand-ins of
 * the local environment around it. Nothing leaves the machine, and time is moved by hand.
 */
import { HttpRequest } from '@azure/functions';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { functionTable } from '../../functions/functionTable.js';
import { ownTenants, plantFarms } from '../../infra/local/farmSeed.js';
import { startIdentity, type Identity } from '../../infra/local/standIns/identity.js';
import { startStac, type StacStandIn } from '../../infra/local/standIns/stac.js';
import { startWeather, type Weather } from '../../infra/local/standIns/weather.js';
import { readConfig, settings, type Config } from '../../shared/wiring/settings/config.js';
import { createCustomer } from '../../shared/access/customers/manageCustomers.js';
import { CustomerStore } from '../../shared/access/customers/customerStore.js';
import { handleRequest } from '../../shared/http/handleRequest.js';
import { randomId } from '../../shared/kit/ids.js';
import { createServices, type Services } from '../../shared/wiring/services.js';
import type { DataStorage } from '../../shared/wiring/clients/storageClients.js';
import { importTenants } from '../../shared/access/tenants/manageTenants.js';
import { TenantStore } from '../../shared/access/tenants/tenantStore.js';
import { handleMessage } from '../../shared/http/triggers/queueFunction.js';
import type { ServiceDuty, ServiceRoute } from '../../shared/wiring/declare.js';
import { ManualClock } from './manualClock.js';
import { MemoryBlobs } from './memoryBlobs.js';
import { MemoryMessages } from './memoryMessages.js';
import { MemoryRows } from './memoryRows.js';

const peppers = JSON.stringify({ 1: Buffer.alloc(32, 1).toString('base64') });

/** What the service talks to beside storage. */
interface Around {
  readonly identity: Identity;
  readonly weather: Weather;
  readonly stac: StacStandIn;
}

async function startAround(folder: string, scenes: string, clock: ManualClock): Promise<Around> {
  const [identity, weather, stac] = await Promise.all([
    startIdentity({ directory: folder, clock }),
    startWeather({ clock }),
    startStac({ folder: scenes, clock }),
  ]);
  return { identity, weather, stac };
}

const configFor = ({ identity, weather, stac }: Around): Config =>
  readConfig({
    DATA_STORAGE__tableServiceUri: 'https://data.table.core.windows.net',
    DATA_STORAGE__queueServiceUri: 'https://data.queue.core.windows.net',
    DATA_STORAGE__blobServiceUri: 'https://data.blob.core.windows.net',
    IMAGERY_STORAGE__blobServiceUri: 'https://imagery.blob.core.windows.net',
    BACKUP_STORAGE__blobServiceUri: 'https://backups.blob.core.windows.net',
    API_KEY_PEPPERS: peppers,
    JWT_ISSUERS: identity.issuerPattern,
    JWT_AUDIENCE: identity.audience,
    JWKS_URI: identity.jwksUri,
    WEATHER_SOURCE: 'nasa-power,met-norway',
    WEATHER_CONTACT: 'tests@partner-field-service.example',
    NASA_POWER_URL: weather.powerUrl,
    MET_NORWAY_URL: weather.metNorwayUrl,
    TERRAIN_URL: weather.terrainUrl,
    EARTH_SEARCH_URL: stac.apiUrl,
    IMAGERY_HOSTS: stac.host,
  });

/** One thing of each name, made when it is first asked for. */
function named<T>(make: () => T): (name: string) => T {
  const made = new Map<string, T>();
  return (name) => {
    const one = made.get(name) ?? make();
    made.set(name, one);
    return one;
  };
}

const unused = (): never => {
  throw new Error('Storage in memory has no clients.');
};

/** Exports go into a container of the service's client alone, which storage in memory has not. */
const noContainer = undefined as never;

export interface ServiceOptions {
  /** ISO 8601. */
  readonly now: string;
  /** What the service does of itself; all of it when absent. */
  readonly duties?: readonly ServiceDuty[];
}

interface ServiceParts {
  readonly clock: ManualClock;
  readonly duties: readonly ServiceDuty[];
}

export interface SentRequest {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

export class ServiceInMemory {
  readonly clock: ManualClock;
  readonly around: Around;
  readonly images: MemoryBlobs;
  readonly insights: MemoryBlobs;
  /** What was logged. */
  readonly lines: string[] = [];
  readonly #folder: string;
  readonly #services: Services;
  readonly #rows: (name: string) => MemoryRows;
  readonly #queues: (name: string) => MemoryMessages;

  private constructor(folder: string, around: Around, { clock, duties }: ServiceParts) {
    const now = (): number => clock.now().getTime();
    const blobs = named(() => new MemoryBlobs(now));
    this.#folder = folder;
    this.around = around;
    this.clock = clock;
    this.#rows = named(() => new MemoryRows());
    this.#queues = named(() => new MemoryMessages(now));
    this.images = new MemoryBlobs(now);
    this.insights = blobs('insights');
    const clients = { table: unused, queue: unused, container: unused };
    const data: DataStorage = { ...clients, rows: this.#rows, messages: this.#queues, blobs };
    const storage = {
      data: () => data,
      imagery: () => this.images,
      backups: () => noContainer,
      tombstones: () => blobs('tombstones'),
    };
    this.#services = createServices(configFor(around), duties, { storage, clock });
  }

  /** @param scenes folder of STAC items with their files */
  static async start(scenes: string, { now, duties = functionTable.duties }: ServiceOptions): Promise<ServiceInMemory> {
    const clock = new ManualClock(now);
    const folder = mkdtempSync(join(tmpdir(), 'service-'));
    const around = await startAround(folder, scenes, clock);
    const { identityEndpoint, identityHeader } = around.identity;
    Object.assign(process.env, { IDENTITY_ENDPOINT: identityEndpoint, IDENTITY_HEADER: identityHeader });
    const service = new ServiceInMemory(folder, around, { clock, duties });
    const tenants = new TenantStore(service.#rows('tenants'), randomId);
    const isThere = () => Promise.resolve(true);
    const register = { tenants, hasJobs: isThere, hasFarmData: isThere, clock, by: 'test' };
    await importTenants(register)(JSON.stringify(ownTenants));
    await plantFarms(service.#rows);
    return service;
  }

  async stop(): Promise<void> {
    await Promise.all(Object.values(this.around).map((standIn: { close: () => Promise<void> }) => standIn.close()));
    delete process.env['IDENTITY_ENDPOINT'];
    delete process.env['IDENTITY_HEADER'];
    rmSync(this.#folder, { recursive: true });
  }

  /** A customer with its key. */
  async newCustomer(customer: string): Promise<string> {
    const customers = new CustomerStore(this.#rows('customers'));
    const ports = { customers, peppers: settings.API_KEY_PEPPERS.parse(peppers), clock: this.clock };
    return (await createCustomer(ports)(customer, 250)).apiKey;
  }

  /** Calls an operation as the host does. @returns its name. @throws what it answers when it refuses */
  async call(route: ServiceRoute, { headers = {}, body }: SentRequest): Promise<string> {
    const url = `http://service/${route.path}`;
    const request = new HttpRequest({ method: route.method, url, headers: { ...headers }, body: { bytes: body } });
    const answer = await handleRequest(route, request, this.#surroundings);
    if (answer.status !== route.success.status) throw new Error(`${route.name} answered ${JSON.stringify(answer)}`);
    return route.name;
  }

  /** Plans the duties, as the first sweep of a process does. */
  openDuties(): Promise<void> {
    return this.#services.openDuties();
  }

  /** Hands every message that is visible to its function, until there is none. @returns the queues, in order */
  async deliver(): Promise<readonly string[]> {
    const taken: string[] = [];
    for (let isLeft = true; isLeft;) {
      isLeft = false;
      for (const queue of functionTable.queues) {
        const text = this.#queues(queue.queue).take();
        if (text === undefined) continue;
        isLeft = true;
        taken.push(queue.queue);
        await this.#whileTimePasses(handleMessage(queue, JSON.parse(text), this.#surroundings));
      }
    }
    return taken;
  }

  /**
   * Moves the clock on with the real one until the work is done: on a busy machine a request to a stand-in may fail, and
   * the pause before its next try would never end.
   */
  async #whileTimePasses(work: Promise<void>): Promise<void> {
    const passing = setInterval(() => void this.clock.advance(1000), 1000);
    await work.finally(() => {
      clearInterval(passing);
    });
  }

  /** Names of the duties that were done. */
  dutiesDone(): readonly string[] {
    const events = this.lines.map((line) => JSON.parse(line) as { readonly event: string; readonly operation: string });
    return events.filter(({ event }) => event === 'Duty:Done').map(({ operation }) => operation);
  }

  get #surroundings() {
    return { services: this.#services, write: (line: string) => void this.lines.push(line) };
  }
}
