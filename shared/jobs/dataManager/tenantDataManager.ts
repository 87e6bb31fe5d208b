import { isSameId } from '../../kit/ids.js';
import type { DataManager } from './dataManager.js';

/** A tenant's data manager; `partyIds` are the parties that the tenant may name, all of them when absent. */
export interface TenantDataManager {
  readonly dataManager: DataManager;
  readonly partyIds?: readonly string[];
}

/** Whether the tenant may name that party. Ids are compared without case. */
export const mayName = ({ partyIds }: Pick<TenantDataManager, 'partyIds'>, partyId: string): boolean =>
  partyIds === undefined || partyIds.some((own) => isSameId(own, partyId));
