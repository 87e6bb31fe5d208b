import { isSameId } from '../ids.js';
import type { DataManager } from './dataManager.js';

/** A tenant's data manager, and the parties it may name when it shares the data manager with others. */
export interface TenantDataManager {
  readonly dataManager: DataManager;
  readonly partyIds?: readonly string[];
}

/** Whether the tenant may name that party: one of its own, in upper or lower case, or any where it lists none. */
export const mayName = ({ partyIds }: Pick<TenantDataManager, 'partyIds'>, partyId: string): boolean =>
  partyIds === undefined || partyIds.some((own) => isSameId(own, partyId));
