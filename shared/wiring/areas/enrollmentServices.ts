import { ManagedIdentityCredential, type TokenCredential } from '@azure/identity';
import { BlobServiceClient } from '@azure/storage-blob';
import { checkApiKey } from '../../access/auth/apiKeyCheck.js';
import { cursorKeysOf } from '../../access/auth/apiKeyDigest.js';
import type { Clock } from '../../kit/clock.js';
import type { Config } from '../settings/config.js';
import { CustomerStore } from '../../access/customers/customerStore.js';
import type { Enrollment, EnrollmentKey } from '../../enrollments/record/enrollment.js';
import { EnrollmentInputStore } from '../../enrollments/record/enrollmentInputStore.js';
import type { StandingField } from '../../enrollments/ingest/ingestFields.js';
import { inspectInParts, type TakeInspected } from '../../enrollments/upload/inspectInParts.js';
import { ingestKind } from '../../enrollments/ingest/ingestEnrollment.js';
import { EnrollmentStore } from '../../enrollments/record/enrollmentStore.js';
import { FieldStore } from '../../enrollments/fields/fieldStore.js';
import {
  checkGeoJson,
  inspectFields,
  standingField,
  tooMuchMemory,
  type BoundariesToInspect,
  type CheckedGeoJson,
  type GeoJsonToCheck,
  type InspectedField,
} from '../../enrollments/upload/uploadTasks.js';
import { invalidInput } from '../../kit/errors/invalidInput.js';
import type { JsonText, ParsedJson } from '../../kit/json/jsonText.js';
import { UploadSlots } from '../../access/rates/uploadSlots.js';
import { TableInterestStore } from '../../imagery/interest/tableInterestStore.js';
import type { FieldGeometrySource } from '../../scenes/pixels/pixelPorts.js';
import type { FieldDateStore } from '../../imagery/records/tableFieldDateStore.js';
import { BlobFieldGeometrySource } from '../../scenes/pixels/blobFieldGeometrySource.js';
import { TableFieldDateStore } from '../../imagery/records/tableFieldDateStore.js';
import type { NewId } from '../../kit/ids.js';
import type { CursorKeys } from '../../kit/listCursor.js';
import { limitRate, type LimitRate } from '../../access/rates/limitRate.js';
import { BucketStore } from '../../access/rates/bucketStore.js';
import { limiter } from '../../kit/limiter.js';
import { accountNameOf, directorySas, type StorageAccess } from '../../storage/azure/directorySas.js';
import { requestLimits } from '../../storage/timeLimits.js';
import { IMAGERY_FOLDER, imageryContainerName } from '../../storage/names.js';
import type { Log } from '../../kit/telemetry/telemetry.js';
import { TaskExhausted } from '../beside/taskProcess.js';
import type { WorkKind } from '../../work/item/workKind.js';
import type { RunTask } from '../beside/tasks.js';
import type { Tellers } from './noticeServices.js';
import type { DataStorage } from '../clients/storageClients.js';

/** What area C needs beside what every area has. */
export interface EnrollmentServices {
  readonly customers: CustomerStore;
  /** The customer an `Api-Key` header speaks for. */
  readonly checkApiKey: (header: string | null) => Promise<string>;
  readonly enrollments: EnrollmentStore;
  readonly fields: FieldStore;
  readonly fieldDates: Pick<FieldDateStore, 'list'>;
  readonly geometries: FieldGeometrySource;
  readonly inputs: EnrollmentInputStore;
  readonly cursorKeys: CursorKeys;
  readonly uploadSlots: UploadSlots;
  /** Reads a large body in JSON beside the event loop. */
  readonly parseBeside: (text: JsonText) => Promise<ParsedJson>;
  readonly checkGeoJson: (input: GeoJsonToCheck) => Promise<CheckedGeoJson>;
  /** Checks the geometry of each field of a submission, some fields at a time. */
  readonly inspectFields: (geojson: Uint8Array, take: TakeInspected) => Promise<void>;
  readonly standingField: StandingField;
  /** The work of this area. */
  readonly ingestKind: WorkKind;
  /** Read access to a customer's imagery. */
  readonly grantStorageAccess: (customer: string) => Promise<StorageAccess>;
  /** Lets one call of a caller pass, or throws 429; lets all pass unless RATE_LIMITS is on. */
  readonly limitRate: LimitRate;
}

export interface EnrollmentSurroundings {
  readonly forRequests: DataStorage;
  readonly forWork: DataStorage;
  readonly credential: TokenCredential;
  readonly runTask: RunTask;
  /** How customers are told. */
  readonly tellers: Pick<Tellers, 'tellOfEnrollment'>;
  /** Has the monitoring of an enrollment begin. */
  readonly beginMonitoring: (enrollment: Enrollment) => Promise<void>;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
}

/** Large uploads read at once by one process, and large ingests at once beside them. */
const LARGE_UPLOADS = 2;
const LARGE_INGESTS = 1;
/** Smaller files are checked faster than they are handed to another process. */
const INLINE_BYTES = 1024 * 1024;
/** Boundaries of smaller files take less than 100 ms to check, even those made to be slow. */
const INLINE_BOUNDARY_BYTES = 64 * 1024;

function storesOf(storage: DataStorage) {
  return {
    customers: new CustomerStore(storage.rows('customers')),
    enrollments: new EnrollmentStore(storage.rows('enrollments')),
    fields: new FieldStore(storage.rows('fields')),
    fieldDates: new TableFieldDateStore(storage.rows('fieldDates')),
    geometries: new BlobFieldGeometrySource(storage.blobs('enrollment-inputs')),
    inputs: new EnrollmentInputStore(storage.blobs('enrollment-inputs')),
    interest: new TableInterestStore(storage.rows('interest')),
  };
}

/** Builds the clients and use cases of area C; nothing is called yet. */
export function enrollmentServices(config: Config, surroundings: EnrollmentSurroundings): EnrollmentServices {
  const { forRequests, credential, clock, runTask } = surroundings;
  const stores = storesOf(forRequests);
  const { customers } = stores;
  const peppers = config.API_KEY_PEPPERS;
  const buckets = new BucketStore(forRequests.rows('limits'));
  return {
    ...stores,
    checkApiKey: checkApiKey({ findKey: (keyId) => customers.findKey(keyId), peppers, clock }),
    cursorKeys: cursorKeysOf(peppers),
    uploadSlots: new UploadSlots(LARGE_UPLOADS),
    parseBeside: (text) => runTask('parsedJson', text),
    checkGeoJson: geoJsonCheck(runTask),
    inspectFields: ofRequest(inspectionOf(runTask)),
    standingField: comparison(runTask),
    ingestKind: ingestOf(config, surroundings),
    grantStorageAccess: storageAccessOf(config, credential, clock),
    limitRate: config.RATE_LIMITS ? limitRate({ buckets, clock }, config.RATE_LIMIT_RATES) : () => Promise.resolve(),
  };
}

/** Large files are read in a process of their own: one that takes too much memory ends alone. */
function geoJsonCheck(runTask: RunTask): EnrollmentServices['checkGeoJson'] {
  return async (input) => {
    if (input.bytes.byteLength < INLINE_BYTES) return checkGeoJson(input);
    try {
      return await runTask('checkGeoJson', input);
    } catch (error) {
      if (!(error instanceof TaskExhausted)) throw error;
      return { fields: 0, faults: [tooMuchMemory] };
    }
  };
}

const comparison =
  (runTask: RunTask): StandingField =>
  async (pair) =>
    pair.there.byteLength + pair.submitted.byteLength < INLINE_BOUNDARY_BYTES
      ? standingField(pair)
      : runTask('standingField', pair);

type InspectFields = EnrollmentServices['inspectFields'];

/** One large submission at a time beside the event loop: small ones need not wait for it. */
function inspectionOf(runTask: RunTask): InspectFields {
  const tasks = {
    placeBoundaries: (bytes: Uint8Array) => runTask('placeBoundaries', bytes),
    inspectBoundaries: (input: BoundariesToInspect) => runTask('inspectBoundaries', input),
  };
  return async (geojson, take) =>
    geojson.byteLength < INLINE_BOUNDARY_BYTES ? take(inspectFields(geojson)) : inspectInParts(tasks, geojson, take);
}

/** An inspection that takes too much memory is the caller's fault. */
function ofRequest(inspect: InspectFields): InspectFields {
  return async (geojson, take) => {
    try {
      await inspect(geojson, take);
    } catch (error) {
      if (!(error instanceof TaskExhausted)) throw error;
      throw invalidInput([tooMuchMemory]);
    }
  };
}

function ingestOf(
  config: Config,
  { forWork, clock, log, runTask, tellers, beginMonitoring }: EnrollmentSurroundings,
): EnrollmentServices['ingestKind'] {
  const stores = storesOf(forWork);
  const large = limiter(LARGE_INGESTS);
  const inspect = inspectionOf(runTask);
  const ports = {
    ...stores,
    beginMonitoring,
    tellOfEnrollment: tellers.tellOfEnrollment,
    clock,
    log,
    standingField: comparison(runTask),
    inspectFields: (key: EnrollmentKey) =>
      large(async () => {
        const inspected: InspectedField[] = [];
        await inspect(await stores.inputs.readGeoJson(key), (fields) => void inspected.push(...fields));
        return inspected;
      }),
  };
  return ingestKind(ports, config.JOB_LEASE_SECONDS * 1000);
}

/** The SAS is signed with an identity that may read alone, where there is one: a fault in minting can't grant more. */
function storageAccessOf(
  config: Config,
  credential: TokenCredential,
  clock: Clock,
): EnrollmentServices['grantStorageAccess'] {
  const uri = config.IMAGERY_STORAGE__blobServiceUri;
  const clientId = config.SAS_IDENTITY_CLIENT_ID;
  const signer = clientId === undefined ? credential : new ManagedIdentityCredential({ clientId });
  const { tryMs, tries } = requestLimits;
  const account = new BlobServiceClient(uri, signer, {
    retryOptions: { maxTries: tries, tryTimeoutInMs: tryMs, retryDelayInMs: 200, maxRetryDelayInMs: 2_000 },
  });
  const grant = directorySas({
    getUserDelegationKey: (startsOn, expiresOn) => account.getUserDelegationKey(startsOn, expiresOn),
    accountName: accountNameOf(uri),
    fileSystem: imageryContainerName,
    clock,
  });
  return (customer) => grant(customer, IMAGERY_FOLDER);
}
