import { foldedFieldId } from '../../../shared/enrollments/upload/fieldId.js';
import { ApiError } from '../../api/errors.js';
import type { ChosenFile } from './chosenFile.js';
import type { ReadFeature } from './readFeatures.js';
import {
  faultsOfDetails,
  faultsOfTrial,
  type FieldFault,
  type SubmissionFaults,
  type TriedField,
} from './submissionFaults.js';

/** What a check has found. */
export interface Checked {
  readonly state: 'empty' | 'reading' | 'checking' | 'faulty' | 'sound' | 'sending';
  readonly faults: SubmissionFaults;
  /** Hectares of each feature whose boundary is sound, once they are known. */
  readonly areas: ReadonlyMap<number, number>;
  /** What is wrong beside the fields: the file can't be read, the service doesn't answer. */
  readonly error?: unknown;
}

const NO_FAULTS: SubmissionFaults = { fields: [], inputs: {}, file: [] };

export const nothing = (state: Checked['state'], error?: unknown): Checked => ({
  state,
  faults: NO_FAULTS,
  areas: new Map(),
  error,
});

const featuresOf = ({ read }: ChosenFile): readonly ReadFeature[] => (read.fault === undefined ? read.features : []);

/** The names of the features that are sent. */
export const namesOf = (
  file: ChosenFile,
  kept: readonly number[],
  typed: ReadonlyMap<number, string>,
): ReadonlyMap<number, string> =>
  new Map(kept.map((index) => [index, typed.get(index) ?? featuresOf(file)[index]?.fieldId ?? '']));

/** Features that become one enrollment each, in their order. */
export const partsOf = (kept: readonly number[], limit: number): readonly (readonly number[])[] =>
  kept.length <= limit
    ? [kept]
    : Array.from({ length: Math.ceil(kept.length / limit) }, (_, part) => kept.slice(part * limit, (part + 1) * limit));

/** How many fields the service takes at once, where it has refused more. */
export function limitIn(error: unknown): number | undefined {
  const details = error instanceof ApiError ? error.details : [];
  const msg = details.find(({ type }) => type === 'too_many_fields')?.msg ?? '';
  const limit = Number(/at most (\d+) are allowed/.exec(msg)?.[1]);
  return limit > 0 ? limit : undefined;
}

/** Names that stand in two enrollments, which the service does not see together. */
function repeatedNames(names: ReadonlyMap<number, string>): readonly FieldFault[] {
  const seen = new Map<string, string>();
  return [...names].flatMap(([feature, name]) => {
    const first = seen.get(foldedFieldId(name));
    seen.set(foldedFieldId(name), name);
    const message = `is the name of another field too${first === name ? '' : `, ${first ?? ''}, apart from letter case`}`;
    return first === undefined ? [] : [{ feature, code: 'duplicate', message, place: undefined }];
  });
}

function checkedOf(trial: readonly TriedField[], kept: readonly number[], file: ChosenFile): Checked {
  const fields = faultsOfTrial(trial, kept, featuresOf(file));
  const areas = new Map(
    trial.flatMap(({ area_ha: area }, index) => (area === null ? [] : [[kept[index] ?? index, area]])),
  );
  return { state: fields.length === 0 ? 'sound' : 'faulty', faults: { ...NO_FAULTS, fields }, areas };
}

/** What a refusal says: faults where they are, else an error. */
export function refusedOf(error: unknown, kept: readonly number[], file: ChosenFile): Checked {
  if (!(error instanceof ApiError) || error.status !== 422 || error.details.length === 0)
    return nothing('faulty', error);
  return { ...nothing('faulty'), faults: faultsOfDetails(error.details, kept, featuresOf(file)) };
}

const joined = (one: Checked, other: Checked): Checked => ({
  state: one.state === 'sound' ? other.state : one.state,
  faults: {
    fields: [...one.faults.fields, ...other.faults.fields],
    inputs: { ...one.faults.inputs, ...other.faults.inputs },
    file: [...new Set([...one.faults.file, ...other.faults.file])],
  },
  areas: new Map([...one.areas, ...other.areas]),
  error: one.error ?? other.error,
});

/** Has all parts of a submission checked: nothing is said of any before all were looked at. */
export async function checkParts(
  parts: readonly (readonly number[])[],
  { file, typed }: { readonly file: ChosenFile; readonly typed: ReadonlyMap<number, string> },
  tryPart: (part: readonly number[]) => Promise<readonly TriedField[]>,
): Promise<Checked> {
  let found: Checked | undefined;
  for (const part of parts) {
    const checked = await tryPart(part).then(
      (trial) => checkedOf(trial, part, file),
      (error: unknown) => {
        if (limitIn(error) !== undefined) throw error;
        return refusedOf(error, part, file);
      },
    );
    found = found === undefined ? checked : joined(found, checked);
    if (found.error !== undefined) return found;
  }
  const repeated = parts.length === 1 ? [] : repeatedNames(namesOf(file, parts.flat(), typed));
  const all = found ?? nothing('sound');
  const known = new Set(all.faults.fields.map(({ feature, code }) => `${feature} ${code}`));
  const fields = repeated.filter(({ feature, code }) => !known.has(`${feature} ${code}`));
  return fields.length === 0 ? all : joined(all, { ...nothing('faulty'), faults: { ...NO_FAULTS, fields } });
}
