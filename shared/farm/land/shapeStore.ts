import { hash } from 'node:crypto';
import { randomId } from '../../kit/ids.js';
import type { Blobs } from '../../storage/blobs.js';
import { idKeyOf, partyFolderOf, type LandKey, type PackedShape } from './land.js';

/** How the row of a field keeps its geometry: packed in the row, or in a blob; neither for a field without one. */
export interface StoredShape {
  /** JSON packed with gzip, in base64. */
  readonly shape?: string | undefined;
  /** Name of the blob that holds the packed JSON. */
  readonly shapeBlob?: string | undefined;
}

/** What keeps geometries that are too large for a row. */
export type ShapeFiles = Pick<Blobs, 'read' | 'write' | 'delete' | 'list'>;

/** Which party's geometries. */
type PartyOfShapes = Pick<LandKey, 'tenant' | 'partyId'>;

/** Most packed bytes in a row: a row takes some 400 KB of text, and a hundred of them go into one transaction. */
const MOST_BYTES_IN_ROW = 60 * 1024;

/**
 * The geometries of fields. One that is too large for a row lies in a blob of its own,
 * `<tenant>/<party>/shapes/<hash of the field>-<change>-<write>`. No two writes share a blob, not even those of one change
 * that is tried again: whoever replaces a geometry, or is refused, deletes what no row names.
 */
export class ShapeStore {
  readonly #blobs: ShapeFiles;

  constructor(blobs: ShapeFiles) {
    this.#blobs = blobs;
  }

  /** A geometry as the row of its field is to keep it. @param change names this change */
  async write(field: LandKey, packed: PackedShape, change: string): Promise<StoredShape> {
    if (packed.byteLength <= MOST_BYTES_IN_ROW) return { shape: Buffer.from(packed).toString('base64') };
    const shapeBlob = `${prefixOf(field)}${change}-${randomId()}`;
    await this.#blobs.write(shapeBlob, packed, { type: 'application/gzip' });
    return { shapeBlob };
  }

  /** As it is stored; undefined also where the blob is gone: then the row has changed since it was read. */
  async read({ shape, shapeBlob }: StoredShape): Promise<PackedShape | undefined> {
    if (shapeBlob !== undefined) return (await this.#blobs.read(shapeBlob))?.bytes;
    return shape === undefined || shape === '' ? undefined : Buffer.from(shape, 'base64');
  }

  /** Deletes what no row names any more. What cannot be deleted now is deleted with the field. */
  async discard({ shapeBlob }: StoredShape): Promise<void> {
    if (shapeBlob !== undefined) await this.#blobs.delete(shapeBlob).catch(() => undefined);
  }

  /** Deletes every blob of a field, also those of writers that died before they wrote its row. */
  async deleteOf(field: LandKey): Promise<void> {
    await this.#deleteAll(prefixOf(field));
  }

  /** Deletes every blob of a party's fields. */
  async deleteOfParty(party: PartyOfShapes): Promise<void> {
    await this.#deleteAll(folderOf(party));
  }

  async #deleteAll(prefix: string): Promise<void> {
    for (const { name } of await this.#blobs.list(prefix)) await this.#blobs.delete(name);
  }
}

/** Whose geometry a file holds. */
export const tenantOfFile = (name: string): string => name.slice(0, name.indexOf('/'));

const folderOf = (party: PartyOfShapes): string => `${partyFolderOf(party)}shapes/`;

const prefixOf = (field: LandKey): string => `${folderOf(field)}${hash('sha256', idKeyOf(field.id))}-`;
