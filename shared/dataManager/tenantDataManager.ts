import type { DataManager } from './dataManager.js';

/** A tenant's data manager, and the parties it may name when it shares the data manager with others. */
export interface TenantDataManager {
  readonly dataManager: DataManager;
  readonly partyIds?: readonly string[];
}
