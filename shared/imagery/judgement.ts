import { missingLayers, percentOf, standsAbove, type FieldDate, type Grounds, type Outcome } from './fieldDate.js';
import { ITEM_FILE, layerFile } from './imageryPaths.js';
import { LAYER_NAMES, type LayerName } from './layers.js';
import { skipReason, type SkipReason, type Visibility, type VisibilityThresholds } from './layersVisibility.js';

type Skipped = FieldDate['skipped'];

/** What is to be done for a field that was looked at. */
export interface Judgement {
  readonly toMake: readonly LayerName[];
  readonly skipped: Skipped;
}

/** Which of the wanted layers can be made of what is seen of a field. */
export function judge(
  wanted: readonly LayerName[],
  visibility: Visibility,
  thresholds: VisibilityThresholds,
): Judgement {
  const reasons = wanted.map((layer): [LayerName, SkipReason | 'no_data' | undefined] => [
    layer,
    visibility.coverageFraction === 0 ? 'no_data' : skipReason(layer, visibility, thresholds),
  ]);
  return {
    toMake: reasons.flatMap(([layer, reason]) => (reason === undefined ? [layer] : [])),
    skipped: Object.fromEntries(reasons.filter(([, reason]) => reason !== undefined)),
  };
}

/** Thresholds by which a field is judged, and the cloud above which a scene isn't opened. */
export interface ImageryThresholds extends VisibilityThresholds {
  /** 0–100 */
  readonly sceneCloudPercent: number;
}

/** What was found out about a field on a day. */
export interface Finding extends Grounds {
  readonly fieldId: string;
  readonly date: string;
  readonly scenes: readonly string[];
  /** Undefined when the scenes were not opened. */
  readonly visibility?: Visibility;
  readonly made: readonly LayerName[];
  readonly skipped: Skipped;
}

/**
 * Puts a finding beside what is recorded of the same day.
 *
 * On the same basis both are valid. On another one the new finding takes the place of the old, unless nothing could be
 * made of the new scenes: then the files of the old ones stay.
 */
export function recordOf(finding: Finding, earlier: FieldDate | undefined, thresholds: ImageryThresholds): FieldDate {
  const isSame = earlier?.basis === finding.basis && earlier.isToBeTriedAgain !== true;
  if (earlier === undefined || isSame) return joined(finding, earlier, thresholds);
  const isWorse = earlier.outcome === 'done' && finding.made.length === 0;
  return isWorse ? onGroundsOf(finding, earlier) : joined(finding, undefined, thresholds);
}

/** A record as it is, with grounds on which nothing better was found. */
const onGroundsOf = ({ basis, standing }: Partial<Grounds> & Pick<Grounds, 'basis'>, record: FieldDate): FieldDate => ({
  ...record,
  basis,
  ...(standing === undefined ? {} : { standing }),
});

/**
 * What is to be recorded when somebody else has recorded the same day meanwhile. The better basis wins, whoever comes
 * second, unless nothing could be made on it; on the same basis the layers of both count.
 */
export function settled(found: FieldDate, stored: FieldDate | undefined): FieldDate {
  if (stored === undefined) return found;
  if (stored.basis === found.basis) return withLayersOf(stored, found);
  const [better, worse] = standsAbove(stored.standing, found.standing) ? [stored, found] : [found, stored];
  if (better.layers.length > 0 || worse.layers.length === 0) return better;
  // A failure on the better basis leaves the day to be tried again.
  return better.outcome === 'failed' ? worse : onGroundsOf(better, worse);
}

function withLayersOf(stored: FieldDate, found: FieldDate): FieldDate {
  const layers = LAYER_NAMES.filter((name) => found.layers.includes(name) || stored.layers.includes(name));
  if (layers.length === found.layers.length) return found;
  const skipped = Object.fromEntries(
    Object.entries(found.skipped).filter(([name]) => !layers.includes(name as LayerName)),
  );
  return { ...found, outcome: 'done', layers, skipped };
}

/** The finding with what is recorded on the same basis. */
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
  return {
    fieldId,
    date,
    outcome: outcomeOf(layers, skipped),
    reason: reasonOf(skipped, visibility, thresholds),
    clearPercent: visibility === undefined ? null : percentOf(visibility.clearFraction),
    coveragePercent: visibility === undefined ? null : percentOf(visibility.coverageFraction),
    layers,
    skipped,
    scenes,
    basis,
    standing,
  };
}

function outcomeOf(layers: readonly LayerName[], skipped: Skipped): Outcome {
  if (layers.length > 0) return 'done';
  const reasons = new Set(Object.values(skipped));
  return (['no_data', 'coverage', 'cloud'] as const).find((reason) => reasons.has(reason)) ?? 'failed';
}

const percentText = (fraction: number): string => `${percentOf(fraction)} %`;

function reasonOf(skipped: Skipped, visibility: Visibility | undefined, thresholds: ImageryThresholds): string | null {
  const entries = Object.entries(skipped) as [LayerName, Skipped[LayerName]][];
  if (entries.length === 0) return null;
  if (visibility === undefined) {
    return `Clouds cover more than ${thresholds.sceneCloudPercent} % of the scene, so the field was not looked at.`;
  }
  const { coverageFraction, clearFraction } = visibility;
  const reasons = new Set(Object.values(skipped));
  if (reasons.has('no_data')) return 'The scene has no data of the field.';
  if (reasons.has('coverage')) {
    return `The scene shows ${percentText(coverageFraction)} of the field; ${percentText(thresholds.coverageFraction)} are needed.`;
  }
  const needs = entries.map(([layer]) => `${layer} needs ${percentText(thresholds.clearFraction[layer])}`);
  return `The field is ${percentText(clearFraction)} clear; ${needs.join(', ')}.`;
}

/** Why a field could not be made into layers. */
export interface Failure {
  readonly reason: string;
  readonly wanted: readonly LayerName[];
  /** Whether a later try may succeed with the same scenes. */
  readonly isPassing: boolean;
  /** UTC day. */
  readonly today: string;
}

/** The record of a field whose scenes cannot be used; files that were made before stay recorded. */
export function failedRecord(
  finding: Omit<Finding, 'made' | 'skipped' | 'visibility'>,
  earlier: FieldDate | undefined,
  { reason, wanted, isPassing, today }: Failure,
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

/** Whether files that are recorded as made are not there. @param files of the field, as `<date>/<file>` */
export function isLost({ date, layers }: FieldDate, files: ReadonlySet<string>): boolean {
  const named = layers.map(layerFile);
  return named.length > 0 && [ITEM_FILE, ...named].some((file) => !files.has(`${date}/${file}`));
}

/** The record of a day whose files are gone, so that it is made again. */
export function lostRecord(recorded: FieldDate, today: string): FieldDate {
  const lost = Object.fromEntries(recorded.layers.map((layer) => [layer, 'failed' as const]));
  return {
    ...recorded,
    outcome: 'failed',
    reason: 'Files that were made are gone; they are made again.',
    layers: [],
    skipped: { ...recorded.skipped, ...lost },
    isToBeTriedAgain: true,
    failedSince: today,
  };
}

/** The record of a failure that nothing can mend: the catalogue has no scene of the day any more. */
export function lastingRecord({ isToBeTriedAgain, ...recorded }: FieldDate): FieldDate {
  if (isToBeTriedAgain !== true) return recorded;
  const reason = `${recorded.reason ?? 'The scene could not be used.'} The catalogue no longer lists the scene.`;
  return { ...recorded, reason };
}

/**
 * What has to be made for a field on a day: what is wanted and missing, and, when other scenes take the place of
 * those recorded, everything that was made of the old ones too.
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
