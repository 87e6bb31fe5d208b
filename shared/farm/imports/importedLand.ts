import { isDeepStrictEqual } from 'node:util';
import { farmFaults } from '../../kit/errors/farmFaults.js';
import { beingDeleted } from '../operations/putLand.js';
import type { CommonMembers, Land, LandKey } from '../land/land.js';
import type { LandWrite, StoredLand } from '../land/landStore.js';
import { writtenPart } from '../wire/landView.js';
import { mergePatch } from '../wire/mergePatch.js';
import { checkCommonMembers, invalidRequest, type WireObject } from '../wire/resourceRules.js';
import type { ImportOptions } from './importJob.js';
import type { PreparedLand } from './preparedFeature.js';

/** The import that writes, and when. */
export interface ImportAuthor extends Pick<ImportOptions, 'mode'> {
  readonly tenant: string;
  readonly importId: string;
  readonly by: string;
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
}

/** What is there of a resource, without its geometry: large ones are held against the file one after the other. */
export interface ComparedLand extends StoredLand {
  /** The geometry of the file is the same land as the one that is there. */
  readonly hasSameLand: boolean;
}

/** What an import does with one resource. */
export type LandDecision = /** It is there as the file has it. */ 'written' | LandWrite;

export const landKeyOf = ({ kind, partyId, id }: PreparedLand, tenant: string): LandKey =>
  kind === 'party' ? { kind, tenant, partyId: id, id } : { kind, tenant, partyId, id };

/**
 * The eTag of what an import has written: an attempt that goes on behind one that died knows its rows by it, and a second
 * feature of one id knows the first.
 */
const eTagOf = ({ importId }: ImportAuthor, index: number): string => `${importId}-${index}`;

/**
 * What is to be written of a resource, from what is there. Where the file has the same land or, merged, none, the geometry
 * stays as it was written first.
 *
 * @throws ServiceError 400 for what breaks a rule, and for an id that the file has had before; 409 while it is being deleted
 */
export function decisionOn(
  prepared: PreparedLand,
  stored: ComparedLand | undefined,
  author: ImportAuthor,
): LandDecision {
  const key = landKeyOf(prepared, author.tenant);
  const eTag = eTagOf(author, prepared.index);
  const before = stored?.land;
  if (before?.eTag === eTag) return 'written';
  if (before !== undefined) requireChangeable(before, key, author);
  const area = areaOf(prepared, stored, author);
  const merged = mergedPart(prepared, before, author);
  const written = { ...checked(merged, prepared), ...area };
  const hasSameArea = before !== undefined && before.extent === area.extent;
  if (hasSameArea && isDeepStrictEqual(writtenPart(before), merged)) return 'written';
  const fixed = before === undefined ? createdBy(prepared, key, author) : fixedPart(before);
  const stamps = { modifiedAt: author.at, modifiedBy: author.by, eTag };
  return { key, land: { kind: key.kind, ...fixed, ...written, ...stamps }, before: stored };
}

/** What callers have written of the resource and the file says of it, beside its geometry. */
function mergedPart({ body }: PreparedLand, before: Land | undefined, { mode }: ImportAuthor): WireObject {
  const base = before === undefined || mode === 'replace' ? {} : writtenPart(before);
  return mergePatch(base, body) as WireObject;
}

/** The geometry that is to be written; the one that is there stays, as it is stored, by its extent alone. */
function areaOf(
  { body, packed, extent }: PreparedLand,
  stored: ComparedLand | undefined,
  { mode }: ImportAuthor,
): Pick<Land, 'packed' | 'extent'> {
  const isLeft = mode === 'merge' && packed === undefined && !Object.hasOwn(body, 'geometry');
  const standing = stored?.land.extent;
  if (standing !== undefined && (stored?.hasSameLand === true || isLeft)) return { extent: standing };
  return extent === undefined ? {} : { packed, extent };
}

/** @throws ServiceError 400 for what this import has written, 409 */
function requireChangeable({ id, eTag, isDeleting }: Land, key: LandKey, { importId }: ImportAuthor): void {
  if (eTag.startsWith(`${importId}-`)) throw twiceInFile(id);
  if (isDeleting === true) throw beingDeleted(key);
}

/** What no change touches. */
type FixedPart = Pick<Land, 'id' | 'partyId' | 'createdAt' | 'createdBy'>;

const createdBy = ({ id }: PreparedLand, { partyId }: LandKey, { at, by }: ImportAuthor): FixedPart => ({
  ...{ id, partyId },
  ...{ createdAt: at, createdBy: by },
});

const fixedPart = ({ id, partyId, createdAt, createdBy: author }: Land): FixedPart => ({
  ...{ id, partyId },
  ...{ createdAt, createdBy: author },
});

export const twiceInFile = (id: string) =>
  invalidRequest(`The file has the id ${id} twice; only the first is written.`);

/** The code of every fault of a resource that its parties and farms bring about. */
export const parentFaults = {
  missing: (what: string) => ({ code: farmFaults.resourceNotFound.code, message: `Your tenant has no ${what}.` }),
  deleted: (what: string) => ({ code: farmFaults.conflict.code, message: `The ${what} is being deleted.` }),
  erased: (party: string) => ({
    code: farmFaults.conflict.code,
    message: `The party ${party} was erased after the import was asked for; import it again if it is to come back.`,
  }),
};

function checked(merged: WireObject, { kind }: PreparedLand): CommonMembers & Pick<Land, 'farmId'> {
  checkCommonMembers(merged);
  if (kind !== 'field') return merged;
  const { farmId, ...common } = merged;
  if (farmId !== undefined && typeof farmId !== 'string') throw invalidRequest('farmId must be the id of a farm.');
  return { ...(common as CommonMembers), ...(farmId === undefined ? {} : { farmId }) };
}
