import { deterministicId, isUuid } from '../../kit/ids.js';
import { idKeyOf, type Geometry } from '../land/land.js';

/** The id of an imported field, and what the file calls it where that is no UUID. */
export interface ImportedId {
  readonly id: string;
  readonly sourceId?: string;
  /** The file has no name for it. */
  readonly isUnnamed?: true;
}

/**
 * The id under which a field is stored that a file calls so: a UUID as it is, of everything else the UUID of version 5 of
 * the party and the id. Jobs take UUIDs alone, and a file that is imported again finds its fields.
 */
export const importedId = (partyId: string, sourceId: string): ImportedId =>
  isUuid(sourceId) ? { id: sourceId } : { id: deterministicId(idKeyOf(partyId), sourceId), sourceId };

/**
 * The id of a field that its file does not name, where no field is there yet: it follows from the geometry as it is written, by
 * which the same file finds its fields. What another writing finds, `FieldsByPlace` says.
 */
export const idOfGeometry = (partyId: string, { type, coordinates }: Geometry): ImportedId => ({
  id: deterministicId(idKeyOf(partyId), 'geometry', JSON.stringify([type, coordinates])),
  isUnnamed: true,
});
