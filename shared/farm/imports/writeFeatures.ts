import { commonFaults } from '../../kit/errors/catalogue.js';
import { farmFaults } from '../../kit/errors/farmFaults.js';
import { ServiceError } from '../../kit/errors/serviceError.js';
import { eachOf } from '../../kit/limiter.js';
import type { ErasureScope } from '../upkeep/erasureScope.js';
import { idKeyOf, partyKeyOf, type LandKey, type LandKind } from '../land/land.js';
import type { LandStore, LandWrite, StoredLand } from '../land/landStore.js';
import { FieldsByPlace, isNearBox, type SameLand } from './fieldsByPlace.js';
import { decisionOn, landKeyOf, parentFaults, twiceInFile } from './importedLand.js';
import type { ComparedLand, ImportAuthor, LandDecision } from './importedLand.js';
import type { FeatureOutcome, ImportError } from './importJob.js';
import type { Prepared, PreparedLand } from './preparedFeature.js';

export interface WriteFeaturesPorts {
  /** With the limits of requests: a check of a parent is good for so long (see `WRITER_MS`). */
  readonly land: Pick<LandStore, 'find' | 'findWhole' | 'page' | 'writeMany'>;
  readonly isSameLand: SameLand;
  /** @throws ServiceError 403 when the tenant may have no more of the kind */
  readonly checkQuota: (tenant: string, kind: LandKind) => Promise<void>;
  readonly tombstones: { readonly find: (scope: ErasureScope) => Promise<{ readonly erasedAt: number } | undefined> };
}

/** The import whose features are written. */
interface FeatureAuthor extends Omit<ImportAuthor, 'at'> {
  /** When it was asked for; milliseconds since 1970 UTC. */
  readonly askedAt: number;
}

type Fault = Omit<ImportError, 'index'>;

/** Resources read at the same time, with geometries as large as a field's may be. */
const READS_AT_ONCE = 8;
/** Others change the same resources rarely: after so many tries something is wrong. */
const MOST_TRIES = 10;

/** Writes the features of one file, some at a time. */
export class FeatureWriter {
  readonly #ports: WriteFeaturesPorts;
  readonly #author: FeatureAuthor;
  /** Nothing of the file was there before, as far as is known: what is to be written is not read first. */
  #isNew = true;
  /** Of the party of the file; read for the first feature that the file does not name. */
  #places: FieldsByPlace | undefined;

  constructor(ports: WriteFeaturesPorts, author: FeatureAuthor) {
    this.#ports = ports;
    this.#author = author;
  }

  /** Written again, the same features make no difference. @param now milliseconds since 1970 UTC */
  async write(features: readonly Prepared[], now: number): Promise<readonly FeatureOutcome[]> {
    const outcomes = new Map<number, Fault | undefined>(features.map(({ index, fault }) => [index, fault]));
    for (const group of groupsOf(features.filter((each): each is PreparedLand => each.fault === undefined))) {
      const faults = await this.#writeGroup(group, { ...this.#author, at: now });
      for (const [index, fault] of faults) outcomes.set(index, fault);
    }
    return [...outcomes].map(([index, fault]) => (fault === undefined ? { index } : { index, fault }));
  }

  /** Features under the ids of the fields that they are. @param group of one kind and party: those of GeoJSON have one party */
  async #named(group: readonly PreparedLand[]): Promise<readonly PreparedLand[]> {
    const unnamed = group.find(({ isUnnamed }) => isUnnamed);
    if (unnamed === undefined) return group;
    const scope = { kind: 'field', tenant: this.#author.tenant, partyId: unnamed.partyId } as const;
    this.#places ??= await FieldsByPlace.read(this.#ports, scope);
    return this.#places.named(group);
  }

  /** @param features of one kind and party */
  async #writeGroup(features: readonly PreparedLand[], author: ImportAuthor): Promise<ReadonlyMap<number, Fault>> {
    const group = await this.#named(features);
    const faults = new Map<number, Fault>([...(await this.#faultsOfParents(group)), ...(await this.#erased(group))]);
    const seen = new Set<string>();
    for (const each of group) {
      const key = idKeyOf(each.id);
      if (seen.has(key) && !faults.has(each.index)) faults.set(each.index, faultOf(twiceInFile(each.id), each));
      seen.add(key);
    }
    for (let tries = 0; tries < MOST_TRIES; tries += 1) {
      const left = group.filter(({ index }) => !faults.has(index));
      if (left.length === 0 || (await this.#tryWrite(left, author, faults))) return faults;
    }
    throw new ServiceError(commonFaults.unavailable, 'Others change the same resources all the time.');
  }

  /** @returns false when something is not as it was read any more */
  async #tryWrite(group: readonly PreparedLand[], author: ImportAuthor, faults: Map<number, Fault>): Promise<boolean> {
    const [{ kind, partyId } = { kind: 'field', partyId: '' } as const] = group;
    const quota = await this.#quotaFault(author.tenant, kind);
    const wasNew = this.#isNew && quota === undefined;
    const stored = wasNew ? new Map<number, ComparedLand>() : await this.#stored(group, author.tenant);
    const writes = group.flatMap((each): LandWrite[] => {
      const decision = decided(each, stored.get(each.index), { author, quota });
      if (decision === 'written') return [];
      if ('land' in decision) return [decision];
      faults.set(each.index, decision);
      return [];
    });
    const isWritten =
      writes.length === 0 || (await this.#ports.land.writeMany({ kind, tenant: author.tenant, partyId }, writes));
    this.#isNew = isWritten && stored.size === 0;
    return isWritten;
  }

  async #quotaFault(tenant: string, kind: LandKind): Promise<ServiceError | undefined> {
    try {
      await this.#ports.checkQuota(tenant, kind);
      return undefined;
    } catch (error) {
      if (error instanceof ServiceError && error.fault.code === farmFaults.quotaExceeded.code) return error;
      throw error;
    }
  }

  /** What is there of them, by index. */
  async #stored(group: readonly PreparedLand[], tenant: string): Promise<ReadonlyMap<number, ComparedLand>> {
    const stored = new Map<number, ComparedLand>();
    await eachOf(group, READS_AT_ONCE, async (each) => {
      const found = await this.#ports.land.findWhole(landKeyOf(each, tenant));
      if (found === undefined) return;
      const { packed: _packed, ...land } = found.land;
      stored.set(each.index, { ...found, land, hasSameLand: await this.#hasSameLand(each, found) });
    });
    return stored;
  }

  async #hasSameLand({ packed, extent }: PreparedLand, { land: there }: StoredLand): Promise<boolean> {
    const isNear = extent !== undefined && there.extent !== undefined && isNearBox(extent.box, there.extent.box);
    if (!isNear || packed === undefined || there.packed === undefined) return false;
    return this.#ports.isSameLand(there.packed, packed);
  }

  /** A farm needs its party, a field its farm, or else its party: as when one is written by itself. */
  async #faultsOfParents(group: readonly PreparedLand[]): Promise<readonly (readonly [number, Fault])[]> {
    const { tenant } = this.#author;
    const known = new Map<string, Fault | undefined>();
    const faults: [number, Fault][] = [];
    for (const each of group) {
      const parent = parentOf(each, tenant);
      if (parent === undefined) continue;
      const name = `${parent.kind} ${idKeyOf(parent.id)}`;
      if (!known.has(name)) known.set(name, await this.#faultOfParent(parent));
      const fault = known.get(name);
      if (fault !== undefined) faults.push([each.index, { id: each.id, ...fault }]);
    }
    return faults;
  }

  /**
   * Parties that were erased since the import was asked for: it would bring them back. What is written just now below one
   * whose tombstone comes in between is found by the erasure, which waits for writers under way.
   */
  async #erased(group: readonly PreparedLand[]): Promise<readonly (readonly [number, Fault])[]> {
    const { tenant, askedAt } = this.#author;
    const faults: [number, Fault][] = [];
    const parties = group.filter(({ kind }) => kind === 'party');
    await eachOf(parties, READS_AT_ONCE, async ({ index, id }) => {
      const tombstone = await this.#ports.tombstones.find({ tenant, partyId: id });
      if (tombstone !== undefined && tombstone.erasedAt > askedAt)
        faults.push([index, { id, ...parentFaults.erased(id) }]);
    });
    return faults;
  }

  async #faultOfParent(parent: LandKey): Promise<Fault | undefined> {
    const found = await this.#ports.land.find(parent);
    const name = `${parent.kind} ${parent.id}`;
    if (found === undefined) return parentFaults.missing(name);
    return found.land.isDeleting === true ? parentFaults.deleted(name) : undefined;
  }
}

/** What is to be done with a feature, or its fault. */
function decided(
  prepared: PreparedLand,
  stored: ComparedLand | undefined,
  { author, quota }: { readonly author: ImportAuthor; readonly quota: ServiceError | undefined },
): LandDecision | Fault {
  try {
    if (stored === undefined && quota !== undefined) throw quota;
    return decisionOn(prepared, stored, author);
  } catch (error) {
    if (error instanceof ServiceError) return faultOf(error, prepared);
    throw error;
  }
}

/** Features that follow each other and are of one kind and party. */
function groupsOf(features: readonly PreparedLand[]): readonly (readonly PreparedLand[])[] {
  const groups: PreparedLand[][] = [];
  for (const each of features) {
    const first = groups.at(-1)?.[0];
    // All parties lie together.
    const isSame =
      first?.kind === each.kind && (each.kind === 'party' || idKeyOf(first.partyId) === idKeyOf(each.partyId));
    if (isSame) groups.at(-1)?.push(each);
    else groups.push([each]);
  }
  return groups;
}

function parentOf({ kind, partyId, body }: PreparedLand, tenant: string): LandKey | undefined {
  if (kind === 'party') return undefined;
  const { farmId } = body;
  return kind === 'field' && typeof farmId === 'string'
    ? { kind: 'farm', tenant, partyId, id: farmId }
    : partyKeyOf(tenant, partyId);
}

const faultOf = ({ fault: { code }, message }: ServiceError, { id }: PreparedLand): Fault => ({ id, code, message });
