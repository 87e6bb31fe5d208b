import { useEffect, useRef, useState } from 'preact/hooks';
import { addDays } from '../../../shared/validation/calendar.js';
import { serviceToday } from '../../api/clock.js';
import { ApiError } from '../../api/errors.js';
import { handedOver } from '../handOver.js';
import { chooseFile, handedFile, type ChosenFile } from './chosenFile.js';
import { submit, trySubmission, type MonitoringWanted } from './submission.js';
import { faultsOfDetails, faultsOfTrial, type SubmissionFaults, type TriedField } from './submissionFaults.js';
import { forgetAtSignOut } from '../../session/forgetting.js';

const DAYS_BACK = 30;
const DAYS_AHEAD = 150;

/** Where a submission stands. */
export interface Submission {
  readonly file: ChosenFile | undefined;
  /** Names that were typed, by the index of their feature. */
  readonly typed: ReadonlyMap<number, string>;
  readonly wanted: MonitoringWanted;
  /** Indices of the features that are sent. */
  readonly kept: readonly number[];
  readonly state: 'empty' | 'reading' | 'checking' | 'faulty' | 'sound' | 'sending';
  readonly faults: SubmissionFaults;
  /** Hectares of each feature, once they are known. */
  readonly areas: ReadonlyMap<number, number>;
  /** What is wrong beside the fields: the file can't be read, the service doesn't answer. */
  readonly error: unknown;
  readonly choose: (file: File) => void;
  readonly rename: (feature: number, name: string) => void;
  /** Names the fields by another property of the file. */
  readonly nameBy: (property: string) => void;
  readonly want: (changes: Partial<MonitoringWanted>) => void;
  /** Checks again, after something was away. */
  readonly check: () => void;
  readonly leaveOut: (features: readonly number[]) => void;
  /** @returns the enrollment's id; undefined when it was refused, which `error` tells */
  readonly send: () => Promise<string | undefined>;
}

interface Checked {
  readonly state: Submission['state'];
  readonly faults: SubmissionFaults;
  readonly areas: ReadonlyMap<number, number>;
  readonly error?: unknown;
}

const NO_FAULTS: SubmissionFaults = { fields: [], inputs: {}, file: [] };
const nothing = (state: Submission['state'], error?: unknown): Checked => ({
  state,
  faults: NO_FAULTS,
  areas: new Map(),
  error,
});

function firstWanted(): MonitoringWanted {
  const today = serviceToday();
  return {
    from: addDays(today, -DAYS_BACK),
    to: addDays(today, DAYS_AHEAD),
    layers: ['ndvi', 'vegetation', 'scouting', 'true-color'],
    description: '',
  };
}

const featuresOf = ({ read }: ChosenFile) => (read.fault === undefined ? read.features : []);

function checkedOf(trial: readonly TriedField[], kept: readonly number[], file: ChosenFile): Checked {
  const fields = faultsOfTrial(trial, kept, featuresOf(file));
  const areas = new Map(
    trial.flatMap(({ area_ha: area }, index) => (area === null ? [] : [[kept[index] ?? index, area]])),
  );
  return { state: fields.length === 0 ? 'sound' : 'faulty', faults: { ...NO_FAULTS, fields }, areas };
}

function refusedOf(error: unknown, kept: readonly number[], file: ChosenFile): Checked {
  if (!(error instanceof ApiError) || error.status !== 422 || error.details.length === 0)
    return nothing('faulty', error);
  return { ...nothing('faulty'), faults: faultsOfDetails(error.details, kept, featuresOf(file)) };
}

const isOtherQuestion = (wanted: MonitoringWanted, changes: Partial<MonitoringWanted>): boolean =>
  (['from', 'to', 'layers'] as const).some((name) => (changes[name] ?? wanted[name]) !== wanted[name]);

/** What stays when the view is left: a file is chosen once. */
interface KeptSubmission {
  readonly file: ChosenFile;
  readonly wanted: MonitoringWanted;
  readonly kept: readonly number[];
  readonly typed: ReadonlyMap<number, string>;
}
let keptSubmission: KeptSubmission | undefined;

/** Forgets the file that was chosen, for another customer, or because it is enrolled. */
function forgetSubmission(): void {
  keptSubmission?.file.close();
  keptSubmission = undefined;
}
forgetAtSignOut(forgetSubmission);

const NO_NAMES: ReadonlyMap<number, string> = new Map();

/** A submission from the file to the enrollment; each change is checked by the service before anything is stored. */
export function useSubmission(): Submission {
  const [before] = useState(() => keptSubmission);
  const [file, setFile] = useState(before?.file);
  const [wanted, setWanted] = useState(() => before?.wanted ?? firstWanted());
  const [kept, setKept] = useState<readonly number[]>(before?.kept ?? []);
  const [typed, setTyped] = useState(before?.typed ?? NO_NAMES);
  const [checked, setChecked] = useState<Checked>(nothing(before === undefined ? 'empty' : 'checking'));
  const checking = useRef<AbortController | undefined>(undefined);
  const key = useRef(crypto.randomUUID());

  const take = (taken: ChosenFile): void => {
    if (file !== taken) file?.close();
    setFile(taken);
    setTyped(NO_NAMES);
    setKept(taken.read.fault === undefined ? Array.from({ length: taken.read.count }, (_, index) => index) : []);
  };
  useEffect(() => {
    if (handedOver.value !== undefined) take(handedFile(handedOver.value));
    handedOver.value = undefined;
  }, []);
  useEffect(
    () => () => {
      checking.current?.abort();
    },
    [file],
  );
  useEffect(() => {
    if (file !== undefined) keptSubmission = { file, wanted, kept, typed };
  }, [file, wanted, kept, typed]);

  /** What was found doesn't hold for another question: nothing is sent before the check of that one has begun. */
  const setUnchecked = (): void => {
    checking.current?.abort();
    setChecked((last) => ({ ...last, state: 'checking', error: undefined }));
  };
  const check = async (): Promise<void> => {
    if (file === undefined) return;
    setUnchecked();
    if (file.read.fault !== undefined) {
      setChecked(nothing('faulty', new Error(file.read.fault)));
      return;
    }
    const mine = new AbortController();
    checking.current = mine;
    key.current = crypto.randomUUID();
    try {
      const trial = await trySubmission(wanted, await file.bytesOf({ kept, typed }), mine.signal);
      if (!mine.signal.aborted) setChecked(checkedOf(trial, kept, file));
    } catch (error) {
      if (!mine.signal.aborted) setChecked(refusedOf(error, kept, file));
    }
  };
  useEffect(() => void check(), [file, kept, typed, wanted.from, wanted.to, wanted.layers]);

  return {
    file,
    typed,
    wanted,
    kept,
    ...checked,
    error: checked.error,
    choose: (chosen) => {
      checking.current?.abort();
      setChecked(nothing('reading'));
      chooseFile(chosen).then(take, (error: unknown) => {
        setFile(undefined);
        setChecked(nothing('faulty', error));
      });
    },
    want: (changes) => {
      setWanted({ ...wanted, ...changes });
      if (file !== undefined && isOtherQuestion(wanted, changes)) setUnchecked();
    },
    rename: (feature, name) => {
      setUnchecked();
      setTyped((last) => new Map(last).set(feature, name));
    },
    nameBy: (property) => {
      setUnchecked();
      file?.namedBy(property).then(
        (named) => {
          setFile(named);
          setTyped(NO_NAMES);
        },
        (error: unknown) => {
          setChecked(nothing('faulty', error));
        },
      );
    },
    check: () => void check(),
    leaveOut: (features) => {
      setUnchecked();
      setKept(kept.filter((index) => !features.includes(index)));
    },
    send: async () => {
      if (file === undefined) return undefined;
      setChecked((last) => ({ ...last, state: 'sending', error: undefined }));
      try {
        const enrollmentId = await submit(wanted, await file.bytesOf({ kept, typed }), key.current);
        forgetSubmission();
        return enrollmentId;
      } catch (error) {
        const refused = refusedOf(error, kept, file);
        setChecked((last) => ({
          ...refused,
          state: refused.error === undefined ? 'faulty' : 'sound',
          areas: last.areas,
        }));
        return undefined;
      }
    },
  };
}
