import { DataManagerError } from '../../jobs/dataManager/dataManager.js';
import type { LandStore } from './landStore.js';
import { unpacked } from './packedShape.js';
import type { FieldAreaOf } from '../../scenes/library/ownScenes.js';

/** Where a field of a tenant lies. The function throws DataManagerError `not_found` without the field or its geometry. */
export const searchAreaOf =
  (land: Pick<LandStore, 'findWhole'>, tenant: string): FieldAreaOf =>
  async (partyId, fieldId) => {
    const packed = (await land.findWhole({ kind: 'field', tenant, partyId, id: fieldId }))?.land.packed;
    if (packed !== undefined) return unpacked(packed);
    throw new DataManagerError('not_found', `The field ${fieldId} has no geometry.`);
  };
