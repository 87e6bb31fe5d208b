import { DataManagerError } from '../dataManager/dataManager.js';
import type { LandStore } from './landStore.js';
import type { FieldAreaOf } from './ownScenes.js';

/** Where a field of a tenant lies. The function throws DataManagerError `not_found` without the field or its geometry. */
export const searchAreaOf =
  (land: Pick<LandStore, 'find'>, tenant: string): FieldAreaOf =>
  async (partyId, fieldId) => {
    const geometry = (await land.find({ kind: 'field', tenant, partyId, id: fieldId }))?.land.geometry;
    if (geometry !== undefined) return geometry;
    throw new DataManagerError('not_found', `The field ${fieldId} has no geometry.`);
  };
