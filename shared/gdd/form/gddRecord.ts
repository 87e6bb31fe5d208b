import { type TSchema, Type } from 'typebox';
import type { RecordOf } from '../../jobs/insight/recordSchema.js';
import {
  always,
  amount,
  count,
  calendarDay,
  described,
  instant,
  orNull,
  tuple,
  word,
} from '../../jobs/insight/recordSchema.js';
import type { JsonObject } from '../../kit/json/json.js';
import { crops } from '../days/crops.js';
import { GddCoverage, GddShortcoming, GddSourceRecord } from './gddRecordSources.js';
import { startEvents } from './gddSchemas.js';
import { daySources } from '../days/season.js';

// The descriptions are those of the OpenAPI document. Members added later are optional: older records do not have them.

const unit = (description: string) => Type.Enum(['C', 'F'], { description });
const source = (description: string) => Type.Enum(daySources, { description });
const list = <S extends TSchema>(of: S, description: string) => Type.Array(of, { description });
const series = (description: string) => list(Type.Number(), description);
const dayOrNull = (description: string) => orNull(Type.String({ format: 'date' }), description);

const GddMethodRecord = described(
  'GddMethod',
  {
    name: word('Of the method'),
    formula: word('Degree-days of one day'),
    lower: amount('Lower limit of heat, in temperatureUnit'),
    upper: orNull(Type.Number(), 'Upper limit, in temperatureUnit; null when there is none'),
    reference: word('Who uses this definition'),
  },
  'How a day becomes degree-days',
);

const GddLocationRecord = described(
  'GddLocation',
  {
    latitude: amount('Degrees, south negative'),
    longitude: amount('Degrees, west negative'),
    elevationM: Type.Optional(amount('Height of the field, m')),
    timezone: Type.Optional(word('IANA name')),
    how: Type.Enum(['boundary-centroid', 'point-on-surface'], { description: 'How the point was found in the field' }),
  },
  'The point of the field that the weather is of',
);

const GddDayRecord = described('GddDay', {
  date: calendarDay('At the field'),
  tmin: orNull(
    Type.Number(),
    'In temperatureUnit; null on days that rest on normals: degree-days can be averaged, temperatures behind them not',
  ),
  tmax: orNull(Type.Number(), 'The same for the maximum'),
  gdd: amount('Degree-days of the day'),
  cumulative: amount('Their sum from gddStartDate on'),
  source: source('What the value rests on'),
});

const quantiles = {
  p10: amount('Nine of ten seasons have more'),
  p50: amount('Half of the seasons have more'),
  p90: amount('One of ten seasons has more'),
};

const GddRangeRecord = described(
  'GddRange',
  {
    ...quantiles,
    from: Type.Optional(calendarDay('First day on which the running sum is not certain; absent in a past season')),
    cumulative: Type.Optional(
      described(
        'GddRangeCumulative',
        { p10: series('One value a day from `from` on; none below the one before'), p90: series('The same') },
        'Running sums from the day `from` on',
      ),
    ),
  },
  'Where the total ends up in eight of ten seasons; all equal in a past season',
);

const GddFrostRecord = described('GddFrost', {
  date: calendarDay('Of the night'),
  tmin: amount('In temperatureUnit'),
  source: source('What the temperature rests on'),
  severity: Type.Enum(['NEAR', 'DAMAGE', 'KILLING'], { description: 'What it means to the crop' }),
});

const FreezeDay = described(
  'FreezeDay',
  {
    earliest: orNull(Type.String(), '`MM-DD`: in one of ten years it is this day or before; null: no freeze then'),
    median: orNull(Type.String(), 'The same in five of ten years'),
    latest: orNull(Type.String(), 'The same in nine of ten years'),
  },
  'A night at or below 0 °C between two summers, over the reference years',
);

const GddNormalRecord = described(
  'GddNormal',
  {
    ...quantiles,
    firstFreeze: Type.Optional(FreezeDay),
    lastFreeze: Type.Optional(FreezeDay),
    years: tuple<readonly [first: number, last: number]>(2, 'integer', 'First and last reference year'),
    yearCount: count('How many reference years have this season'),
    totalMean: amount('Mean total of the reference years'),
    departure: amount('Total minus totalMean'),
    departurePercent: orNull(Type.Number(), 'The same as a share of totalMean; null when that is 0'),
    reached: described(
      'GddReached',
      {
        earliest: dayOrNull('In one of ten years; null is later than gddEndDate'),
        median: dayOrNull('In five of ten years'),
        latest: dayOrNull('In nine of ten years'),
      },
      "When the reference years reach this season's total",
    ),
    cumulative: described(
      'GddNormalCumulative',
      { mean: series('One value a day as in `daily`'), p10: series('The same'), p90: series('The same') },
      'Running sums of the reference years',
    ),
  },
  'The same season in the reference years',
);

const GddStageRecord = described('GddStage', {
  code: word('Short name of the stage'),
  name: word('The stage'),
  threshold: amount("Degree-days of the stage model's own definition, in temperatureUnit"),
  thresholdUpTo: Type.Optional(amount('Upper end where the source gives a range')),
  unit: unit('Of the threshold: temperatureUnit; older records have that of the source'),
  definition: word('Definition of the degree-days of the threshold'),
  date: dayOrNull('When `threshold` is reached; null when it is not by gddEndDate'),
  basis: orNull(source('What the day of `date` rests on'), 'What the day of `date` rests on'),
  earliest: dayOrNull(
    'First day of the interval: nine of ten seasons reach `threshold` on it or later; `date` itself where that is certain; ' +
      'null when it lies after gddEndDate',
  ),
  latest: dayOrNull(
    'Last day of the interval: nine of ten seasons reach `thresholdUpTo`, or `threshold` where there is none, by it; null ' +
      'when it lies after gddEndDate',
  ),
  dateIfSurvived: Type.Optional(calendarDay('When it would have been reached, had no killing frost come before')),
});
/** A growth stage of a record. */
export type GddStageRecord = RecordOf<typeof GddStageRecord>;

const GddStageModelRecord = described(
  'GddStageModel',
  {
    definition: word('Definition of its degree-days'),
    unit: unit('Of its thresholds'),
    countedFrom: calendarDay('First day that counts'),
    reference: word('Who published it'),
    caution: word('What to know before trusting the dates'),
  },
  'Where the stages come from',
);

const GddHistoryRecord = described(
  'GddHistory',
  {
    asOf: instant('When it was calculated'),
    total: amount('What it added up to'),
    incomplete: Type.Optional(list(GddShortcoming, 'What it had to do without')),
  },
  'A result that was replaced by a better one',
);
/** An earlier result of the same job. */
export type GddHistoryRecord = RecordOf<typeof GddHistoryRecord>;

/**
 * The insight of a GDD job, as stored and read. Sums, limits and temperatures are in `temperatureUnit` and rounded to two
 * decimals, each from its unrounded value.
 */
export const GddRecord = described(
  'GddInsight',
  {
    insightId: Type.String({ format: 'uuid', description: 'As the job names it' }),
    kind: always('GDD', 'Which insight it is'),
    modelVersion: word('Version of the table of crops'),
    jobId: word('Id of the job'),
    partyId: word('Party of the job'),
    resourceType: always('FIELD', 'Kind of the resource of the job'),
    resourceId: word('Field of the job'),
    crop: Type.Enum(crops, { description: 'Crop of the job' }),
    gddStartDate: calendarDay('First day of the season'),
    gddEndDate: calendarDay('Last day of the season, inclusive'),
    temperatureUnit: unit('Of sums, limits and temperatures'),
    startEvent: Type.Optional(Type.Enum(startEvents, { description: 'What gddStartDate is to the crop' })),
    description: word('What the figures are'),
    method: GddMethodRecord,
    location: GddLocationRecord,
    total: amount('Sum over all days; the four parts add up to it before rounding'),
    observedTotal: amount('Part of observed and interpolated days'),
    provisionalTotal: amount('Part of days that providers still revise'),
    forecastTotal: amount('Part of the forecast'),
    normalTotal: amount('Part of days that rest on normals'),
    days: count('Days of the season'),
    asOf: instant('When it was calculated'),
    asOfDate: calendarDay('The day it was then at the field'),
    coverage: GddCoverage,
    sources: list(GddSourceRecord, 'What the figures rest on; show their attributions'),
    daily: list(GddDayRecord, 'One entry a day'),
    normal: Type.Optional(GddNormalRecord),
    range: GddRangeRecord,
    rest: Type.Optional(
      described(
        'GddRest',
        {
          trendPerDecade: amount(
            'Degree-days a decade: trend of the last thirty complete years, weighted with the warming expected everywhere',
          ),
          shift: amount('What the trend adds to them'),
        },
        'The trend of the days that rest on normals',
      ),
    ),
    uncertainty: described(
      'GddUncertainty',
      { place: amount('One standard deviation by which the field may differ from its grid cell') },
      'What is not in the range',
    ),
    frost: list(
      GddFrostRecord,
      'Nights from planting on that are cold for the crop; none where no crop is likely to stand',
    ),
    stages: list(GddStageRecord, 'When the crop reaches its stages'),
    stageModel: Type.Optional(GddStageModelRecord),
    warnings: list(Type.String(), 'What to know before trusting the figures'),
    incomplete: Type.Optional(list(GddShortcoming, 'What should be there and is not; absent from a whole result')),
    history: Type.Optional(
      list(
        GddHistoryRecord,
        'Results that this one has taken the place of, the oldest first; absent when there was none',
      ),
    ),
    citations: list(Type.String(), 'Where the method comes from'),
  },
  'What a GDD job has calculated',
);
/** The same as a type. */
export type GddRecord = RecordOf<typeof GddRecord>;

/** Whether a stored record is of a GDD job; its kind is enough, because only this service writes records. */
export const isGddRecord = (record: JsonObject): record is GddRecord => record['kind'] === 'GDD';
