import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceUrls } from './accounts.js';
import { type AzuriteServer, loadServices, prepareProgram, type ServiceClasses } from './azuriteModules.js';
import { refuseScans } from './scanRule.js';

export interface AzuriteSettings {
  /** Folder of the data; in memory it stays empty. */
  readonly location: string;
  readonly inMemory: boolean;
  readonly certificateFile: string;
  readonly keyFile: string;
  readonly ports: { readonly blob: number; readonly queue: number; readonly table: number };
}

export interface AzuriteServers {
  readonly urls: ServiceUrls;
  /** Connections that are open now, over all services. */
  connectionCount(): Promise<number>;
  /** Closes the connections that are idle now. */
  closeIdleConnections(): void;
  /** Lets running requests finish, takes no more, and saves everything. */
  close(): Promise<void>;
}

const host = '127.0.0.1';
/** Azurite closes idle connections after 5 s by itself, which meets clients that are about to use them. */
const keepAliveSeconds = 30;

/** What all three configurations end with: strict about API versions, HTTPS, bearer tokens. */
const commonSettings = ({ certificateFile, keyFile, inMemory }: AzuriteSettings): readonly unknown[] => {
  const [isLoose, skipsApiVersionCheck, password, disablesProductStyleUrl] = [false, false, '', false];
  return [
    isLoose,
    skipsApiVersionCheck,
    certificateFile,
    keyFile,
    password,
    'basic',
    disablesProductStyleUrl,
    inMemory,
  ];
};

const noLogs = { access: [false, undefined], debug: [false, undefined] } as const;

function extentServer(name: 'blob' | 'queue', service: ServiceClasses, settings: AzuriteSettings): AzuriteServer {
  const database = join(settings.location, `__azurite_db_${name}__.json`);
  const extents = join(settings.location, `__azurite_db_${name}_extent__.json`);
  const folders = [
    { locationId: 'Default', locationPath: join(settings.location, `__${name}storage__`), maxConcurrency: 50 },
  ];
  const configuration = new service.configuration(
    host,
    settings.ports[name],
    keepAliveSeconds,
    database,
    extents,
    folders,
    ...noLogs.access,
    ...noLogs.debug,
    ...commonSettings(settings),
  );
  return new service.server(configuration);
}

function tableServer(parts: ServiceClasses, settings: AzuriteSettings): AzuriteServer {
  const [debug, access, stream, debugFile] = [false, false, undefined, undefined];
  const configuration = new parts.configuration(
    host,
    settings.ports.table,
    keepAliveSeconds,
    join(settings.location, '__azurite_db_table__.json'),
    debug,
    access,
    stream,
    debugFile,
    ...commonSettings(settings),
  );
  return new parts.server(configuration);
}

/** Counts the requests that a service works on. */
function activityOf({ httpServer }: AzuriteServer): () => number {
  let active = 0;
  httpServer.prependListener('request', (_request, response) => {
    active += 1;
    response.once('close', () => {
      active -= 1;
    });
  });
  return () => active;
}

function urlOf({ httpServer }: AzuriteServer): string {
  const address = httpServer.address();
  if (address === null || typeof address === 'string') throw new Error('Azurite does not listen on a port.');
  return `https://${host}:${address.port}`;
}

const connectionsOf = ({ httpServer }: AzuriteServer): Promise<number> =>
  new Promise((resolve) => {
    httpServer.getConnections((_cause, count) => {
      resolve(count);
    });
  });

/** Starts Azurite's three services in this process, without telemetry and without access logs. */
export async function startAzuriteServers(settings: AzuriteSettings): Promise<AzuriteServers> {
  const services = loadServices();
  prepareProgram(settings.location, settings.inMemory);
  const blob = extentServer('blob', services.blob, settings);
  const queue = extentServer('queue', services.queue, settings);
  const table = tableServer(services.table, settings);
  const servers = [blob, queue, table];
  for (const server of servers) await server.start();
  refuseScans(table.httpServer);
  // Azurite joins the parts of a body as texts, but for a transaction: a character across two parts would be lost.
  table.httpServer.prependListener('request', (request) => {
    if (request.url?.includes('$batch') !== true) request.setEncoding('utf8');
  });
  const activities = servers.map(activityOf);
  const isBusy = (): boolean => activities.some((active) => active() > 0);
  return {
    urls: { blob: urlOf(blob), queue: urlOf(queue), table: urlOf(table) },
    connectionCount: async () => (await Promise.all(servers.map(connectionsOf))).reduce((sum, count) => sum + count, 0),
    closeIdleConnections: () => {
      for (const { httpServer } of servers) httpServer.closeIdleConnections();
    },
    close: async () => {
      // A request whose answer is on its way must be in what is saved.
      const end = Date.now() + 5_000;
      while (isBusy() && Date.now() < end) await sleep(20);
      await Promise.all(servers.map((server) => server.close()));
    },
  };
}
