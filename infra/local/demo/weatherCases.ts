import { addDays } from '../../../shared/kit/validation/calendar.js';
import { WEATHER_FIELDS } from './farms.js';

/** A season by the days of the year on which it begins and ends, or around today. */
export type DemoSeason =
  { readonly from: string; readonly to: string } | { readonly daysBack: number; readonly daysAhead: number };

/** A field whose weather is hard to get right, and what its result shows. */
export interface WeatherCase {
  /** Part of the job's id and of the picture's name. */
  readonly name: string;
  readonly title: string;
  readonly shows: string;
  readonly crop: string;
  readonly fieldId: string;
  readonly season: DemoSeason;
  readonly startEvent?: string;
}

/** The cases that the demo runs, as data: whatever shows the service can show them too. */
export const WEATHER_CASES: readonly WeatherCase[] = [
  {
    name: 'valley',
    title: 'A mountain valley',
    shows:
      'The field lies far below the cells of the weather models: each day is brought to its height, and what that is ' +
      'uncertain by stands beside the total.',
    crop: 'CORN',
    fieldId: WEATHER_FIELDS.valley,
    season: { from: '05-01', to: '10-10' },
  },
  {
    name: 'south',
    title: 'Winter wheat in the south',
    shows: 'Sown in June, it flowers in its own spring: stages by cold need and day length, frost from jointing on.',
    crop: 'WINTER_WHEAT',
    fieldId: WEATHER_FIELDS.pampa,
    season: { from: '06-10', to: '01-20' },
  },
  {
    name: 'outage',
    title: 'No forecast can be had',
    shows:
      'Every source of a forecast is away: after three tries the days to come rest on normals, the result says that it ' +
      'is incomplete, and its range is wider.',
    crop: 'CANOLA',
    fieldId: WEATHER_FIELDS.withoutForecast,
    season: { daysBack: 60, daysAhead: 60 },
    startEvent: 'OTHER',
  },
];

/** So long after its first day a season has something to show. */
const LEAST_DAYS = 30;

/** The days of a season: the latest that began a month ago. */
export function spanOf(
  season: DemoSeason,
  today: string,
): { readonly gddStartDate: string; readonly gddEndDate: string } {
  if ('daysBack' in season) {
    return { gddStartDate: addDays(today, -season.daysBack), gddEndDate: addDays(today, season.daysAhead) };
  }
  const year = Number(addDays(today, -LEAST_DAYS).slice(0, 4));
  const hasBegun = `${year}-${season.from}` <= addDays(today, -LEAST_DAYS);
  const first = hasBegun ? year : year - 1;
  return {
    gddStartDate: `${first}-${season.from}`,
    gddEndDate: `${season.to > season.from ? first : first + 1}-${season.to}`,
  };
}
