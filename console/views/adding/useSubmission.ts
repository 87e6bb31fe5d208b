import { useEffect, useRef, useState } from 'preact/hooks';
import { addDays } from '../../../shared/kit/validation/calendar.js';
import { serviceToday } from '../../api/clock.js';
import { handedOver, type HandedField } from '../handOver.js';
import { chooseFile, pageFile, type ChosenFile } from './chosenFile.js';
import { checkParts, limitIn, nothing, partsOf, refusedOf, type Checked } from './checkSubmission.js';
import type { FieldsBy } from './readFeatures.js';
import { submit, trySubmission, type MonitoringWanted } from './submission.js';
import type { TriedField } from './submissionFaults.js';
import { forgetAtSignOut } from '../../session/forgetting.js';

const DAYS_BACK = 30;
const DAYS_AHEAD = 150;

/** Where a submission stands. */
export interface Submission extends Checked {
  readonly file: ChosenFile | undefined;
  /** Names that were typed, by the index of their feature. */
  readonly typed: ReadonlyMap<number, string>;
  readonly wanted: MonitoringWanted;
  /** Indices of the features that are sent. */
  readonly kept: readonly number[];
  /** How many enrollments these are: the service takes so many fields in one. */
  readonly enrollments: number;
  readonly choose: (file: File) => void;
  /** Takes in a field of the page; it stays when another file is chosen. */
  readonly join: (field: HandedField) => void;
  readonly rename: (names: ReadonlyMap<number, string>) => void;
  /** Names or groups the fields by other properties of the file. */
  readonly readBy: (by: Partial<FieldsBy>) => void;
  readonly want: (changes: Partial<MonitoringWanted>) => void;
  /** Checks again, after something was away. */
  readonly check: () => void;
  readonly leaveOut: (features: readonly number[]) => void;
  /** Takes all features of the file again. */
  readonly keepAll: () => void;
  /** @returns the ids of the enrollments; none when one was refused, which `error` tells */
  readonly send: () => Promise<readonly string[]>;
}

function firstWanted(): MonitoringWanted {
  const today = serviceToday();
  return {
    from: addDays(today, -DAYS_BACK),
    to: addDays(today, DAYS_AHEAD),
    layers: ['ndvi', 'vegetation', 'scouting', 'true-color'],
    description: '',
  };
}

const isOtherQuestion = (wanted: MonitoringWanted, changes: Partial<MonitoringWanted>): boolean =>
  (['from', 'to', 'layers'] as const).some((name) => (changes[name] ?? wanted[name]) !== wanted[name]);

/** What is wanted for one of several enrollments: they are told apart. */
const wantedOfPart = (wanted: MonitoringWanted, index: number, count: number): MonitoringWanted =>
  count === 1 || wanted.description.trim() === ''
    ? wanted
    : { ...wanted, description: `${wanted.description.trim()} (${index + 1} of ${count})` };

/** What stays when the view is left: a file is chosen once. */
interface KeptSubmission {
  readonly file: ChosenFile;
  readonly wanted: MonitoringWanted;
  readonly kept: readonly number[];
  readonly typed: ReadonlyMap<number, string>;
  /** Fields of the page, behind those of a file that can be read. */
  readonly own: readonly HandedField[];
}
let keptSubmission: KeptSubmission | undefined;

/** Forgets the file that was chosen, for another customer, or because it is enrolled. */
function forgetSubmission(): void {
  keptSubmission?.file.close();
  keptSubmission = undefined;
}
forgetAtSignOut(forgetSubmission);

const allOf = ({ read }: ChosenFile): readonly number[] =>
  read.fault === undefined ? Array.from({ length: read.count }, (_, index) => index) : [];

const canBeRead = (file: ChosenFile | undefined): file is ChosenFile =>
  file !== undefined && file.read.fault === undefined;

/** The page's own fields but for those left out, under the names that they have now. */
function stayingOf(
  own: readonly HandedField[],
  { file, kept, typed }: Pick<Submission, 'file' | 'kept' | 'typed'>,
): readonly HandedField[] {
  if (!canBeRead(file)) return own;
  const from = allOf(file).length - own.length;
  return own.flatMap((field, at) =>
    kept.includes(from + at) ? [{ ...field, fieldId: typed.get(from + at) ?? field.fieldId }] : [],
  );
}

const NO_NAMES: ReadonlyMap<number, string> = new Map();

/** A submission from the file to the enrollment; each change is checked by the service before anything is stored. */
export function useSubmission(): Submission {
  const [before] = useState(() => keptSubmission);
  const [file, setFile] = useState(before?.file);
  const [wanted, setWanted] = useState(() => before?.wanted ?? firstWanted());
  const [kept, setKept] = useState<readonly number[]>(before?.kept ?? []);
  const [typed, setTyped] = useState(before?.typed ?? NO_NAMES);
  const [own, setOwn] = useState<readonly HandedField[]>(before?.own ?? []);
  const [checked, setChecked] = useState<Checked>(nothing(before === undefined ? 'empty' : 'checking'));
  const checking = useRef<AbortController | undefined>(undefined);
  const key = useRef(crypto.randomUUID());
  const [limit, setLimit] = useState(Infinity);
  const parts = partsOf(kept, limit);

  const take = (taken: ChosenFile, withOwn: readonly HandedField[]): void => {
    if (file !== taken) file?.close();
    setOwn(withOwn);
    setFile(taken);
    setTyped(NO_NAMES);
    setKept(allOf(taken));
  };
  useEffect(() => {
    const handed = handedOver.value;
    if (handed !== undefined) {
      const others = stayingOf(own, { file, kept, typed }).filter(({ fieldId }) => fieldId !== handed.fieldId);
      take(pageFile([...others, handed]), [...others, handed]);
    }
    handedOver.value = undefined;
  }, []);
  useEffect(
    () => () => {
      checking.current?.abort();
    },
    [file],
  );
  useEffect(() => {
    if (file !== undefined) keptSubmission = { file, wanted, kept, typed, own };
  }, [file, wanted, kept, typed, own]);

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
    const tryPart = async (part: readonly number[]): Promise<readonly TriedField[]> =>
      trySubmission(wanted, await file.bytesOf({ kept: part, typed }), mine.signal);
    try {
      const found = await checkParts(parts, { file, typed }, tryPart);
      if (!mine.signal.aborted) setChecked(found);
    } catch (error) {
      // They become several enrollments, which are checked next.
      if (!mine.signal.aborted) setLimit((last) => Math.min(last, limitIn(error) ?? last));
    }
  };
  useEffect(() => void check(), [file, kept, typed, limit, wanted.from, wanted.to, wanted.layers]);

  return {
    file,
    typed,
    wanted,
    kept,
    enrollments: parts.length,
    ...checked,
    choose: (chosen) => {
      checking.current?.abort();
      setChecked(nothing('reading'));
      const staying = stayingOf(own, { file, kept, typed });
      const read = async (): Promise<void> => {
        const taken = await chooseFile(chosen);
        take(staying.length > 0 && canBeRead(taken) ? await taken.joinedBy(staying) : taken, staying);
      };
      read().catch((error: unknown) => {
        setFile(undefined);
        setOwn(staying);
        setChecked(nothing('faulty', error));
      });
    },
    join: (field) => {
      setUnchecked();
      const isBehind = canBeRead(file);
      const joining = isBehind ? file.joinedBy([field]) : Promise.resolve(pageFile([...own, field]));
      joining.then(
        (joined) => {
          setFile(joined);
          setKept(isBehind ? [...kept, allOf(joined).length - 1] : allOf(joined));
          setOwn([...own, field]);
        },
        (error: unknown) => {
          setChecked(nothing('faulty', error));
        },
      );
    },
    want: (changes) => {
      setWanted({ ...wanted, ...changes });
      if (file !== undefined && isOtherQuestion(wanted, changes)) setUnchecked();
    },
    rename: (names) => {
      setUnchecked();
      setTyped((last) => new Map([...last, ...names]));
    },
    readBy: (by) => {
      if (file === undefined || file.read.fault !== undefined) return;
      setUnchecked();
      const { nameBy, groupBy } = file.read;
      file.readBy({ nameBy, groupBy, ...by }).then(
        (read) => {
          setFile(read);
          if (by.nameBy !== undefined) setTyped(NO_NAMES);
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
    keepAll: () => {
      setUnchecked();
      if (file !== undefined) setKept(allOf(file));
    },
    send: async () => {
      if (file === undefined) return [];
      setChecked((last) => ({ ...last, state: 'sending', error: undefined }));
      const ids: string[] = [];
      try {
        // Sent again after a fault, each part has the key and bytes of the first time: what is enrolled stays one.
        for (const [index, part] of parts.entries()) {
          const bytes = await file.bytesOf({ kept: part, typed });
          ids.push(await submit(wantedOfPart(wanted, index, parts.length), bytes, `${key.current}-${index}`));
        }
        forgetSubmission();
        return ids;
      } catch (error) {
        const refused = refusedOf(error, parts[ids.length] ?? kept, file);
        setChecked((last) => ({
          ...refused,
          state: refused.error === undefined ? 'faulty' : 'sound',
          areas: last.areas,
        }));
        return [];
      }
    },
  };
}
