import type { Clock } from '../../kit/clock.js';
import type { DataManager } from '../../jobs/dataManager/dataManager.js';
import { FarmInsightStore } from '../../farm/insights/insightStore.js';
import { LandStore } from '../../farm/land/landStore.js';
import { ownDataManager } from '../../farm/operations/ownDataManager.js';
import { ownScenes } from '../../scenes/library/ownScenes.js';
import type { SceneLibrary } from '../../scenes/library/sceneLibrary.js';
import { searchAreaOf } from '../../farm/land/searchAreaOf.js';
import type { ShapeWork } from '../../farm/land/shapeWork.js';
import type { NewId } from '../../kit/ids.js';
import type { DataStorage } from './storageClients.js';

export interface OwnDataManagerSurroundings {
  readonly storage: DataStorage;
  /** Reads geometries; in the event loop when absent. */
  readonly shapes?: ShapeWork;
  /** One for all tenants: satellite images are public. */
  readonly scenes: Pick<SceneLibrary, 'list' | 'read'>;
  readonly clock: Clock;
  readonly newId: NewId;
  /** Most new insights of one party, farm or field in a day (UTC). */
  readonly insightsPerDay: number;
}

/** The data managers of the tenants whose farm data the service itself keeps, by tenant id. */
export function ownDataManagers({
  storage,
  shapes,
  scenes,
  clock,
  newId,
  insightsPerDay,
}: OwnDataManagerSurroundings): (tid: string) => DataManager {
  const files = storage.blobs('farm-data');
  const land = new LandStore((table) => storage.rows(table), files);
  const insights = new FarmInsightStore(storage.rows('farmInsights'), files);
  const ports = { land, insights, clock, newId, insightsPerDay, ...(shapes && { shapes }) };
  return (tid) => ownDataManager(tid, ports, ownScenes(searchAreaOf(land, tid), scenes));
}
