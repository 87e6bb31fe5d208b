/** A made answer of a weather service: what it sends, and what the adapter must make of it. */
export interface MadeWeather {
  readonly why: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
  /** Days that the adapter takes from it; or the fault it must tell. */
  readonly expected: readonly string[] | { readonly fault: string };
}

const DAYS = ['2031-05-01', '2031-05-02', '2031-05-03', '2031-05-04'];
/** Made-up weather of a day: no place has had it. */
const maxima = [20.1, 21.2, 22.3, 23.4];
const minima = [10.1, 11.2, 12.3, 13.4];
type Celsius = number | null | string;

interface OpenMeteo {
  readonly time?: readonly string[];
  readonly max?: readonly Celsius[];
  readonly min?: readonly Celsius[];
  readonly unit?: string;
  readonly more?: object;
}

const openMeteo = ({ time = DAYS, max = maxima, min = minima, unit = '°C', more = {} }: OpenMeteo = {}): object => ({
  latitude: 1.25,
  longitude: 2.5,
  generationtime_ms: 0.25,
  utc_offset_seconds: 7200,
  timezone: 'Etc/GMT-2',
  timezone_abbreviation: 'GMT+2',
  elevation: 123,
  daily_units: { time: 'iso8601', temperature_2m_max: unit, temperature_2m_min: unit },
  daily: { time, temperature_2m_max: max, temperature_2m_min: min },
  ...more,
});

const otherVariables = (units: object, daily: object): object => ({
  ...openMeteo(),
  daily_units: { time: 'iso8601', ...units },
  daily: { time: DAYS, ...daily },
});

/** Open-Meteo, archive and forecast alike. */
export const openMeteoAnswers: readonly MadeWeather[] = [
  { why: 'whole days', body: openMeteo(), expected: DAYS },
  {
    why: 'newest days null',
    body: openMeteo({ max: [20.1, 21.2, null, null], min: [10.1, 11.2, null, null] }),
    expected: DAYS.slice(0, 2),
  },
  {
    why: 'a day half there',
    body: openMeteo({ min: [10.1, null, 12.3, 13.4] }),
    expected: ['2031-05-01', '2031-05-03', '2031-05-04'],
  },
  {
    why: 'a fill value',
    body: openMeteo({ max: [20.1, -999, 22.3, 23.4] }),
    expected: ['2031-05-01', '2031-05-03', '2031-05-04'],
  },
  { why: 'no height, as for a sea', body: openMeteo({ more: { elevation: undefined } }), expected: DAYS },
  {
    why: 'further variables beside ours, and hours',
    body: openMeteo({
      more: {
        daily_units: { time: 'iso8601', temperature_2m_max: '°C', temperature_2m_min: '°C', rain_sum: 'mm' },
        hourly_units: { time: 'iso8601', temperature_2m: '°C' },
        hourly: { time: ['2031-05-01T00:00'], temperature_2m: [11.5] },
      },
    }),
    expected: DAYS,
  },
  {
    why: 'hours of another variable beside our days',
    body: openMeteo({ more: { hourly_units: { time: 'iso8601' }, hourly: { time: ['2031-05-01T00:00'] } } }),
    expected: DAYS,
  },
  { why: 'no days at all', body: openMeteo({ time: [], max: [], min: [] }), expected: [] },
  {
    why: 'degrees Fahrenheit',
    body: openMeteo({ unit: '°F' }),
    expected: { fault: 'unit of temperature_2m_max is not °C' },
  },
  { why: 'the list of several places', body: [openMeteo(), openMeteo()], expected: { fault: 'no object around' } },
  {
    why: 'maxima alone',
    body: otherVariables({ temperature_2m_max: '°C' }, { temperature_2m_max: maxima }),
    expected: { fault: 'unit of temperature_2m_min is not °C' },
  },
  {
    why: 'another variable',
    body: otherVariables({ river_discharge: 'm³/s' }, { river_discharge: [0.5, 0.5, 0.5, 0.5] }),
    expected: { fault: 'unit of temperature_2m_max is not °C' },
  },
  {
    why: 'hours alone',
    body: { ...openMeteo(), daily_units: undefined, daily: undefined },
    expected: { fault: 'no object daily_units' },
  },
  {
    why: 'a refused query',
    status: 400,
    body: { error: true, reason: 'Made-up parameter' },
    expected: { fault: 'HTTP status 400' },
  },
  {
    why: 'a used-up quota',
    status: 429,
    headers: { 'retry-after': '3600' },
    body: { error: true, reason: 'Made-up limit exceeded' },
    expected: { fault: 'HTTP status 429' },
  },
];

type Days = Readonly<Record<string, Celsius>>;

const power = (max: Days, min: Days, header: object = {}): object => ({
  type: 'Feature',
  geometry: { type: 'Point', coordinates: [2.5, 1.25, 123.45] },
  properties: { parameter: { T2M_MAX: max, T2M_MIN: min } },
  header: {
    title: 'Made-up daily data',
    api: { version: 'v9.9.9', name: 'Made-up API' },
    sources: ['MERRA2', 'POWER'],
    fill_value: -999,
    time_standard: 'LST',
    start: '20310501',
    end: '20310503',
    ...header,
  },
  messages: [],
  parameters: { T2M_MAX: { units: 'C', longname: 'made up' }, T2M_MIN: { units: 'C', longname: 'made up' } },
  times: { data: 1.5, process: 0.5 },
});

const MAX = { 20310501: 20.1, 20310502: 21.2, 20310503: 22.3 };
const MIN = { 20310501: 10.1, 20310502: 11.2, 20310503: 12.3 };

/** NASA POWER, daily point. */
export const powerAnswers: readonly MadeWeather[] = [
  { why: 'whole days', body: power(MAX, MIN), expected: DAYS.slice(0, 3) },
  {
    why: 'the newest day filled',
    body: power({ ...MAX, 20310503: -999 }, { ...MIN, 20310503: -999 }),
    expected: DAYS.slice(0, 2),
  },
  {
    why: 'another fill value, told in its header',
    body: power({ ...MAX, 20310502: -99 }, { ...MIN, 20310502: -99 }, { fill_value: -99 }),
    expected: ['2031-05-01', '2031-05-03'],
  },
  { why: 'nothing but fill', body: power({ 20310501: -999 }, { 20310501: -999 }), expected: [] },
  {
    why: 'a day null in one list and another day absent from the other',
    body: power({ ...MAX, 20310501: null }, { 20310501: 10.1, 20310502: 11.2 }),
    expected: ['2031-05-02'],
  },
  {
    why: 'no fill value in the header: the documented one counts',
    body: power({ ...MAX, 20310502: -999 }, MIN, { fill_value: undefined }),
    expected: ['2031-05-01', '2031-05-03'],
  },
  {
    why: 'a text instead of a temperature',
    body: power({ ...MAX, 20310502: '21.2' }, MIN),
    expected: { fault: 'no number T2M_MAX' },
  },
  {
    why: 'no sources, no messages',
    body: { ...power(MAX, MIN, { sources: undefined }), messages: undefined },
    expected: DAYS.slice(0, 3),
  },
  {
    why: 'days of universal time',
    body: power(MAX, MIN, { time_standard: 'UTC' }),
    expected: { fault: 'header.time_standard is not LST' },
  },
  {
    why: 'no time standard, as older versions',
    body: power(MAX, MIN, { time_standard: undefined, api: undefined }),
    expected: { fault: 'header.time_standard is not LST' },
  },
  {
    why: 'another parameter',
    body: { ...power(MAX, MIN), parameters: { T2M: { units: 'C' } }, properties: { parameter: { T2M: MAX } } },
    expected: { fault: 'no object T2M_MAX' },
  },
  {
    why: 'a table of text',
    body: '-BEGIN HEADER-\r\nmade up\r\n-END HEADER-\r\n',
    expected: { fault: 'sent no JSON' },
  },
  {
    why: 'a used-up quota',
    status: 429,
    headers: { 'retry-after': '900' },
    body: {},
    expected: { fault: 'HTTP status 429' },
  },
];

type Hours = readonly number[];
const hours = (from: number, count: number, every = 1): Hours =>
  Array.from({ length: count }, (_, i) => from + every * i);
const midnight = Date.parse('2031-05-01T00:00:00Z');

/** One step: hourly ones have no extremes, six-hourly ones do, the last ones have nothing to come. */
function step(hour: number, next: 'hour' | 'six hours' | 'both' | 'nothing', more: object = {}) {
  const summary = { summary: { symbol_code: 'made_up' } };
  const six = { ...summary, details: { air_temperature_max: 21, air_temperature_min: 11, precipitation_amount: 0 } };
  return {
    time: new Date(midnight + hour * 3_600_000).toISOString().replace('.000Z', 'Z'),
    data: {
      instant: { details: { air_temperature: 15 + (hour % 24) / 8, wind_speed: 1.5, ...more } },
      ...(next === 'both' && { next_12_hours: summary }),
      ...((next === 'hour' || next === 'both') && {
        next_1_hours: { ...summary, details: { precipitation_amount: 0 } },
      }),
      ...((next === 'six hours' || next === 'both') && { next_6_hours: six }),
    },
  };
}

const metNorway = (
  timeseries: readonly object[],
  unit: string | null = 'celsius',
  coordinates: readonly number[] = [0, 1.25, 123],
): object => ({
  type: 'Feature',
  geometry: { type: 'Point', coordinates },
  properties: {
    meta: {
      updated_at: '2031-05-01T01:02:03Z',
      units: {
        air_temperature: unit ?? 'celsius',
        air_temperature_max: unit,
        air_temperature_min: unit,
        wind_speed: 'm/s',
      },
    },
    timeseries,
  },
});

/** A day of hours whose windows are null, or without details, or without extremes, where they are there at all. */
const silentSteps = hours(0, 25).map((hour) => {
  const silent = [null, { summary: {} }, { details: null }, { details: { air_temperature_max: null } }];
  const { data, ...rest } = step(hour, 'nothing');
  return { ...rest, data: { ...data, next_6_hours: silent[hour % silent.length] } };
});

const fromEleven = [
  ...hours(11, 38).map((hour) => step(hour, 'both')),
  ...hours(49, 5).map((hour) => step(hour, 'hour')),
  ...hours(54, 12, 6).map((hour) => step(hour, 'six hours')),
  step(126, 'nothing'),
];
const headers = {
  expires: 'Thu, 01 May 2031 12:34:56 GMT',
  'last-modified': 'Thu, 01 May 2031 12:04:56 GMT',
  'content-type': 'application/json',
};

/** MET Norway, `complete`, at the meridian of Greenwich. */
export const metNorwayAnswers: readonly MadeWeather[] = [
  {
    why: 'begins at eleven: the day that runs is no day',
    headers,
    body: metNorway(fromEleven),
    expected: ['2031-05-02', '2031-05-03', '2031-05-04', '2031-05-05'],
  },
  {
    why: 'told to go (203)',
    status: 203,
    headers,
    body: metNorway(hours(0, 25).map((hour) => step(hour, 'both'))),
    expected: ['2031-05-01'],
  },
  {
    why: 'a hole of two hours',
    headers,
    body: metNorway(
      hours(0, 49)
        .filter((hour) => hour !== 12)
        .map((hour) => step(hour, 'hour')),
    ),
    expected: ['2031-05-02'],
  },
  {
    why: 'without height',
    headers,
    body: metNorway(
      hours(0, 25).map((hour) => step(hour, 'hour')),
      'celsius',
      [0, 1.25],
    ),
    expected: ['2031-05-01'],
  },
  { why: 'a single step', headers, body: metNorway([step(0, 'nothing')]), expected: [] },
  {
    why: 'degrees Fahrenheit',
    headers,
    body: metNorway(fromEleven, 'fahrenheit'),
    expected: { fault: 'unit of air_temperature is not celsius' },
  },
  {
    why: 'steps out of order, and one of them twice',
    headers,
    body: metNorway([...hours(0, 25).map((hour) => step(hour, 'hour')), step(12, 'hour')].reverse()),
    expected: ['2031-05-01'],
  },
  {
    why: 'a step without a temperature: the day with the hole is no day, the next one is',
    headers,
    body: metNorway(hours(0, 49).map((hour) => step(hour, 'hour', hour === 12 ? { air_temperature: null } : {}))),
    expected: ['2031-05-02'],
  },
  {
    why: 'a step without a temperature within the six hours that another one tells of',
    headers,
    body: metNorway(hours(0, 25).map((hour) => step(hour, 'both', hour === 12 ? { air_temperature: undefined } : {}))),
    expected: ['2031-05-01'],
  },
  {
    why: 'steps that tell nothing, and no units of extremes that nobody tells',
    headers,
    body: metNorway([...silentSteps, { ...step(25, 'nothing'), data: { instant: {} } }], null),
    expected: ['2031-05-01'],
  },
  {
    why: 'no temperature in any step',
    headers,
    body: metNorway([step(0, 'hour', { air_temperature: null })]),
    expected: { fault: 'no step with a temperature' },
  },
  { why: 'no step at all', headers, body: metNorway([]), expected: { fault: 'no step with a temperature' } },
  {
    why: 'a step with a text instead of a temperature',
    headers,
    body: metNorway([step(0, 'hour', { air_temperature: '15' })]),
    expected: { fault: 'no number air_temperature' },
  },
  { why: 'refused, for want of a name', status: 403, body: {}, expected: { fault: 'HTTP status 403' } },
  { why: 'too many at once', status: 429, body: {}, expected: { fault: 'HTTP status 429' } },
];
