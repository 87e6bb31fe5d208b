import type { Clock } from '../../kit/clock.js';
import { changedByOthers } from '../../kit/errors/changedByOthers.js';
import { farmFaults } from '../../kit/errors/farmFaults.js';
import { ServiceError } from '../../kit/errors/serviceError.js';
import type { NewId } from '../../kit/ids.js';
import { isLarge, soundShape, type SoundShape } from '../wire/fieldGeometry.js';
import { checkPreconditions, type Preconditions } from '../../kit/validation/preconditions.js';
import { partyKeyOf, type CommonMembers, type Land, type LandKey, type LandKind } from '../land/land.js';
import type { LandStore, StoredLand } from '../land/landStore.js';
import { writtenPart } from '../wire/landView.js';
import { mergePatch } from '../wire/mergePatch.js';
import {
  checkCommonMembers,
  commonMembers,
  invalidRequest,
  writablePart,
  type WireObject,
} from '../wire/resourceRules.js';

export interface PutLandPorts {
  readonly land: LandStore;
  readonly clock: Pick<Clock, 'now'>;
  /** The eTag of each change. */
  readonly newId: NewId;
  /** Checks a large geometry beside the event loop; in it when absent. @throws ServiceError 400 */
  readonly checkBeside?: (geometryJson: Uint8Array) => Promise<SoundShape>;
  /** @throws ServiceError 403 when the tenant may have no more of the kind */
  readonly checkQuota: (tenant: string, kind: LandKind) => Promise<void>;
}

/** A change as a caller sends it. */
export interface LandPatch extends Preconditions {
  /** The geometry may be JSON, in bytes. */
  readonly body: WireObject;
  /** Who changes it: an object of the caller's directory, or a solution. */
  readonly by: string;
}

/** The same with its geometry apart, once that was found sound; null takes away what is there. */
interface CheckedPatch extends LandPatch {
  readonly sound: SoundShape | null | undefined;
}

export interface PutLand {
  readonly land: Land;
  readonly isNew: boolean;
}

/** What callers write on each kind. */
export const writableMembers: Readonly<Record<LandKind, readonly string[]>> = {
  party: commonMembers,
  farm: commonMembers,
  field: [...commonMembers, 'farmId', 'geometry'],
};

/** Changes of one resource at the same time are rare: after so many tries something is wrong. */
const MOST_TRIES = 10;

/**
 * Creates a party, farm or field or merges into it (RFC 7396). Of two changes at the same time both are applied, one
 * behind the other.
 *
 * @throws ServiceError 400 for a body that breaks a rule, 403 over the quota, 404 without its party, 409 while it, its
 * party or its farm is being deleted, 412 by its precondition
 */
export function putLand(ports: PutLandPorts): (key: LandKey, patch: LandPatch) => Promise<PutLand> {
  return async (key, patch) => {
    const fixed = key.kind === 'party' ? { id: key.id } : { id: key.id, partyId: key.partyId };
    const { geometry, ...body } = writablePart(patch.body, writableMembers[key.kind], fixed);
    const checkedPatch = { ...patch, body, sound: await soundOf(ports, geometry) };
    const isLikelyNew = patch.ifMatch === undefined && !ports.land.isKnown(key);
    if (isLikelyNew) {
      const created = await create(ports, key, checkedPatch).catch(unlessOverQuota);
      if (created !== undefined) return { land: created, isNew: true };
    }
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const before = await ports.land.findWhole(key);
      checkPreconditions(patch, before?.land);
      if (before === undefined) {
        const created = await create(ports, key, checkedPatch);
        if (created !== undefined) return { land: created, isNew: true };
        continue;
      }
      const changed = await change(ports, key, before, checkedPatch);
      if (changed !== undefined) return { land: changed, isNew: false };
    }
    throw changedByOthers('the same resource');
  };
}

/** Over its quota a tenant may still change what is there, which is looked for then. */
function unlessOverQuota(error: unknown): undefined {
  if (error instanceof ServiceError && error.fault === farmFaults.quotaExceeded) return undefined;
  throw error;
}

/** @returns undefined when there is one already */
async function create(ports: PutLandPorts, key: LandKey, { body, by, sound }: CheckedPatch): Promise<Land | undefined> {
  const written = checked(key.kind, mergePatch({}, body) as WireObject, sound ?? {});
  await Promise.all([requireParents(ports, key, written.farmId), ports.checkQuota(key.tenant, key.kind)]);
  const at = ports.clock.now().getTime();
  const authorship = { createdAt: at, createdBy: by, modifiedAt: at, modifiedBy: by };
  const land: Land = {
    kind: key.kind,
    id: key.id,
    partyId: key.partyId,
    ...written,
    ...authorship,
    eTag: ports.newId(),
  };
  return (await ports.land.insert(key, land)) ? land : undefined;
}

/** @returns undefined when somebody else changed it meanwhile */
async function change(
  ports: PutLandPorts,
  key: LandKey,
  stored: StoredLand,
  { body, by, sound }: CheckedPatch,
): Promise<Land | undefined> {
  const before = stored.land;
  if (before.isDeleting === true) throw beingDeleted(key);
  const merged = mergePatch(writtenPart(before), body) as WireObject;
  const written = checked(key.kind, merged, sound === undefined ? before : (sound ?? {}));
  if (written.farmId !== undefined && written.farmId !== before.farmId) await requireFarm(ports, key, written.farmId);
  const { id, partyId, createdAt, createdBy } = before;
  const stamps = { createdAt, createdBy, modifiedAt: ports.clock.now().getTime(), modifiedBy: by, eTag: ports.newId() };
  const land: Land = { kind: key.kind, id, partyId, ...written, ...stamps };
  return (await ports.land.update(key, land, stored)) ? land : undefined;
}

type Shape = Pick<Land, 'packed' | 'extent'>;
type Written = CommonMembers & Pick<Land, 'farmId'> & Shape;

/** The geometry of a body, checked once; as it is where there is none. @throws ServiceError 400 */
async function soundOf({ checkBeside }: PutLandPorts, geometry: unknown): Promise<SoundShape | null | undefined> {
  if (geometry === undefined || geometry === null) return geometry;
  const json = geometry instanceof Uint8Array ? geometry : Buffer.from(JSON.stringify(geometry));
  return checkBeside !== undefined && isLarge(json) ? checkBeside(json) : soundShape(json);
}

/** What was written, once it keeps the rules. @param shape of its geometry, already checked @throws ServiceError 400 */
function checked(kind: LandKind, merged: WireObject, shape: Shape): Written {
  checkCommonMembers(merged);
  if (kind !== 'field') return merged;
  const { farmId, ...common } = merged;
  if (farmId !== undefined && typeof farmId !== 'string') throw invalidRequest('farmId must be the id of a farm.');
  return {
    ...(common as CommonMembers),
    ...(farmId === undefined ? {} : { farmId }),
    ...shapePart(shape),
  };
}

const shapePart = ({ packed, extent }: Shape): Shape => ({
  ...(packed === undefined ? {} : { packed }),
  ...(extent === undefined ? {} : { extent }),
});

/** A farm needs its party, a field its farm, or else its party. */
async function requireParents(ports: PutLandPorts, key: LandKey, farmId: string | undefined): Promise<void> {
  if (key.kind === 'party') return;
  if (farmId !== undefined) return requireFarm(ports, key, farmId);
  const party = await ports.land.find(partyKeyOf(key.tenant, key.partyId));
  if (party === undefined) {
    throw new ServiceError(farmFaults.resourceNotFound, `Your tenant has no party ${key.partyId}; create it first.`);
  }
  if (party.land.isDeleting === true) throw beingDeleted(partyKeyOf(key.tenant, key.partyId));
}

async function requireFarm({ land }: PutLandPorts, { tenant, partyId }: LandKey, farmId: string): Promise<void> {
  const key: LandKey = { kind: 'farm', tenant, partyId, id: farmId };
  const farm = await land.find(key);
  if (farm === undefined) throw invalidRequest(`farmId: the party ${partyId} has no farm ${farmId.slice(0, 100)}.`);
  if (farm.land.isDeleting === true) throw beingDeleted(key);
}

export const beingDeleted = ({ kind, id }: LandKey): ServiceError =>
  new ServiceError(farmFaults.conflict, `The ${kind} ${id} is being deleted; nothing of it can be changed any more.`);
