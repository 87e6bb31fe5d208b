import Module, { createRequire } from 'node:module';
import type { Server } from 'node:https';
import { dirname, join } from 'node:path';

/** A service of Azurite: blob, queue or table. */
export interface AzuriteServer {
  readonly httpServer: Server;
  start(): Promise<void>;
  /** Takes no more requests and saves everything. */
  close(): Promise<void>;
}

type Configuration = object;
type ConfigurationClass = new (...settings: readonly unknown[]) => Configuration;
type ServerClass = new (configuration: Configuration) => AzuriteServer;

export interface BlobContext {
  readonly contextId: string;
  readonly account: string;
  readonly container: string | undefined;
  readonly blob: string | undefined;
}

export interface SasRequest {
  /** Decoded once; undefined when absent or repeated. */
  getQuery(name: string): string | undefined;
  getProtocol(): string;
}

/** A request on its way through Azurite. */
export interface DispatchedContext {
  readonly operation: number;
  readonly context: object;
}

type SasValidation = (
  this: SasAuthenticator,
  request: SasRequest,
  context: DispatchedContext,
) => Promise<boolean | undefined>;

export interface SasAuthenticator {
  readonly accountDataStore: { getAccount(name: string): { readonly key1: Buffer } | undefined };
  /** Undefined = this authenticator has no opinion. */
  validate: SasValidation;
  validateTime(expiry?: string, start?: string): boolean;
  validateProtocol(allowed: string | undefined, actual: string): boolean;
}

interface Default<T> {
  readonly default: T;
}

const require = createRequire(import.meta.url);
const root = dirname(require.resolve('azurite/package.json'));
leaveTelemetryOut();
const load = (path: string): unknown => require(join(root, 'dist/src', path));

/** The parts of Azurite 3.37.0 that the directory SAS check needs. They are internal: hence the exact version. */
export interface SasParts {
  readonly authenticator: { readonly prototype: SasAuthenticator };
  readonly blobContext: new (context: DispatchedContext) => BlobContext;
  readonly errors: Readonly<Record<string, (contextId: string) => Error>>;
  /** Number of each operation by name. */
  readonly operations: Readonly<Record<string, number>>;
  /** What each operation needs of the permissions a SAS on a container grants. */
  readonly permissions: ReadonlyMap<number, { validatePermissions(granted: string): boolean }>;
  /** Base64 key of a delegation key's own fields. */
  readonly delegationKey: (...fields: readonly string[]) => string;
}

export function loadSasParts(): SasParts {
  const permissions = load('blob/authentication/OperationBlobSASPermission') as {
    readonly OPERATION_BLOB_SAS_CONTAINER_PERMISSIONS: SasParts['permissions'];
  };
  const utilities = load('blob/utils/utils') as { readonly getUserDelegationKeyValue: SasParts['delegationKey'] };
  return {
    authenticator: (load('blob/authentication/BlobSASAuthenticator') as Default<SasParts['authenticator']>).default,
    blobContext: (load('blob/context/BlobStorageContext') as Default<SasParts['blobContext']>).default,
    errors: (load('blob/errors/StorageErrorFactory') as Default<SasParts['errors']>).default,
    operations: (load('blob/generated/artifacts/operation') as Default<SasParts['operations']>).default,
    permissions: permissions.OPERATION_BLOB_SAS_CONTAINER_PERMISSIONS,
    delegationKey: utilities.getUserDelegationKeyValue,
  };
}

/** The classes of one service. */
export interface ServiceClasses {
  readonly configuration: ConfigurationClass;
  readonly server: ServerClass;
}

const classesOf = (configuration: string, server: string): ServiceClasses => ({
  configuration: (load(configuration) as Default<ConfigurationClass>).default,
  server: (load(server) as Default<ServerClass>).default,
});

/** The classes of the three services. */
export const loadServices = (): Readonly<Record<'blob' | 'queue' | 'table', ServiceClasses>> => ({
  blob: classesOf('blob/BlobConfiguration', 'blob/BlobServer'),
  queue: classesOf('queue/QueueConfiguration', 'queue/QueueServer'),
  table: classesOf('table/TableConfiguration', 'table/TableServer'),
});

/**
 * Telemetry is off (`prepareProgram`), but its library would be loaded with every part: three quarters of all files, and
 * most of the time until Azurite is ready. An empty module stands in its place.
 */
function leaveTelemetryOut(): void {
  const filename = createRequire(join(root, 'package.json')).resolve('applicationinsights');
  const empty = new Module(filename);
  empty.loaded = true;
  require.cache[filename] ??= empty;
}

/** Turns telemetry off, which is on unless somebody says so, and limits what is held in memory to half of it. */
export function prepareProgram(location: string, inMemory: boolean): void {
  const environment = { inMemoryPersistence: () => inMemory, extentMemoryLimit: () => undefined };
  const telemetry = load('common/Telemetry') as {
    readonly AzuriteTelemetryClient: { init(location: string, isEnabled: boolean, environment: object): void };
  };
  telemetry.AzuriteTelemetryClient.init(location, false, environment);
  const configuration = load('common/ConfigurationBase') as {
    readonly setExtentMemoryLimit: (environment: object, logs: boolean) => void;
  };
  configuration.setExtentMemoryLimit(environment, false);
}
