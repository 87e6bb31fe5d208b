import type { GddRecord, GddStageRecord } from '../../../shared/gdd/form/gddRecord.js';
import { dayText, shortDay } from '../../parts/dateText.js';
import type { FieldIds } from '../../parts/fieldNames.js';
import { plainWords } from '../../parts/plainWords.js';

const CROPS: Readonly<Record<string, string>> = {
  CANOLA: 'Canola',
  CORN: 'Corn',
  COTTON: 'Cotton',
  SUGAR_BEET: 'Sugar beet',
  SOYBEAN: 'Soybean',
  WINTER_WHEAT: 'Winter wheat',
};

/** Crops in the order of the form, with the words for them. */
export const CROP_NAMES: readonly (readonly [crop: string, name: string])[] = Object.entries(CROPS);

/** The word for a crop. */
export const cropName = (crop: string): string => CROPS[crop] ?? crop;

/** Degree-days as people read them: whole, thousands apart. */
export const wholeText = (value: number): string => Math.round(value).toLocaleString('en-US');

/** A difference with its sign; a true minus. */
export const signedText = (value: number, digits = 0): string =>
  `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(digits)}`;

/** Unit of degree-days. */
export const unitOf = ({ temperatureUnit }: Pick<GddRecord, 'temperatureUnit'>): string => `°${temperatureUnit}·day`;

/** The field of a season. */
export const fieldOfRecord = ({ partyId, resourceId }: Pick<GddRecord, 'partyId' | 'resourceId'>): FieldIds => ({
  partyId,
  fieldId: resourceId,
});

/** Degrees Fahrenheit of a degree Celsius: degree-days are differences, so nothing is added. */
const F_OF_C = 1.8;

/** A stage's threshold in the unit of the season; older records have it in the unit of its source. */
export function thresholdText(
  { threshold, thresholdUpTo, unit }: Pick<GddStageRecord, 'threshold' | 'thresholdUpTo' | 'unit'>,
  record: Pick<GddRecord, 'temperatureUnit'>,
): string {
  const factor = unit === record.temperatureUnit ? 1 : unit === 'C' ? F_OF_C : 1 / F_OF_C;
  const text = [threshold, thresholdUpTo].flatMap((value) => (value === undefined ? [] : [wholeText(value * factor)]));
  return `${text.join('–')} ${unitOf(record)}`;
}

/** What is told big above the chart. */
export interface Figure {
  readonly name: string;
  readonly value: string;
  readonly note: string;
  readonly isLow?: boolean;
}

function daysNote({ coverage: { forecast, normal, provisional } }: GddRecord): string {
  const parts = [
    ...(provisional > 0 ? [`${provisional} provisional`] : []),
    ...(forecast > 0 ? [`${forecast} forecast`] : []),
    ...(normal > 0 ? [`${normal} on normals`] : []),
  ];
  return parts.length === 0 ? 'all measured' : parts.join(', ');
}

function latestStage({ stages }: GddRecord): Figure {
  const reached = stages.filter(({ date }) => date !== null);
  const last = reached.reduce<(typeof stages)[number] | undefined>(
    (latest, stage) => ((stage.date ?? '') >= (latest?.date ?? '') ? stage : latest),
    undefined,
  );
  if (last?.date === undefined || last.date === null) return { name: 'Latest stage', value: '–', note: 'none reached' };
  return { name: 'Latest stage', value: last.code, note: shortDay(last.date) };
}

/** The four figures of a season. */
export function figuresOf(record: GddRecord): readonly Figure[] {
  const { total, normal, days } = record;
  const against: Figure =
    normal === undefined
      ? { name: 'Against normal', value: '–', note: 'no reference years' }
      : {
          name: `Against ${normal.years[0]}–${normal.years[1]}`,
          value: signedText(normal.departure),
          note: normal.departurePercent === null ? '' : `${signedText(normal.departurePercent, 1)} %`,
          isLow: normal.departure < 0,
        };
  return [
    { name: 'Total', value: wholeText(total), note: unitOf(record) },
    against,
    { name: 'Days', value: String(days), note: daysNote(record) },
    latestStage(record),
  ];
}

const SOURCES: Readonly<Record<string, string>> = {
  OBSERVED: 'observed',
  PROVISIONAL: 'provisional',
  FORECAST: 'forecast',
  NORMAL: 'normal',
  INTERPOLATED: 'interpolated',
};

/** A day of the season in words, for the line below the chart and for screen readers. */
export interface DayWords {
  readonly date: string;
  readonly gdd: string;
  readonly sum: string;
  readonly against: string | undefined;
  readonly temperatures: string | undefined;
  readonly source: string;
}

/** What is known of a day. @param at its index in the season */
export function dayWords(record: GddRecord, at: number): DayWords | undefined {
  const day = record.daily[at];
  if (day === undefined) return undefined;
  const normal = record.normal?.cumulative.mean[at];
  return {
    date: dayText(day.date),
    gdd: day.gdd.toFixed(1),
    sum: wholeText(day.cumulative),
    against: normal === undefined ? undefined : `${signedText(day.cumulative - normal)} to normal`,
    temperatures:
      day.tmin === null || day.tmax === null
        ? undefined
        : `${Math.round(day.tmin)} to ${Math.round(day.tmax)} °${record.temperatureUnit}`,
    source: SOURCES[day.source] ?? day.source,
  };
}

/** A day of the season as a row of figures; those that nobody knows are dashes. */
export interface DayRow extends Pick<DayWords, 'date' | 'gdd' | 'sum' | 'source'> {
  readonly against: string;
  readonly lowest: string;
  readonly highest: string;
}

/** Every day of the season. */
export function daysOf({ daily, normal }: GddRecord): readonly DayRow[] {
  const degrees = (value: number | null): string => (value === null ? '–' : value.toFixed(1).replace('-', '−'));
  return daily.map(({ date, gdd, cumulative, tmin, tmax, source }, at) => {
    const mean = normal?.cumulative.mean[at];
    return {
      date: `${shortDay(date)} ${date.slice(0, 4)}`,
      gdd: gdd.toFixed(1),
      sum: wholeText(cumulative),
      against: mean === undefined ? '–' : signedText(cumulative - mean),
      lowest: degrees(tmin),
      highest: degrees(tmax),
      source: SOURCES[source] ?? source,
    };
  });
}

/** Faults of a refused request by the input that they are about; `''` for those about none. */
export function faultsByInput(message: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const part of message.replace(/^[A-Z]+-\d+: /, '').split(/(?=partnerRequestBody\.)/)) {
    const [, name = '', text = part] = /^partnerRequestBody\.(\w+) ([^]*)$/.exec(part.trim()) ?? [];
    found.set(
      name,
      [found.get(name), plainWords(text.trim())].filter((each) => each !== undefined && each !== '').join(' '),
    );
  }
  return found;
}
