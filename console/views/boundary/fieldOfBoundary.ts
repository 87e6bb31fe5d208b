import { putField, type FarmFieldRecord, type LandPatch } from '../../api/farm.js';
import { nameBasedId } from '../../parts/nameBasedId.js';
import type { Candidate } from './boundarySearch.js';
import type { FarmIds } from './recentFarms.js';

/** A found boundary that becomes a field. */
export interface SavedBoundary extends FarmIds {
  readonly insightId: string;
  readonly name: string;
  readonly candidate: Pick<Candidate, 'geometry' | 'confidence'>;
}

/** What is written of it. An edge that people have changed has no confidence: that of before is taken away. */
export const patchOfBoundary = ({ farmId, insightId, name, candidate }: SavedBoundary): LandPatch => ({
  name,
  farmId,
  geometry: candidate.geometry,
  source: 'Smart Boundary',
  properties: { insightId, confidence: candidate.confidence ?? null },
});

/** Saves it. One insight is one field: saved again, as with another edge, it is the same field. @throws ApiError */
export async function saveBoundary(saved: SavedBoundary): Promise<FarmFieldRecord> {
  const fieldId = await nameBasedId(saved.insightId, 'field');
  return putField(saved.partyId, fieldId, patchOfBoundary(saved));
}
