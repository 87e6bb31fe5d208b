import type { Clock } from '../../kit/clock.js';
import { fieldFaults } from '../../kit/errors/catalogue.js';
import { limiter } from '../../kit/limiter.js';
import { addDays } from '../../kit/validation/calendar.js';
import { LATE_SCENE_DAYS, type Enrollment, type FieldFault, type FieldTally } from '../record/enrollment.js';
import { FIELDS_PER_WRITE, type FieldStore, type FieldWrite } from '../fields/fieldStore.js';
import type { EnrollmentInputStore } from '../record/enrollmentInputStore.js';
import type { FailedField, Field, FieldClaim, FieldHolder, ReadyField } from '../fields/field.js';
import type { CheckedField } from '../upload/fieldShape.js';
import type { GeometryPair, InspectedField } from '../upload/uploadTasks.js';

/** What the ingest of fields needs. */
export interface IngestFieldsPorts {
  readonly fields: FieldStore;
  readonly inputs: Pick<EnrollmentInputStore, 'putGeometry' | 'findGeometry'>;
  readonly standingField: StandingField;
  readonly clock: Clock;
}

/** The field of the geometry that is there, where the submitted one is the same land. */
export type StandingField = (pair: GeometryPair) => Promise<CheckedField | undefined>;

/** Storage calls under way at once for one batch. */
const PARALLEL = 8;
/** Attempts to write a batch while others change the claims on its fields. */
const TRIES = 8;

/** Counts the fields that were written. */
export function tallyOf(fields: readonly Field[]): FieldTally {
  const failed = fields.filter((field): field is FailedField => field.status === 'failed');
  const errors = failed.map(({ fieldId, code, message }) => ({ fieldId, code, message }));
  return { processed: fields.length - failed.length, errors };
}

/**
 * Writes one batch of fields: geometries first, then fields, claims and holders in one transaction. Rows of an earlier
 * attempt stay as they are.
 *
 * @param batch at most 33 fields
 * @returns every field of the enrollment written so far
 */
export async function ingestBatch(
  ports: IngestFieldsPorts,
  enrollment: Enrollment,
  batch: readonly InspectedField[],
): Promise<readonly Field[]> {
  const parallel = limiter(PARALLEL);
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const written = await ports.fields.listFields(enrollment);
    const missing = missingOf(batch, written);
    if (missing.length === 0) return written;
    const writes = await Promise.all(missing.map((field) => parallel(() => writeOf(ports, enrollment, field))));
    await ports.fields.write(enrollment, writes);
  }
  throw new Error('The claims on the fields kept changing.');
}

/** The fields that still have no row, in batches. */
export function batchesOf(
  inspected: readonly InspectedField[],
  written: readonly Field[],
): readonly (readonly InspectedField[])[] {
  const missing = missingOf(inspected, written);
  const batches: (readonly InspectedField[])[] = [];
  for (let start = 0; start < missing.length; start += FIELDS_PER_WRITE) {
    batches.push(missing.slice(start, start + FIELDS_PER_WRITE));
  }
  return batches;
}

function missingOf(inspected: readonly InspectedField[], written: readonly Field[]): readonly InspectedField[] {
  const known = new Set(written.map(({ index }) => index));
  return inspected.filter(({ index }) => !known.has(index));
}

async function writeOf(
  ports: IngestFieldsPorts,
  enrollment: Enrollment,
  { index, fieldId, group, outcome }: InspectedField,
): Promise<FieldWrite> {
  const { customer, enrollmentId } = enrollment;
  const common = { customer, enrollmentId, index, fieldId };
  if (outcome.fault !== undefined) return { field: { ...common, status: 'failed', ...outcome.fault } };
  const found = await claimOn(ports, customer, {
    fieldId,
    geometryHash: outcome.shape.geometryHash,
    readGeometry: () => Promise.resolve(outcome.geometry),
  });
  const { claim, conflict } = found;
  if (claim !== undefined && conflict !== undefined)
    return { field: { ...common, status: 'failed', ...conflict }, claim };
  const { shape, outline, geometry } = found.standing ?? outcome;
  if (found.standing === undefined) await ports.inputs.putGeometry(customer, shape.geometryHash, geometry);
  const { startDate, endDate, layers } = enrollment.request;
  const field: ReadyField = { ...common, status: 'ready', group, shape, startDate, endDate, layers };
  return { field, holder: holderOf(field, todayOf(ports)), replaces: claim, outline };
}

/** A sound field that is to have a field id. */
interface ClaimedField {
  readonly fieldId: string;
  readonly geometryHash: string;
  /** JSON of a MultiPolygon; called only where the id stands for a geometry with another hash. */
  readonly readGeometry: () => Promise<Uint8Array>;
}

/** What a field id stands for. */
interface FoundClaim {
  readonly claim: FieldClaim | undefined;
  /** Other land has the id. */
  readonly conflict?: FieldFault;
  /** The same land in the writing that came first, by which it goes on: its images stay as they are. */
  readonly standing?: CheckedField;
}

/**
 * The present claim on a field id. The id belongs to its land while an enrollment with it is active; later other land may
 * have it. Land is the same in every writing (`isSameLand`): it is held against the geometry that is stored.
 */
export async function claimOn(
  ports: Pick<IngestFieldsPorts, 'clock' | 'standingField'> & {
    readonly fields: Pick<FieldStore, 'findClaim' | 'listHolders'>;
    readonly inputs: Pick<EnrollmentInputStore, 'findGeometry'>;
  },
  customer: string,
  { fieldId, geometryHash, readGeometry }: ClaimedField,
): Promise<FoundClaim> {
  const { fields, inputs } = ports;
  const claim = await fields.findClaim(customer, fieldId);
  if (claim === undefined || claim.geometryHash === geometryHash) return { claim };
  const there = await inputs.findGeometry(customer, claim.geometryHash);
  const standing = there && (await ports.standingField({ there, submitted: await readGeometry() }));
  if (standing !== undefined) {
    return { claim, standing: { ...standing, shape: { ...standing.shape, geometryHash: claim.geometryHash } } };
  }
  const today = todayOf(ports);
  const holder = (await fields.listHolders(customer, fieldId)).find(({ activeUntil }) => activeUntil >= today);
  return holder === undefined ? { claim } : { claim, conflict: conflictWith(holder) };
}

const todayOf = ({ clock }: { readonly clock: Clock }): string => clock.now().toISOString().slice(0, 10);

/** A period that is over holds its fields for `LATE_SCENE_DAYS` from today: its backfill takes that time. */
function holderOf({ enrollmentId, fieldId, shape, ...period }: ReadyField, today: string): FieldHolder {
  const { startDate, endDate, layers } = period;
  const activeUntil = addDays(endDate > today ? endDate : today, LATE_SCENE_DAYS);
  return { enrollmentId, fieldId, geometryHash: shape.geometryHash, startDate, endDate, activeUntil, layers };
}

function conflictWith({ enrollmentId }: FieldHolder): FieldFault {
  const message = `The active enrollment ${enrollmentId} has this field_id with another geometry; use another field_id or that geometry.`;
  return { code: fieldFaults.idConflict.code, message };
}
