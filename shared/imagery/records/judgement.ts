import {
  missingLayers,
  percentOf,
  standsAbove,
  type FieldDate,
  type Grounds,
  type FieldDateOutcome,
} from '../../enrollments/fields/fieldDate.js';
import { ITEM_FILE, layerFile } from './imageryPaths.js';
import { LAYER_NAMES, type LayerName } from '../../scenes/layers/layers.js';
import { skipReason, type Visibility, type VisibilityThresholds } from '../../scenes/layers/visibility.js';

type Skipped = FieldDate['skipped'];

/** Which layers are made of a field that was looked at, and why the others are not. */
export interface Judgement {
  readonly toMake: readonly LayerName[];
  readonly skipped: Skipped;
}

/** Decides which of the wanted layers are made, given how much of the field each shows. */
export function judge(
  wanted: readonly LayerName[],
  visibilityOf: (layer: LayerName) => Visibility,
  thresholds: VisibilityThresholds,
): Judgement {
  const reasons = wanted.map((layer): [LayerName, Skipped[LayerName]] => {
    const visibility = visibilityOf(layer);
    return [layer, visibility.coverageFraction === 0 ? 'no_data' : skipReason(layer, visibility, thresholds)];
  });
  return {
    toMake: reasons.flatMap(([layer, reason]) => (reason === undefined ? [layer] : [])),
    skipped: Object.fromEntries(reasons.filter(([, reason]) => reason !== undefined)),
  };
}

/** Thresholds of fields, and the cloud cover of a scene above which it isn't opened. */
export interface ImageryThresholds extends VisibilityThresholds {
  /** 0–100 */
  readonly sceneCloudPercent: number;
}

/** What an attempt has found out about a field on a day. */
export interface Finding extends Grounds {
  readonly fieldId: string;
  readonly date: string;
  readonly scenes: readonly string[];
  /** Of the layer that shows least; undefined when the scenes were not opened. */
  readonly visibility?: Visibility;
  readonly made: readonly LayerName[];
  readonly skipped: Skipped;
  /** UTC day. */
  readonly today: string;
}

/**
 * The record of a day after a finding.
 *
 * On the same basis the finding completes the earlier record. On another basis it replaces the earlier record, unless no
 * layer could be made of the new scenes: then the files of the old scenes stay.
 */
export function recordOf(finding: Finding, earlier: FieldDate | undefined, thresholds: ImageryThresholds): FieldDate {
  const isSame = earlier?.basis === finding.basis && earlier.isToBeTriedAgain !== true;
  const isWorse = !isSame && earlier?.outcome === 'done' && finding.made.length === 0;
  if (isWorse) return onGroundsOf(finding, earlier);
  return withAge(joined(finding, isSame ? earlier : undefined, thresholds), finding, earlier);
}

/** On the same basis earlier files stay as they are, so the day is as old as the first of its files. */
function withAge(record: FieldDate, { basis, today }: Finding, earlier: FieldDate | undefined): FieldDate {
  if (record.layers.length === 0) return record;
  const before = earlier?.basis === basis ? earlier.madeOn : undefined;
  return { ...record, madeOn: before ?? today };
}

/** A record that stays as it is, for nothing better was found on these grounds. */
const onGroundsOf = ({ basis, standing }: Grounds, record: FieldDate): FieldDate => ({ ...record, basis, standing });

/**
 * The record of a day that somebody else has recorded meanwhile. The better basis wins, in whichever order the two are
 * written, unless no layer could be made on it. On the same basis the layers of both count. An expired day stays expired.
 */
export function settled(found: FieldDate, stored: FieldDate | undefined): FieldDate {
  if (stored === undefined) return found;
  if (stored.outcome === 'expired') return stored;
  if (stored.basis === found.basis) return withLayersOf(stored, found);
  const [better, worse] = standsAbove(stored.standing, found.standing) ? [stored, found] : [found, stored];
  if (better.layers.length > 0 || worse.layers.length === 0) return better;
  // A failure on the better basis must not hide that the day is to be tried again.
  return better.outcome === 'failed' ? worse : onGroundsOf(better, worse);
}

function withLayersOf(stored: FieldDate, found: FieldDate): FieldDate {
  const layers = LAYER_NAMES.filter((name) => found.layers.includes(name) || stored.layers.includes(name));
  const first = [stored.madeOn, found.madeOn].filter((day) => day !== undefined).sort()[0];
  const both = { ...leastShares(stored, found), ...(first === undefined ? {} : { madeOn: first }) };
  if (layers.length === found.layers.length) return { ...found, ...both };
  const skipped = Object.fromEntries(
    Object.entries(found.skipped).filter(([name]) => !layers.includes(name as LayerName)),
  );
  return { ...found, outcome: 'done', layers, skipped, ...both };
}

type Shares = Pick<FieldDate, 'clearPercent' | 'coveragePercent'>;

/** The shares of a day on one basis, of the layer that shows least of all that were asked for. */
function leastShares(one: Shares, other: Shares | undefined): Shares {
  const least = (name: keyof Shares): number | null => {
    const known = [one[name], other?.[name] ?? null].filter((share) => share !== null);
    return known.length === 0 ? null : Math.min(...known);
  };
  return { clearPercent: least('clearPercent'), coveragePercent: least('coveragePercent') };
}

const sharesOf = (visibility: Visibility | undefined): Shares => ({
  clearPercent: visibility === undefined ? null : percentOf(visibility.clearFraction),
  coveragePercent: visibility === undefined ? null : percentOf(visibility.coverageFraction),
});

/** The record of a finding, with the layers of an earlier record of the same basis. */
function joined(finding: Finding, kept: FieldDate | undefined, thresholds: ImageryThresholds): FieldDate {
  const { fieldId, date, scenes, basis, standing, visibility } = finding;
  const made = new Set([...(kept?.layers ?? []), ...finding.made]);
  const skipped: Skipped = Object.fromEntries(
    LAYER_NAMES.flatMap((name) => {
      const reason = finding.skipped[name] ?? kept?.skipped[name];
      return reason === undefined || made.has(name) ? [] : [[name, reason]];
    }),
  );
  const layers = LAYER_NAMES.filter((name) => made.has(name));
  const shares = leastShares(sharesOf(visibility), kept);
  return {
    fieldId,
    date,
    outcome: outcomeOf(layers, skipped),
    reason: reasonOf({ layers, skipped, ...shares, isLookedAt: visibility !== undefined }, thresholds),
    ...shares,
    layers,
    skipped,
    scenes,
    basis,
    standing,
  };
}

function outcomeOf(layers: readonly LayerName[], skipped: Skipped): FieldDateOutcome {
  if (layers.length > 0) return 'done';
  const reasons = new Set(Object.values(skipped));
  return (['coverage', 'cloud', 'no_data'] as const).find((reason) => reasons.has(reason)) ?? 'failed';
}

function reasonOf(
  {
    layers,
    skipped,
    clearPercent,
    coveragePercent,
    isLookedAt,
  }: Pick<FieldDate, 'layers' | 'skipped'> & Shares & { readonly isLookedAt: boolean },
  thresholds: ImageryThresholds,
): string | null {
  const entries = Object.entries(skipped) as [LayerName, Skipped[LayerName]][];
  if (entries.length === 0) return null;
  if (!isLookedAt) {
    return `Clouds cover more than ${thresholds.sceneCloudPercent} % of the scene, so the field was not looked at.`;
  }
  const skippedBy = (why: Skipped[LayerName]): readonly LayerName[] =>
    entries.flatMap(([layer, reason]) => (reason === why ? [layer] : []));
  const ofField = (names: readonly LayerName[]): string =>
    names.length === entries.length && layers.length === 0 ? 'of the field' : `of the field for ${names.join(', ')}`;
  const [empty, partial] = [skippedBy('no_data'), skippedBy('coverage')];
  if (empty.length > 0) return `The scene has no data ${ofField(empty)}.`;
  if (partial.length > 0) {
    const needed = percentOf(thresholds.coverageFraction);
    return `The scene shows ${coveragePercent} % ${ofField(partial)}; ${needed} % are needed.`;
  }
  const needs = entries.map(([layer]) => `${layer} needs ${percentOf(thresholds.clearFraction[layer])} %`);
  return `The field is ${clearPercent} % clear; ${needs.join(', ')}.`;
}

/** Why a field could not be made into layers. */
export interface FieldDateFailure {
  readonly reason: string;
  readonly wanted: readonly LayerName[];
  /** Whether a later try may succeed with the same scenes. */
  readonly isPassing: boolean;
  /** UTC day. */
  readonly today: string;
}

/** The record of a field whose scenes cannot be used; files that were made earlier stay recorded. */
export function failedRecord(
  finding: Omit<Finding, 'made' | 'skipped' | 'visibility' | 'today'>,
  earlier: FieldDate | undefined,
  { reason, wanted, isPassing, today }: FieldDateFailure,
): FieldDate {
  const failed = Object.fromEntries(wanted.map((layer) => [layer, 'failed' as const]));
  const failedSince = earlier?.failedSince ?? today;
  const again = isPassing ? { isToBeTriedAgain: true as const, failedSince } : {};
  if (earlier?.outcome === 'done') {
    const isSame = earlier.basis === finding.basis;
    return isSame ? { ...earlier, reason, skipped: { ...earlier.skipped, ...failed }, ...again } : earlier;
  }
  return {
    fieldId: finding.fieldId,
    date: finding.date,
    outcome: 'failed',
    reason,
    clearPercent: null,
    coveragePercent: null,
    layers: [],
    skipped: failed,
    scenes: finding.scenes,
    basis: finding.basis,
    standing: finding.standing,
    ...again,
  };
}

/** Whether a file that is recorded is missing. @param files of the field, as `<date>/<file>` */
function isLost({ date, layers }: FieldDate, files: ReadonlySet<string>): boolean {
  const named = layers.map(layerFile);
  return named.length > 0 && [ITEM_FILE, ...named].some((file) => !files.has(`${date}/${file}`));
}

/** The record of a day of which files are missing: it is made again. */
function lostRecord({ madeOn, ...recorded }: FieldDate, files: ReadonlySet<string>, today: string): FieldDate {
  const lost = Object.fromEntries(recorded.layers.map((layer) => [layer, 'failed' as const]));
  // The files that are left keep their age.
  const isSomeLeft = recorded.layers.some((layer) => files.has(`${recorded.date}/${layerFile(layer)}`));
  return {
    ...recorded,
    outcome: 'failed',
    reason: 'Files that were made are gone; they are made again.',
    layers: [],
    skipped: { ...recorded.skipped, ...lost },
    isToBeTriedAgain: true,
    failedSince: today,
    ...(isSomeLeft && madeOn !== undefined ? { madeOn } : {}),
  };
}

/** Whether the retention of a day's files is over. @param keptFrom files made on that UTC day and later are kept */
export const isPast = ({ madeOn }: FieldDate, keptFrom: string): boolean => madeOn !== undefined && madeOn < keptFrom;

/** The record of a day whose retention is over; `madeOn` stays until the files are deleted. */
export const expiredRecord = ({
  isToBeTriedAgain: _again,
  failedSince: _since,
  ...recorded
}: FieldDate): FieldDate => ({
  ...recorded,
  outcome: 'expired',
  reason: 'The files were kept for their time and deleted.',
  layers: [],
  skipped: {},
});

/** The record of an expired day that is to be made again. */
const reopenedRecord = ({ madeOn: _madeOn, ...recorded }: FieldDate, today: string): FieldDate => ({
  ...recorded,
  outcome: 'failed',
  reason: 'The files had had their time; they are made again.',
  isToBeTriedAgain: true,
  failedSince: today,
});

/** What records are compared with. */
export interface Comparison {
  /** The field's files, as `<date>/<file>`. */
  readonly files: ReadonlySet<string>;
  /** UTC day. */
  readonly today: string;
  /** Files made on that UTC day and later are kept. */
  readonly keptFrom: string;
  /** Whether expired days are made again too. */
  readonly isRemake: boolean;
}

/** The record after a comparison with the files: the same, lost, expired, or, of an expired day, to be made again. */
export function heldAgainstFiles(recorded: FieldDate, { files, today, keptFrom, isRemake }: Comparison): FieldDate {
  if (recorded.outcome === 'expired') return isRemake ? reopenedRecord(recorded, today) : recorded;
  if (!isLost(recorded, files)) return recorded;
  return isPast(recorded, keptFrom) && !isRemake ? expiredRecord(recorded) : lostRecord(recorded, files, today);
}

/** The record of a failure of a day of which the catalogue no longer lists a scene. */
export function lastingRecord({ isToBeTriedAgain, ...recorded }: FieldDate): FieldDate {
  if (isToBeTriedAgain !== true) return recorded;
  const reason = `${recorded.reason ?? 'The scene could not be used.'} The catalogue no longer lists the scene.`;
  return { ...recorded, reason };
}

/**
 * The layers to be made of a field on a day: those that are wanted and missing, and, when other scenes replace the recorded
 * ones, every layer that was made of the old scenes too.
 */
export function layersToMake(
  recorded: FieldDate | undefined,
  grounds: Grounds,
  wanted: readonly LayerName[],
): readonly LayerName[] {
  const missing = missingLayers(recorded, grounds, wanted);
  if (recorded === undefined || recorded.basis === grounds.basis || missing.length === 0) return missing;
  return LAYER_NAMES.filter((name) => missing.includes(name) || recorded.layers.includes(name));
}
