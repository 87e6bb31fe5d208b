import type { IndexDay, ListedField, Outcome } from '../../api/fields.js';
import type { LayerName } from '../../../shared/scenes/layers/layers.js';
import type { FieldState } from '../../map/mapScene.js';
import { dayText } from '../../parts/dateText.js';

/** What is known of a field's days: all of them once its index was read, else what the list says. */
export interface KnownDays {
  readonly days: readonly IndexDay[];
  readonly ofDate: ReadonlyMap<string, IndexDay>;
}

/** A field on a day, as the list says it. */
export interface DayState {
  readonly state: FieldState;
  readonly clearPercent: number | null;
  readonly day?: IndexDay;
}

const NO_PICTURE: Readonly<Record<Exclude<Outcome, 'done'>, FieldState>> = {
  cloud: 'cloud',
  coverage: 'none',
  no_data: 'none',
  failed: 'failed',
  expired: 'none',
};

/** What an outcome means to somebody who looks for a picture. */
export const stateOf = (outcome: Outcome): FieldState => (outcome === 'done' ? 'picture' : NO_PICTURE[outcome]);

export const knownDays = (days: readonly IndexDay[]): KnownDays => ({
  days,
  ofDate: new Map(days.map((day) => [day.date, day])),
});

/** True while the service has not looked at any day of a field that it monitors. */
export const isSearchedFor = ({ newest, errors }: ListedField): boolean => newest === null && errors === null;

/** A field on a day. `waiting` while its index isn't there and the list doesn't tell. */
export function dayStateOf(field: ListedField, known: KnownDays | undefined, date: string): DayState {
  if (known !== undefined) {
    const day = known.ofDate.get(date);
    if (day === undefined) return { state: isSearchedFor(field) ? 'searching' : 'none', clearPercent: null };
    return { state: stateOf(day.outcome), clearPercent: day.clear_percent, day };
  }
  const { newest } = field;
  if (newest?.date === date) return { state: stateOf(newest.outcome), clearPercent: newest.clear_percent };
  if (field.newest_picture === date) return { state: 'picture', clearPercent: null };
  if (isSearchedFor(field)) return { state: 'searching', clearPercent: null };
  return { state: newest === null ? 'none' : 'waiting', clearPercent: null };
}

const WORDS: Readonly<Record<FieldState, string>> = {
  picture: 'picture',
  cloud: 'cloud',
  failed: 'failed',
  waiting: 'loading',
  searching: 'searching',
  none: 'no scene',
};

/** A state in a word or two. */
export function stateText({ state, clearPercent }: DayState): string {
  if (state === 'picture' && clearPercent !== null) return `${percentText(clearPercent)} clear`;
  return WORDS[state];
}

/** Whole percents; what is not quite all is not called all. */
export const percentText = (percent: number): string =>
  `${percent > 99 && percent < 100 ? 99 : percent < 1 && percent > 0 ? 1 : Math.round(percent)} %`;

/** A day as a button says it: `16 July 2026: picture, 100 % clear`. */
export function dayLabel({ date, outcome, clear_percent: clear }: IndexDay): string {
  const state = stateOf(outcome);
  const share = clear === null ? '' : `, ${percentText(clear)} clear`;
  const words = state === 'cloud' ? 'hidden by cloud' : outcome === 'coverage' ? 'seen in part' : WORDS[state];
  return `${dayText(date)}: ${words}${share}`;
}

/** Why a day has no picture of a layer; null when it has one, or nothing is known. */
export const reasonFor = ({ outcome, skipped, reason }: IndexDay, layer: LayerName): string | null =>
  outcome === 'done' && skipped?.[layer] === undefined ? null : reason;

/** Days with a picture on either side that may be looked at next. */
const NEIGHBOURS = 3;

/**
 * Dates with a picture around one, those that a walk comes to next first.
 *
 * @param from where the walk comes from
 */
export function neighbourDates(days: readonly IndexDay[], date: string, from: string): readonly string[] {
  const pictures = days.filter(({ outcome }) => outcome === 'done').map((day) => day.date);
  const later = pictures.filter((each) => each > date).slice(0, NEIGHBOURS);
  const earlier = pictures
    .filter((each) => each < date)
    .slice(-NEIGHBOURS)
    .reverse();
  return from > date ? [...earlier, ...later] : [...later, ...earlier];
}
