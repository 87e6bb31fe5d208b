/** What the work of jobs is handed: the clients of the tenants' data managers, and the kinds of jobs over them. */
import type { Clock } from '../../kit/clock.js';
import type { DataManager } from '../../jobs/dataManager/dataManager.js';
import { jobFailureOf } from '../../jobs/dataManager/jobFailure.js';
import { boundaryJobFaults } from '../../kit/errors/boundaryFaults.js';
import { gddJobFaults } from '../../kit/errors/catalogue.js';
import { runGddJob } from '../../gdd/runGddJob.js';
import type { Config } from '../settings/config.js';
import { BlobInsightStore } from '../../jobs/insight/blobInsightStore.js';
import { publishInsight } from '../../jobs/insight/publishInsight.js';
import { jobKind } from '../../jobs/steps/jobKind.js';
import { JobStore } from '../../jobs/jobStore.js';
import { publicationOf } from './insightKinds.js';
import { licencesOf } from '../clients/licences.js';
import type { CredentialOf } from '../clients/tenantCredentials.js';
import { weatherSources } from '../clients/weatherSources.js';
import type { Tellers } from './noticeServices.js';
import type { DataStorage } from '../clients/storageClients.js';
import type { WorkPorts } from './workServices.js';
import { runSmartBoundaryJob } from '../../boundary/job/runSmartBoundaryJob.js';
import { servedTenant } from '../../access/tenants/servedTenant.js';
import type { Tenants } from '../../access/tenants/tenantPorts.js';
import { errorText, type Log } from '../../kit/telemetry/telemetry.js';
import { blobWeatherCacheStore } from '../../gdd/weather/cache/blobWeatherCacheStore.js';
import { rememberedWeatherCache } from '../../gdd/weather/cache/rememberedWeatherCache.js';
import { terrainSource } from '../../gdd/weather/terrain/terrainSource.js';
import { ingestsLaneOf } from '../../work/lanes/lane.js';
import type { WorkKind } from '../../work/item/workKind.js';
import type { RunTask } from '../beside/tasks.js';
import { DataManagerClient } from '../../jobs/dataManager/dataManagerClient.js';
import type { TenantDataManager } from '../../jobs/dataManager/tenantDataManager.js';
import { measuredFetch } from '../../kit/telemetry/measuredFetch.js';
import type { Tenant } from '../../access/tenants/tenant.js';

/** Jobs may wait longer for a key vault than requests. */
const LICENCE_WORK_MS = 30_000;

/** What jobs work with. */
export interface JobSurroundings {
  readonly tenants: Tenants;
  readonly credentialOf: CredentialOf;
  readonly ownOf: (tid: string) => DataManager;
  readonly forWork: DataStorage;
  readonly runTask: RunTask;
  readonly tellers: Tellers;
  readonly lanes: WorkPorts['lanes'];
  readonly clock: Clock;
  readonly log: Log;
}

/** The kinds of jobs as work. */
export function jobKindsOf(config: Config, surroundings: JobSurroundings): readonly WorkKind[] {
  const { tenants, credentialOf, ownOf, forWork, runTask, tellers, lanes, clock, log } = surroundings;
  const dataManagerFor = dataManagersOf(config, { tenants, credentialOf, ownOf, clock });
  const insights = new BlobInsightStore(forWork.blobs('insights'));
  const ports = {
    jobs: new JobStore(forWork.rows('work')),
    clock,
    log,
    random: Math.random,
    publishInsight: publishInsight({ insights, dataManagerFor, publicationOf }),
    tellOfJob: tellers.tellOfJob,
  };
  const limits = {
    leaseMs: config.JOB_LEASE_SECONDS * 1000,
    patienceHours: config.DEPENDENCY_PATIENCE_HOURS,
  };
  const gddWork = runGddJob({
    dataManagerFor,
    weather: weatherSources(config, { limits: forWork.rows('limits'), clock, log }),
    terrain: terrainSource({ url: config.TERRAIN_URL, clock }),
    weatherCache: rememberedWeatherCache(blobWeatherCacheStore(forWork.blobs('weather-cache')), clock),
    clock,
    trustedForecastDays: config.FORECAST_DAYS,
    isMeasured: config.WEATHER_MEASURED,
    onCacheFault: (error) => {
      log('WeatherCache:Fault', { cause: errorText(error) });
    },
    onNoForecast: (faults) => {
      log('Weather:NoForecast', { faults: faults.map(({ message }) => message) });
    },
  });
  const boundaryWork = runSmartBoundaryJob({
    dataManagerFor,
    licences: licencesOf({ tenants, credentialOf, clock, limitMs: LICENCE_WORK_MS, areForIngests: true, log }),
    lanes,
    ingestsLaneOf: async (tid) => {
      const { dataManagerUrl } = await servedTenant(tenants)(tid);
      return dataManagerUrl === undefined ? undefined : ingestsLaneOf(dataManagerUrl);
    },
    findField: (search) => runTask('findField', search),
    clock,
  });
  return [
    jobKind('gdd', ports, { work: gddWork, failureOf: jobFailureOf(gddJobFaults), ...limits }),
    jobKind('smartBoundary', ports, { work: boundaryWork, failureOf: jobFailureOf(boundaryJobFaults), ...limits }),
  ];
}

export interface DataManagerSurroundings {
  readonly tenants: Tenants;
  readonly credentialOf: CredentialOf;
  /** The data manager that the service itself is for a tenant. */
  readonly ownOf: (tid: string) => DataManager;
  readonly clock: Clock;
}

/** The data manager of each tenant, with one client for each data manager, as the register has it now. The function throws TenantNotServed. */
export function dataManagersOf(
  config: Pick<Config, 'DATA_MANAGER_API_VERSION' | 'DATA_MANAGER_SCOPE'>,
  { tenants, credentialOf, ownOf, clock }: DataManagerSurroundings,
): (tid: string) => Promise<TenantDataManager> {
  const clients = new Map<string, DataManager>();
  const served = servedTenant(tenants);
  const clientOf = (tid: string, { dataManagerUrl, azureTenantId }: Tenant): DataManager => {
    if (dataManagerUrl === undefined) return ownOf(tid);
    const key = `${dataManagerUrl} ${azureTenantId ?? ''}`;
    const known = clients.get(key);
    if (known !== undefined) return known;
    const credential = credentialOf(azureTenantId);
    const client = new DataManagerClient({
      baseUrl: dataManagerUrl,
      apiVersion: config.DATA_MANAGER_API_VERSION,
      getToken: async () => (await credential.getToken(config.DATA_MANAGER_SCOPE))?.token ?? '',
      clock,
      fetch: measuredFetch,
      random: Math.random,
    });
    clients.set(key, client);
    return client;
  };
  return async (tid) => {
    const tenant = await served(tid);
    const { partyIds } = tenant;
    return { dataManager: clientOf(tid, tenant), ...(partyIds === undefined ? {} : { partyIds }) };
  };
}
