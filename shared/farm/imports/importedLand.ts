import { isDeepStrictEqual } from 'node:util';
import { farmFaults } from '../../errors/farmFaults.js';
import { isSameLand } from '../../geo/sameLand.js';
import { isJsonObject } from '../../json.js';
import { beingDeleted } from '../putLand.js';
import type { CommonMembers, Extent, Geometry, Land, LandKey } from '../land.js';
import type { LandWrite, StoredLand } from '../landStore.js';
import { writtenPart } from '../landView.js';
import { mergePatch } from '../mergePatch.js';
import { checkCommonMembers, invalidRequest, type WireObject } from '../resourceRules.js';
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
 * What is to be written of a resource, from what is there.
 *
 * @throws ServiceError 400 for what breaks a rule, and for an id that the file has had before; 409 while it is being deleted
 */
export function decisionOn(prepared: PreparedLand, stored: StoredLand | undefined, author: ImportAuthor): LandDecision {
  const key = landKeyOf(prepared, author.tenant);
  const eTag = eTagOf(author, prepared.index);
  const before = stored?.land;
  if (before?.eTag === eTag) return 'written';
  if (before !== undefined) requireChangeable(before, key, author);
  const file = withStandingGeometry(prepared, before);
  const base = before === undefined || author.mode === 'replace' ? {} : writtenPart(before);
  const merged = { ...(mergePatch(base, file.body) as WireObject), ...file.standing };
  const written = checked(merged, file, before);
  if (before !== undefined && isDeepStrictEqual(writtenPart(before), merged)) return 'written';
  const fixed = before === undefined ? createdBy(prepared, key, author) : fixedPart(before);
  const stamps = { modifiedAt: author.at, modifiedBy: author.by, eTag };
  return { key, land: { kind: key.kind, ...fixed, ...written, ...stamps }, before: stored };
}

/** Where the file has the land that is there, its geometry stays as it was written first, and the file's is left out. */
function withStandingGeometry(
  prepared: PreparedLand,
  before: Land | undefined,
): PreparedLand & { readonly standing?: Pick<Land, 'geometry'> } {
  const { geometry, ...body } = prepared.body;
  const there = before?.geometry;
  if (there === undefined || !isJsonObject(geometry)) return prepared;
  if (!isSameLand(there, geometry as unknown as Geometry)) return prepared;
  return { ...prepared, body, standing: { geometry: there } };
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

function checked(
  merged: WireObject,
  { kind, body, extent }: PreparedLand,
  before: Land | undefined,
): CommonMembers & Pick<Land, 'farmId' | 'geometry' | 'extent'> {
  checkCommonMembers(merged);
  if (kind !== 'field') return merged;
  const { farmId, geometry, ...common } = merged;
  if (farmId !== undefined && typeof farmId !== 'string') throw invalidRequest('farmId must be the id of a farm.');
  const isNew = Object.hasOwn(body, 'geometry');
  return {
    ...(common as CommonMembers),
    ...(farmId === undefined ? {} : { farmId }),
    ...(geometry === undefined ? {} : area(geometry as Geometry, isNew ? extent : before?.extent)),
  };
}

const area = (geometry: Geometry, extent: Extent | undefined): Pick<Land, 'geometry' | 'extent'> => ({
  geometry,
  ...(extent === undefined ? {} : { extent }),
});
