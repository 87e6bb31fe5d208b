import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '../../kit/clock.js';
import { farmFaults } from '../../kit/errors/farmFaults.js';
import { ServiceError } from '../../kit/errors/serviceError.js';
import { deterministicId, type NewId } from '../../kit/ids.js';
import { importsLaneOf } from '../../work/lanes/lane.js';
import type { Lanes } from '../../work/lanes/lanes.js';
import { inLane, newItem } from '../../work/item/workItem.js';
import type { WorkStore } from '../../work/item/workStore.js';
import type { FarmWorkStore } from '../upkeep/farmWorkStore.js';
import { ImportFault } from '../files/importFault.js';
import { archivedFields } from '../shapefile/archivedFields.js';
import { mapCodeOf } from '../shapefile/mapProjection.js';
import { openZip } from '../files/zip.js';
import { requireLand } from '../land/getLand.js';
import { partyKeyOf } from '../land/land.js';
import type { LandStore } from '../land/landStore.js';
import { invalidRequest } from '../wire/resourceRules.js';
import type { ImportFileStore } from '../upkeep/importFileStore.js';
import {
  KMZ_TYPE,
  factsOfImport,
  progressOfImport,
  workOfImport,
  type ImportJob,
  type ImportOptions,
  type ImportProgress,
} from './importJob.js';

export interface StartImportPorts {
  readonly land: Pick<LandStore, 'find'>;
  readonly imports: FarmWorkStore<ImportJob>;
  readonly importFiles: ImportFileStore;
  readonly lanes: Pick<Lanes, 'wait'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly newId: NewId;
}

/** Who imports which file. */
export interface ImportAsked {
  readonly tenant: string;
  readonly by: string;
  readonly bytes: Uint8Array;
  readonly options: ImportOptions;
  readonly idempotencyKey?: string | undefined;
}

/** An import with what its work says of it. */
export interface ImportState {
  readonly job: ImportJob;
  readonly isRunning: boolean;
  readonly progress: ImportProgress | undefined;
}

/** Bytes hashed at a time; between two pieces other requests are served. */
const PIECE_BYTES = 1024 * 1024;

/**
 * Has the features of a file written: the file is stored, then the import with its work in one transaction. A crash in
 * between leaves a file that a later import of the tenant deletes after a day.
 *
 * @throws ServiceError 400 for a file or options that can't be imported, 404 without the party, 409 when the
 *   `Idempotency-Key` was used for another import
 */
export const startImport =
  (ports: StartImportPorts) =>
  async (asked: ImportAsked): Promise<ImportState> => {
    const { tenant, by, bytes, options, idempotencyKey } = asked;
    const digest = await digestOf(asked);
    const importId = idempotencyKey === undefined ? ports.newId() : deterministicId('import', tenant, idempotencyKey);
    const key = workOfImport(tenant, importId);
    const earlier = idempotencyKey === undefined ? undefined : await ports.imports.find(key);
    if (earlier !== undefined) return asAsked(earlier.value, digest);
    await requireImportable(ports, asked);
    await ports.importFiles.put({ tenant, importId }, digest, { type: options.type, bytes });
    const now = ports.clock.now().getTime();
    const { partyId } = options;
    const party = partyId === undefined ? {} : { partyId };
    const job: ImportJob = { id: importId, ...party, digest, status: 'Waiting', createdAt: now };
    const lane = importsLaneOf(tenant);
    const item = newItem({ ...key, facts: factsOfImport({ ...options, by, digest }) }, now);
    if (!(await ports.imports.insert(inLane(item, { lane, askedAt: now }), job))) {
      const winner = await ports.imports.find(key);
      return asAsked(winner?.value ?? job, digest);
    }
    // A ticket that can't be left is left by the sweep.
    await ports.lanes.wait(lane, { ...key, askedAt: now }).catch(() => undefined);
    return begun(job);
  };

const begun = (job: ImportJob): ImportState => ({ job, isRunning: false, progress: job.progress });

function asAsked(job: ImportJob, digest: string): ImportState {
  if (job.digest === digest) return begun(job);
  const text =
    'Idempotency-Key was used for another import. Repeat that one with the same bytes and parameters, or send a new key.';
  throw new ServiceError(farmFaults.conflict, text);
}

async function requireImportable(ports: StartImportPorts, { tenant, bytes, options }: ImportAsked): Promise<void> {
  const { type, partyId, farmId } = options;
  if (bytes.byteLength === 0) throw invalidRequest('The body is empty.');
  if (partyId === undefined && type !== 'application/x-ndjson') {
    throw invalidRequest('partyId is missing: say whose fields they are.');
  }
  if (partyId !== undefined && type !== 'application/x-ndjson') {
    await requireLand(ports.land, partyKeyOf(tenant, partyId));
    if (farmId !== undefined) await requireLand(ports.land, { kind: 'farm', tenant, partyId, id: farmId });
  }
  if (type === 'application/zip' || type === KMZ_TYPE) await requireFieldsIn(bytes);
}

async function requireFieldsIn(bytes: Uint8Array): Promise<void> {
  try {
    const archive = await openZip(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    const { shapefile } = await archivedFields(archive);
    if (shapefile !== undefined) mapCodeOf(shapefile.prj);
  } catch (error) {
    if (!(error instanceof ImportFault)) throw error;
    throw new ServiceError(farmFaults.invalidRequest, error.message, { cause: error });
  }
}

async function digestOf({ options, by, bytes }: ImportAsked): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify([by, Object.entries(options).toSorted()]));
  for (let start = 0; start < bytes.byteLength; start += PIECE_BYTES) {
    hash.update(bytes.subarray(start, start + PIECE_BYTES));
    await nextTurn();
  }
  return hash.digest('hex');
}

export interface GetImportPorts {
  readonly imports: Pick<FarmWorkStore<ImportJob>, 'find'>;
  readonly openWork: Pick<WorkStore, 'find'>;
}

/** An import of the tenant. @throws ServiceError 404 */
export const getImport =
  ({ imports, openWork }: GetImportPorts) =>
  async (tenant: string, importId: string): Promise<ImportState> => {
    const key = workOfImport(tenant, importId);
    // The work first: it goes when the import has ended.
    const work = await openWork.find(key);
    const found = await imports.find(key);
    if (found === undefined) {
      throw new ServiceError(farmFaults.resourceNotFound, `Your tenant has no import ${importId}.`);
    }
    const { value: job } = found;
    const progress = job.progress ?? progressOfImport(work?.item.place);
    const hasBegun = work?.item.claim !== undefined || progress !== undefined;
    return { job, isRunning: job.status === 'Waiting' && hasBegun, progress };
  };
