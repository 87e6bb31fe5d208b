/** The only place that builds clients: what the functions and use cases need, made once per process from the settings. */
import { BlobServiceClient } from '@azure/storage-blob';
import { JwksClient } from '../access/auth/jwksClient.js';
import type { OperatorRole } from '../access/auth/roles.js';
import { verifyOperator } from '../access/auth/verifyOperator.js';
import { verifyToken, type TokenCaller, type VerifyToken } from '../access/auth/verifyToken.js';
import type { BackupManifest } from '../operate/backup/backupArchive.js';
import { KeptTombstones } from '../operate/backup/keptTombstones.js';
import { blobBackupArchive } from '../operate/backup/blobBackupArchive.js';
import { exportTables } from '../operate/backup/exportTables.js';
import { runCanary, type CanaryRound } from '../operate/canary/runCanary.js';
import { systemClock, type Clock } from '../kit/clock.js';
import { newestScene, type NewestScene } from '../imagery/newestScene.js';
import type { ShownTiles } from '../http/pages/pageTiles.js';
import { pageTiles } from '../http/pages/tileJsonClient.js';
import type { Position } from '../geo/shapes/geoJson.js';
import { SceneLibrary } from '../scenes/library/sceneLibrary.js';
import type { Config } from './settings/config.js';
import { randomId, type NewId } from '../kit/ids.js';
import { BlobInsightStore } from '../jobs/insight/blobInsightStore.js';
import type { InsightStore } from '../jobs/insight/jobInsight.js';
import { beginMonitoring } from '../imagery/discovery/planEnrollment.js';
import type { LicenceStore } from '../access/licence/imageryLicence.js';
import { JobPageReader } from '../jobs/jobPageReader.js';
import type { JobPages } from '../jobs/jobPorts.js';
import { JobStore } from '../jobs/jobStore.js';
import { inProportion } from '../access/rates/rates.js';
import { customerBelongings } from './areas/customerBelongings.js';
import { probesOf } from './areas/probes.js';
import { farmDataOf, jobKindsOf } from './areas/jobServices.js';
import { licencesOf } from './clients/licences.js';
import { tenantCredentials } from './clients/tenantCredentials.js';
import { measuredFetch } from '../kit/telemetry/measuredFetch.js';
import { readiness, type Readiness } from '../operate/readiness.js';
import { weatherNotes } from './clients/weatherSources.js';
import { managedIdentity } from './clients/managedIdentity.js';
import {
  farmKinds,
  farmServices,
  farmUpkeep,
  shapesBeside,
  type FarmServices,
  type FarmUpkeep,
} from './areas/farmServices.js';
import { enrollmentServices, type EnrollmentServices } from './areas/enrollmentServices.js';
import { imageryServices, type ImageryServices } from './areas/imageryServices.js';
import { noticeKinds, noticeServices, tellersOf, type NoticeServices, type Tellers } from './areas/noticeServices.js';
import { azureStorage, type DataStorage } from './clients/storageClients.js';
import { operateKindOf, operatePortsOf, type OperateServices } from './areas/operateServices.js';
import { workPortsOf, workServices, type WorkPorts, type WorkServices } from './areas/workServices.js';
import { requestLimits, workLimits } from '../storage/timeLimits.js';
import { imageryContainerName, type QueueName } from '../storage/names.js';
import { RawRows } from '../storage/azure/rawRows.js';
import { KnownTenants } from '../access/tenants/knownTenants.js';
import { TenantHoldStore } from '../access/tenants/tenantHoldStore.js';
import { TenantReader } from '../access/tenants/tenantStore.js';
import type { Tenants } from '../access/tenants/tenantPorts.js';
import { jsonLog, type Log } from '../kit/telemetry/telemetry.js';
import { writeLine } from '../kit/telemetry/trace.js';
import { dutyKind, lookAfterDuties, openDuties, type Duty } from '../work/upkeep/duty.js';
import { TaskProcess } from './beside/taskProcess.js';

export interface Services
  extends
    EnrollmentServices,
    ImageryServices,
    WorkServices,
    FarmUpkeep,
    OperateServices,
    Pick<WorkPorts, 'work' | 'lanes'> {
  readonly config: Config;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
  /** The tenant an `Authorization` header speaks for, and what it may do. */
  readonly verifyToken: (authorization: string | null) => Promise<TokenCaller>;
  /** Who an `Authorization` header speaks for that operates the service. */
  readonly verifyOperator: VerifyToken<OperatorRole>;
  /** Which work is open. */
  readonly openWork: Pick<WorkPorts['store'], 'idsOf' | 'find'>;
  readonly jobs: JobStore;
  readonly jobPages: JobPages;
  /** Tells a tenant of the end of a job. */
  readonly tellOfJob: Tellers['tellOfJob'];
  /** Events and webhooks; undefined where they are off. */
  readonly notices: NoticeServices | undefined;
  /** Parties, farms and fields of the tenants. */
  readonly farm: FarmServices;
  readonly insights: InsightStore;
  /** The tenants' licences at their imagery provider. */
  readonly licences: LicenceStore;
  /** Sends a message back to its queue, hidden for a minute unless it says for how long. */
  readonly putBack: (queue: QueueName, message: unknown, seconds?: number) => Promise<void>;
  readonly readiness: () => Promise<Readiness>;
  /** Plans the duties that aren't planned yet. */
  readonly openDuties: () => Promise<void>;
  /** The map tiles of the console. */
  readonly pageTiles: () => Promise<ShownTiles>;
  /** The newest scene around a place. */
  readonly newestScene: (place: Position) => Promise<NewestScene>;
  /** One round of the canary. */
  readonly runCanary: () => Promise<CanaryRound>;
  /** Exports the tables and their files under a name that no export has. */
  readonly backUp: (name: string) => Promise<BackupManifest>;
}

/** A message of a newer version comes back after that, when an instance of that version may take it. */
const PUT_BACK_SECONDS = 60;
/** A request that asks a key vault must still answer within 10 s. */
const LICENCE_REQUEST_MS = 5_000;

/** The process for what would hold up the event loop; the bundler puts its program beside this one. */
const newTaskProcess = (): TaskProcess =>
  new TaskProcess({
    file: new URL('worker.mjs', import.meta.url),
    heapMb: 640,
    limitMs: 120_000,
    // A large upload leaves some 200 MB in its process; a new one is there within 100 ms.
    idleMs: 500,
  });

/** Builds every client of the process; nothing is called yet. A test has storage in memory, and a clock of its own. */
export function createServices(
  config: Config,
  duties: readonly Duty<Services>[],
  { storage = azureStorage, clock = systemClock }: { storage?: typeof azureStorage; clock?: Clock } = {},
): Services {
  const newId = randomId;
  const log = jsonLog(writeLine);
  const credential = managedIdentity(config.AZURE_CLIENT_ID);
  const forRequests = storage.data(config, credential, requestLimits);
  const forWork = storage.data(config, credential, workLimits);
  const tenants = tenantsOf(config, forRequests, clock);
  const credentialOf = tenantCredentials(credential, {
    authorityHost: config.AZURE_AUTHORITY_HOST,
    appId: config.LICENCE_APP_CLIENT_ID,
  });
  const signingKeys = new JwksClient({ uri: config.JWKS_URI, clock, fetch: measuredFetch });
  const rules = {
    issuers: config.JWT_ISSUERS,
    audience: config.JWT_AUDIENCE,
    isTenant: async (tid: string) => (await tenants.find(tid)) !== undefined,
  };
  const imageryAccount = new BlobServiceClient(config.IMAGERY_STORAGE__blobServiceUri, credential, {
    retryOptions: { maxTries: requestLimits.tries, tryTimeoutInMs: requestLimits.tryMs },
  });
  const backups = storage.backups(config, credential);
  const keptTombstones = new KeptTombstones(storage.tombstones(config, credential));
  const { run: runTask } = newTaskProcess();
  const work = workPortsOf(config, { storage: forWork, tenants, clock });
  const noticesForWork = { storage: forWork, work, clock, log };
  const tellers = tellersOf(config, noticesForWork);
  // A process of its own: the layers of large fields must not keep uploads and predictions waiting.
  const imagery = imageryServices(config, {
    forWork,
    work,
    tellers,
    images: storage.imagery(config, credential),
    runTask: newTaskProcess().run,
    clock,
    newId,
    log,
  });
  const enrollments = enrollmentServices(config, {
    ...{ forRequests, forWork, credential, runTask, tellers, clock, newId, log },
    beginMonitoring: beginMonitoring({ enqueuer: work.work }),
  });
  const requestPorts = workPortsOf(config, { storage: forRequests, tenants, clock });
  const scenes = new SceneLibrary({ ...imagery.sceneSources, log });
  // Its writes are to end soon after they have looked for what they belong to: a cascade delete waits for them.
  const insightsPerDay = config.FARM_INSIGHTS_PER_DAY;
  const shapes = shapesBeside(runTask);
  const ownOf = farmDataOf({ storage: forRequests, shapes, clock, newId, insightsPerDay });
  const jobs = jobKindsOf(config, {
    tenants,
    ownOf,
    scenes,
    forWork,
    runTask,
    tellers,
    clock,
    log,
  });
  const farm = { forRequests, forWork, work: requestPorts, runTask, keptTombstones, clock, newId, log };
  const noticesForRequests = { storage: forRequests, work: requestPorts, clock, log };
  const putBack = (queue: QueueName, message: unknown, seconds = PUT_BACK_SECONDS): Promise<void> =>
    forWork.messages(queue).send(JSON.stringify(message), seconds);
  const backUp = (name: string): Promise<BackupManifest> =>
    exportTables({ rawRows: (table) => new RawRows(forWork.table(table)), files: forWork.blobs, clock })(
      blobBackupArchive(backups, name),
    );
  const belongings = () => customerBelongings(forWork, imageryAccount.getContainerClient(imageryContainerName));
  const operating = { belongings, duties, backUp, keptTombstones, clock, newId, log };
  const notices = noticeServices(config, noticesForRequests);
  const operateWork = operatePortsOf(config, {
    ...{ storage: forWork, work, ...operating },
    notices: noticeServices(config, noticesForWork),
  });
  const dutyPorts = { duties, services: () => services, clock, log };
  const kinds = [
    ...[enrollments.ingestKind, ...jobs, ...imagery.imageryKinds, ...farmKinds(config, farm)],
    ...noticeKinds(config, { ...noticesForWork, credential }),
    ...[dutyKind(dutyPorts, config.JOB_LEASE_SECONDS * 1000), operateKindOf(config, operateWork)],
  ];
  const services: Services = {
    config,
    clock,
    newId,
    log,
    ...enrollments,
    ...imagery,
    ...farmUpkeep(config, farm),
    ...workServices(kinds, work, { clock, newId, log, messages: (name) => forWork.messages(name), putBack }),
    openDuties: openDuties(dutyPorts, work.work),
    verifyToken: verifyToken({ signingKeys, clock }, rules),
    verifyOperator: verifyOperator({ signingKeys, clock }, rules, config.OPERATE_TENANT),
    work: requestPorts.work,
    lanes: requestPorts.lanes,
    openWork: requestPorts.store,
    jobs: new JobStore(forRequests.rows('work')),
    jobPages: new JobPageReader(forRequests.rows('work')),
    tellOfJob: tellersOf(config, noticesForRequests).tellOfJob,
    notices,
    farm: farmServices(config, farm),
    insights: new BlobInsightStore(forRequests.blobs('insights')),
    limitRate: async (caller, rate) => {
      const isCreate = rate === 'create' && 'tenant' in caller;
      const { createsPerSecond } = (isCreate ? await tenants.find(caller.tenant) : undefined) ?? {};
      const usual = config.RATE_LIMIT_RATES[rate];
      const own = createsPerSecond === undefined ? usual : inProportion(usual, createsPerSecond);
      await enrollments.limitRate(caller, rate, own);
    },
    licences: licencesOf({ tenants, credentialOf, clock, limitMs: LICENCE_REQUEST_MS, log }),
    putBack,
    pageTiles: pageTiles(config, { fetch: measuredFetch, clock, log }),
    newestScene: newestScene({ scenes, clock }),
    runCanary: () =>
      runCanary({
        fetch: measuredFetch,
        clock,
        newId,
        log,
        isDrained: services.isDrained,
        getToken: async () => (await credential.getToken(`${config.JWT_AUDIENCE}/.default`)).token,
      })(config.CANARY, config.CANARY_API_KEY),
    backUp,
    operate: operatePortsOf(config, { storage: forRequests, work: requestPorts, notices, ...operating }),
    readiness: readiness(
      probesOf({ storage: forRequests, signingKeys, imagery: imageryAccount, enrollments, tenants }),
      clock,
      {
        notes: weatherNotes(config),
        duties: lookAfterDuties(duties, requestPorts),
        lastTick: () => requestPorts.ticks.find(),
      },
    ),
  };
  return services;
}

/** The tenants as table `tenants` has them. */
function tenantsOf(config: Config, storage: DataStorage, clock: Clock): Tenants {
  const rows = new TenantReader(storage.rows('tenants'));
  const holds = new TenantHoldStore(storage.rows('limits'));
  return new KnownTenants({ rows, holds, clock }, { hasForeignApp: config.LICENCE_APP_CLIENT_ID !== undefined });
}
