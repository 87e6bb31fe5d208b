import { join } from 'node:path';
import { DEMO_FARM } from './demo/farms.js';
import { plantFarms } from './farmSeed.js';
import { localRows, type LocalStorage } from './localRows.js';
import { type Azurite, startAzurite } from './azurite/azuriteChild.js';
import { ownerFile } from './azurite/azuriteMessages.js';
import { awaitFormerOwner } from './azurite/directoryLock.js';
import { type Certificate, ensureCertificate } from './certificates.js';
import { forgetCodes } from './console/codes.js';
import { consoleOrigins } from './console/consoleAddress.js';
import { consoleSession } from './console/consoleSession.js';
import { letOriginsRead } from './azurite/readingRule.js';
import { DEMO_CUSTOMER, demoCustomer, localPeppers } from './demoCustomer.js';
import { coreToolsCommand, writeRoots } from './coreTools.js';
import type { StartOptions } from './options.js';
import { freePort } from './freePort.mjs';
import { anyPorts, choosePorts, type Ports } from './ports.js';
import { removeServiceFile, type ServiceFile } from './serviceFile.js';
import { localSettings, writeSettings } from './settings.js';
import { type Identity, startIdentity } from './standIns/identity.js';
import { DrawingThread } from './standIns/drawingThread.js';
import { startForeignTenant } from './standIns/foreignTenant.js';
import { startLicenceVault } from './standIns/licenceVault.js';
import { startLocalTopic } from './standIns/localTopic.js';
import { startStac } from './standIns/stac.js';
import { DEFAULT_TENANT } from './standIns/tenants.js';
import { startWeather } from './standIns/weather.js';
import { startStorageReader, type StorageReader } from './storageReader.js';
import { plantTenants } from './tenantSeed.js';
import { type SupervisedHost, superviseHost } from './supervisedHost.js';

type Variables = Readonly<Record<string, string | undefined>>;

export interface LocalEnvironment {
  readonly service: ServiceFile;
  /** Resolves with the reason when a part has ended without being asked to. */
  readonly failed: Promise<string>;
}

/** What the start needs beside the options. */
export interface StartContext {
  readonly user: Variables;
  /** Prints one line about the progress. */
  readonly say: (line: string) => void;
  /** Remembers how to end a part; parts are ended in reverse order. */
  readonly onStop: (end: () => Promise<void>) => void;
}

/** How long the token in service.json is good: a working day and the night after it. */
const tokenSeconds = 24 * 3600;

interface Started {
  readonly options: StartOptions;
  readonly context: StartContext;
  readonly certificate: Certificate;
  readonly ports: Ports;
  /** Undefined unless asked for. */
  readonly httpsPort: number | undefined;
}

/** What service.json is made from. */
interface RunningParts {
  readonly azurite: Azurite;
  readonly identity: Identity;
  readonly peppers: string;
}

function startStorage({ options, context, certificate, ports }: Started): Promise<Azurite> {
  return startAzurite({
    directory: options.directory,
    inMemory: options.inMemory,
    certificate,
    ports: { blob: ports.blob, queue: ports.queue, table: ports.table },
    onStop: context.onStop,
  });
}

/** The tenants' vaults, in the service's Entra tenant and in a foreign one. */
async function startVaults({ context, certificate, ports }: Started, identity: Identity) {
  const keyVault = await startLicenceVault({ certificate, identity, port: ports.keyVault });
  context.onStop(() => keyVault.close());
  const foreign = await startForeignTenant({ certificate, identity, ports });
  context.onStop(() => foreign.close());
  return { keyVault, foreign };
}

/** The signing keys are always kept, because `npm run token` reads them. */
async function startStandIns(started: Started) {
  const { options, context, certificate, ports } = started;
  const identity = await startIdentity({ directory: join(options.directory, 'identity'), port: ports.identity });
  context.onStop(() => identity.close());
  const drawing = new DrawingThread(new URL('sceneDrawer.mjs', import.meta.url));
  context.onStop(() => drawing.close());
  const vaults = await startVaults(started, identity);
  const csvFile = context.user['WEATHER_CSV'];
  const weather = await startWeather({ ...(csvFile === undefined ? {} : { csvFile }), port: ports.weather });
  context.onStop(() => weather.close());
  const stacFolder = context.user['STAC_DIR'];
  const stac = await startStac({
    render: drawing.render,
    ...options.catalogue,
    ...(stacFolder === undefined ? {} : { folder: stacFolder }),
    port: ports.stac,
  });
  context.onStop(() => stac.close());
  const eventGrid = options.eventGrid ? await startLocalTopic({ certificate, identity }) : undefined;
  if (eventGrid !== undefined) context.onStop(() => eventGrid.close());
  return { identity, ...vaults, weather, stac, eventGrid };
}

/** What Core Tools need beside the settings; ours needs none of it. */
function coreToolsSettings({ options, context, certificate }: Started): Record<string, string> {
  if (options.host === 'embedded') return {};
  return {
    CORE_TOOLS_COMMAND: coreToolsCommand(context.user),
    SSL_CERT_FILE: writeRoots(options.directory, context.user, certificate.caFile),
  };
}

const httpsSettings = (port: number, { keyFile, certificateFile }: Certificate): Record<string, string> => ({
  HTTPS_PORT: String(port),
  HTTPS_KEY_FILE: keyFile,
  HTTPS_CERTIFICATE_FILE: certificateFile,
});

function startHost(
  started: Started,
  settings: Readonly<Record<string, string>>,
  setUser: (pid: number) => void,
): SupervisedHost {
  const { options, context, certificate, httpsPort } = started;
  return superviseHost({
    directory: options.directory,
    environment: {
      ...context.user,
      ...settings,
      ...coreToolsSettings(started),
      PORT: String(options.port),
      ...(httpsPort === undefined ? {} : httpsSettings(httpsPort, certificate)),
      NODE_EXTRA_CA_CERTS: certificate.caFile,
    },
    restartsPerMinute: options.host === 'func' ? 0 : options.hostRestarts,
    onProcess: setUser,
    onRestart: (code) => {
      context.say(`The functions host ended (${code === null ? 'killed' : `exit code ${code}`}); it is started again.`);
    },
  });
}

/** An Azurite whose parent was killed is still saving; its folder and its ports are free afterwards. */
async function awaitEarlierCopy({ directory, inMemory }: StartOptions, say: StartContext['say']): Promise<void> {
  if (inMemory) return;
  await awaitFormerOwner({
    directory,
    file: ownerFile(directory),
    patienceMs: 5_000,
    endingMs: 120_000,
    onWaiting: () => {
      say(`Waiting for the earlier copy on ${directory} to save and end …`);
    },
  });
}

const peppersOf = ({ user }: StartContext, peppers: string): string => user['API_KEY_PEPPERS'] ?? peppers;

/** What the console reads pictures from, and is signed in by. */
async function startReader(
  { options, context, certificate, ports }: Started,
  { azurite, identity, peppers }: RunningParts,
): Promise<StorageReader> {
  const { directory } = options;
  const { partyId, farmId, pointOnSurface: point } = DEMO_FARM;
  forgetCodes(directory);
  const reader = await startStorageReader({
    blobEndpoint: azurite.endpoints.imageryBlob,
    caFile: certificate.caFile,
    port: ports.storageReader,
    redeem: consoleSession({
      directory,
      connectionString: azurite.connectionStrings.data,
      caFile: certificate.caFile,
      peppers: peppersOf(context, peppers),
      issueToken: () => identity.issueToken({ expiresInSeconds: tokenSeconds }),
      farm: { partyId, farmId, point },
    }),
  });
  context.onStop(() => reader.close());
  return reader;
}

/** What the running parts tell a program that wants to use the service. */
async function serviceOf(
  started: Started,
  { azurite, identity, peppers }: RunningParts,
): Promise<Omit<ServiceFile, 'baseUrl' | 'httpsUrl' | 'dataManagerUrl'>> {
  const { options, context, certificate } = started;
  const { apiKey, customer } = await demoCustomer({
    customer: DEMO_CUSTOMER,
    directory: options.directory,
    connectionString: azurite.connectionStrings.data,
    caFile: certificate.caFile,
    peppers: peppersOf(context, peppers),
  });
  return {
    jwt: identity.issueToken({ tenant: DEFAULT_TENANT, expiresInSeconds: tokenSeconds }),
    apiKey,
    customer,
    ...DEMO_FARM,
    blobEndpoint: azurite.endpoints.imageryBlob,
    caFile: certificate.caFile,
  };
}

/** The register of tenants, and their farms. */
async function plantData(storage: LocalStorage, tenants: string): Promise<void> {
  const rows = localRows(storage);
  await Promise.all([plantTenants(rows('tenants'), tenants), plantFarms(rows)]);
}

/** The addresses of the service, under which farm data answers too. */
const addressesOf = (
  baseUrl: string,
  { httpsPort }: Started,
): Pick<ServiceFile, 'baseUrl' | 'httpsUrl' | 'dataManagerUrl'> => ({
  baseUrl,
  ...(httpsPort === undefined ? {} : { httpsUrl: `https://127.0.0.1:${httpsPort}` }),
  dataManagerUrl: baseUrl,
});

/**
 * Brings the whole local environment up, each part ready before the next: certificate, Azurite, stand-ins, functions
 * host. What was started is remembered with the context, so that a start that fails ends it all the same.
 */
export async function startEnvironment(options: StartOptions, context: StartContext): Promise<LocalEnvironment> {
  const { directory } = options;
  await awaitEarlierCopy(options, context.say);
  const certificate = await ensureCertificate(directory, new Date());
  const ports = options.inMemory ? anyPorts : await choosePorts(directory, options.port);
  // A host that died comes back on the same port.
  const httpsPort = options.https ? ports.https || (await freePort()) : undefined;
  const started = { options, context, certificate, ports, httpsPort };
  const azurite = await startStorage(started);
  context.onStop(() => {
    removeServiceFile(directory);
    return Promise.resolve();
  });
  removeServiceFile(directory);
  const parts = { azurite, peppers: localPeppers(directory), ...(await startStandIns(started)) };
  const storageReader = await startReader(started, parts);
  const address = httpsPort === undefined ? `http://127.0.0.1:${options.port}` : `https://127.0.0.1:${httpsPort}`;
  const settings = localSettings({ ...parts, storageReader, address }, context.user);
  writeSettings(directory, settings);
  if (parts.eventGrid !== undefined) context.say(`What was sent to Event Grid: ${parts.eventGrid.publishedUrl}`);
  const { TENANTS: tenants = '{}' } = settings;
  await plantData({ connectionString: azurite.connectionStrings.data, caFile: certificate.caFile }, tenants);
  const host = startHost(started, settings, (pid) => {
    azurite.setUser(pid);
  });
  context.onStop(() => host.stop());
  const service = await serviceOf(started, parts);
  const baseUrl = await host.url;
  const imagery = { connectionString: azurite.connectionStrings.imagery, caFile: certificate.caFile };
  await letOriginsRead(imagery, consoleOrigins(baseUrl));
  storageReader.serve(baseUrl);
  return {
    failed: Promise.race([host.failed, azurite.ended.then((code) => `Azurite ended (exit code ${String(code)}).`)]),
    service: { ...addressesOf(baseUrl, started), ...service },
  };
}
