/** What the work of jobs is handed, and the kinds of jobs over it. */
import type { Clock } from '../../kit/clock.js';
import type { DataManager } from '../../jobs/dataManager/dataManager.js';
import { jobFailureOf } from '../../jobs/dataManager/jobFailure.js';
import { boundaryJobFaults } from '../../kit/errors/boundaryFaults.js';
import { gddJobFaults } from '../../kit/errors/catalogue.js';
import { runGddJob } from '../../gdd/runGddJob.js';
import type { Config } from '../settings/config.js';
import { FarmInsightStore } from '../../farm/insights/insightStore.js';
import { LandStore } from '../../farm/land/landStore.js';
import type { ShapeWork } from '../../farm/land/shapeWork.js';
import { ownDataManager } from '../../farm/operations/ownDataManager.js';
import type { NewId } from '../../kit/ids.js';
import { BlobInsightStore } from '../../jobs/insight/blobInsightStore.js';
import { publishInsight } from '../../jobs/insight/publishInsight.js';
import { jobKind } from '../../jobs/steps/jobKind.js';
import { JobStore } from '../../jobs/jobStore.js';
import { publicationOf } from './insightKinds.js';
import { weatherSources } from '../clients/weatherSources.js';
import type { Tellers } from './noticeServices.js';
import type { DataStorage } from '../clients/storageClients.js';
import { runSmartBoundaryJob } from '../../boundary/job/runSmartBoundaryJob.js';
import type { Scenes } from '../../scenes/library/sceneLibrary.js';
import { servedTenant } from '../../access/tenants/servedTenant.js';
import type { Tenants } from '../../access/tenants/tenantPorts.js';
import { errorText, type Log } from '../../kit/telemetry/telemetry.js';
import { blobWeatherCacheStore } from '../../gdd/weather/cache/blobWeatherCacheStore.js';
import { rememberedWeatherCache } from '../../gdd/weather/cache/rememberedWeatherCache.js';
import { terrainSource } from '../../gdd/weather/terrain/terrainSource.js';
import type { WorkKind } from '../../work/item/workKind.js';
import type { RunTask } from '../beside/tasks.js';

/** What jobs work with. */
export interface JobSurroundings {
  readonly tenants: Tenants;
  /** Farm data of a tenant. */
  readonly ownOf: (tid: string) => DataManager;
  /** One for all tenants: satellite images are public. */
  readonly scenes: Scenes;
  readonly forWork: DataStorage;
  readonly runTask: RunTask;
  readonly tellers: Tellers;
  readonly clock: Clock;
  readonly log: Log;
}

/** What farm data for jobs is read and written with. */
export interface FarmDataSurroundings {
  readonly storage: DataStorage;
  /** Reads geometries; in the event loop when absent. */
  readonly shapes?: ShapeWork;
  readonly clock: Clock;
  readonly newId: NewId;
  /** Most new insights of one party, farm or field in a day (UTC). */
  readonly insightsPerDay: number;
}

/** Farm data as jobs need it, by tenant id. */
export function farmDataOf({
  storage,
  shapes,
  clock,
  newId,
  insightsPerDay,
}: FarmDataSurroundings): (tid: string) => DataManager {
  const files = storage.blobs('farm-data');
  const land = new LandStore((table) => storage.rows(table), files);
  const insights = new FarmInsightStore(storage.rows('farmInsights'), files);
  const ports = { land, insights, clock, newId, insightsPerDay, ...(shapes && { shapes }) };
  return (tid) => ownDataManager(tid, ports);
}

/** The kinds of jobs as work. */
export function jobKindsOf(config: Config, surroundings: JobSurroundings): readonly WorkKind[] {
  const { tenants, ownOf, scenes, forWork, runTask, tellers, clock, log } = surroundings;
  const served = servedTenant(tenants);
  const dataManagerFor = async (tid: string): Promise<DataManager> => {
    await served(tid);
    return ownOf(tid);
  };
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
    scenes,
    findField: (search) => runTask('findField', search),
    clock,
  });
  return [
    jobKind('gdd', ports, { work: gddWork, failureOf: jobFailureOf(gddJobFaults), ...limits }),
    jobKind('smartBoundary', ports, { work: boundaryWork, failureOf: jobFailureOf(boundaryJobFaults), ...limits }),
  ];
}
