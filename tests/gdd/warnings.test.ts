/** Every warning that a result may carry, each one sentence and each in a season that gives cause for it. */
import { describe, expect, test } from '@jest/globals';
import type { StoredGddParameters } from '../../shared/gdd/form/gddParameters.js';
import type { GddRecord } from '../../shared/gdd/form/gddRecord.js';
import { isGddRecord } from '../../shared/gdd/form/gddRecord.js';
import { runGddJob, type GddJobPorts } from '../../shared/gdd/runGddJob.js';
import { daysOf } from '../../shared/gdd/weather/fieldDays.js';
import { WeatherError } from '../../shared/gdd/weather/weatherSource.js';
import type { Weather } from './weather/fakeProviders.js';
import { json, lateBy, openMeteoAnswers, plainWeather, powerAnswers, powerBody } from './weather/fakeProviders.js';
import type { JobWorldOptions, Providers } from './gddJobUnderTest.js';
import { aJob, dataManagerWith, insightId, jobWorld, refusedBefore, squareField } from './gddJobUnderTest.js';

type Answer = JobWorldOptions['answer'];

const openMeteo =
  (archive: Weather = plainWeather): Answer =>
  (url, { clock }) =>
    openMeteoAnswers({ clock, archive: lateBy(clock, 5, archive), forecast: plainWeather })(url);

/** NASA POWER of a cell at a height; days from a day on come from its quick model. */
const power =
  (cellM = 203, quickFrom = '9999'): Answer =>
  (url) => {
    const start = url.searchParams.get('start')!.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3');
    const answer = powerAnswers(plainWeather, cellM)(url);
    if (start < quickFrom) return answer;
    const days = Object.keys(powerDaysOf(url)).map((day) => day.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3'));
    const body = powerBody(days, plainWeather, cellM);
    return json({ ...body, header: { ...body.header, sources: ['GEOSIT', 'POWER'] } });
  };

function powerDaysOf(url: URL): Record<string, true> {
  const [from, to] = ['start', 'end'].map((name) => url.searchParams.get(name)!);
  const days: Record<string, true> = {};
  const iso = from!.replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3');
  for (let time = Date.parse(iso); ; time += 86_400_000) {
    const day = new Date(time).toISOString().slice(0, 10).replaceAll('-', '');
    days[day] = true;
    if (day >= to!) return days;
  }
}

interface Case {
  readonly warning: string;
  readonly says: RegExp;
  readonly answer: Answer;
  readonly providers?: Providers;
  readonly parameters?: Partial<StoredGddParameters>;
  readonly fieldElevationM?: number;
  readonly ports?: Partial<GddJobPorts>;
  /** A first run at this instant fills the cache; the next finds the forecast away. */
  readonly outageAfterHours?: number;
}

const past = { gddStartDate: '2025-05-01', gddEndDate: '2025-09-30' } as const;
const cold =
  (night: string, minC: number): Weather =>
  (date) =>
    date === night ? { minC, maxC: 12 } : plainWeather(date);
/** One day more than can be bridged. */
const gap = daysOf({ from: '2025-06-10', to: '2025-06-17' });
const away = { heightAt: () => Promise.reject(new WeatherError('unavailable', 'copernicus-dem', 'is away.')) };
const farAway = [10.1, 48.1] as const;
const elsewhere = {
  ...squareField,
  geometry: {
    type: 'Polygon',
    coordinates: [
      [
        [...farAway],
        [farAway[0] + 0.01, farAway[1]],
        [farAway[0] + 0.01, farAway[1] + 0.01],
        [farAway[0], farAway[1] + 0.01],
        [...farAway],
      ] as [number, number][],
    ],
  },
} as const;

const cases: readonly Case[] = [
  {
    warning: '1 height of the field unknown',
    says: /^The height of the field is not known for the moment; temperatures are those of the height of their grid cell\.$/,
    answer: power(1203),
    providers: ['nasa-power'],
    parameters: past,
    ports: { terrain: away },
  },
  {
    warning: '1 cell more than 300 m higher, with what that is worth',
    says: /^The field lies 1000 m below the grid cell of nasa-power; its temperatures were corrected by \+6\.5 °C by day and \+4\.5 °C by night \(±141 °C·day\)\.$/,
    answer: power(1203),
    providers: ['nasa-power'],
    parameters: past,
  },
  {
    warning: '2 season and normals of different models',
    says: /^The season is that of nasa-power \(MERRA2, POWER\), its normals are those of open-meteo \(era5_seamless\): 0\.5 °C between them are worth \d+ °C·day of the departure from normal\.$/,
    // Open-Meteo knows the reference years and nothing of this season.
    answer: (url, world) =>
      url.host.startsWith('power')
        ? power()(url, world)
        : openMeteoAnswers({ ...world, archive: (date) => (date > '2024' ? undefined : plainWeather(date)) })(url),
    providers: ['open-meteo', 'nasa-power'],
    parameters: past,
  },
  {
    warning: '3 forecast older than 24 h',
    says: /^No newer forecast could be had; that of 2026-08-28T17:00Z was used\.$/,
    answer: openMeteo(),
    outageAfterHours: 30,
  },
  {
    warning: '4 no forecast at all: normals from today on',
    says: /^No forecast was available; normals are used from 2026-08-28 on\.$/,
    answer: power(),
    providers: ['nasa-power'],
  },
  {
    warning: '4 normals inside the reach of a forecast that ends early',
    says: /^The forecast does not reach 2026-09-02 to 2026-09-04; normals stand in for these days\.$/,
    answer: (url, { clock }) =>
      openMeteoAnswers({
        clock,
        archive: lateBy(clock, 5, plainWeather),
        forecast: (date) => (date > '2026-09-01' ? undefined : plainWeather(date)),
      })(url),
  },
  {
    warning: '5 bridged days',
    says: /^3 days \(2025-06-10 to 2025-06-12\) were bridged from the days around\.$/,
    answer: openMeteo((date) => (date >= '2025-06-10' && date <= '2025-06-12' ? undefined : plainWeather(date))),
    parameters: past,
  },
  {
    warning: '5 days that nobody knows and that are too many to bridge',
    says: /^No provider knows 2025-06-10 to 2025-06-17; normals stand in for these days\.$/,
    answer: openMeteo((date) => (gap.includes(date) ? undefined : plainWeather(date))),
    parameters: past,
  },
  {
    warning: '6 newest days of a quick model',
    says: /^The newest \d+ days come from the quick model of nasa-power and will be replaced, from 2026-06-1\d on\.$/,
    answer: power(203, '2026-06'),
    providers: ['nasa-power'],
  },
  {
    warning: '7 solar days',
    says: /^Days of nasa-power end at solar midnight, up to two hours from that of the clock\.$/,
    answer: power(),
    providers: ['nasa-power'],
    parameters: past,
  },
  {
    warning: '8 an unlikely planting date',
    says: /^Growth stages are left out: 2026-01-01 is no likely planting date here \(the week from it on has −?\d+ °C on average\)\. Name the start in startEvent\.$/,
    answer: openMeteo(),
    parameters: { gddStartDate: '2026-01-01' },
  },
  {
    warning: '8 a start that is not planting',
    says: /^Growth stages are left out: none are published from OTHER\.$/,
    answer: openMeteo(),
    parameters: { startEvent: 'OTHER' },
  },
  {
    warning: '9 stages outside the region of their model',
    says: /^The thresholds of these growth stages come from the Corn Belt: outside of it varieties and the length of the day differ, and with them the dates\.$/,
    answer: openMeteo(),
    parameters: past,
    ports: { dataManagerFor: () => Promise.resolve(dataManagerWith(elsewhere)) },
  },
  {
    warning: '9 cold need not met',
    says: /^Winter wheat has not had the cold it needs to head by gddEndDate\.$/,
    answer: openMeteo(),
    parameters: { crop: 'WINTER_WHEAT', gddStartDate: '2025-04-25', gddEndDate: '2025-09-30' },
  },
  {
    warning: '10 a frost that kills',
    says: /^A killing frost of −3\.0 °C came on 2025-06-20: it ends the growth stages here; .*survived\.$/,
    answer: openMeteo(cold('2025-06-20', -3)),
    parameters: past,
  },
  {
    warning: '10 a frost near the killing limit, in the unit of the job',
    says: /^A night of 28\.8 °F came on 2025-06-20: that is within a degree of what kills the crop, .*cell\.$/,
    answer: openMeteo(cold('2025-06-20', -1.8)),
    parameters: { ...past, temperatureUnit: 'F' },
  },
  {
    warning: '11 one cell of 50 km',
    says: /^The weather is that of one cell of about 50 km of nasa-power: a station near the field may differ by 1 °C, 12\d °C·day in this season\.$/,
    answer: power(),
    providers: ['nasa-power'],
    parameters: past,
  },
];

async function recordOf({ answer, outageAfterHours, parameters, ...options }: Case): Promise<GddRecord> {
  let isAway = false;
  const world = jobWorld({
    ...options,
    answer: (url, inside) =>
      isAway && url.pathname.endsWith('/forecast') ? new Response(null, { status: 503 }) : answer(url, inside),
  });
  if (outageAfterHours === undefined) return world.run(parameters);
  await world.run(parameters);
  isAway = true;
  world.clock.jump(outageAfterHours * 3_600_000);
  const job = { ...aJob(parameters), ...refusedBefore(2) };
  const outcome = await runGddJob(world.ports)(job, insightId, new AbortController().signal);
  if (outcome.kind !== 'done' || !isGddRecord(outcome.insight.record)) throw new Error('no GDD record');
  return outcome.insight.record;
}

describe('a result says, in one sentence each', () => {
  test.each(cases)('$warning', async (each) => {
    const { warnings } = await recordOf(each);
    const said = warnings.filter((warning) => each.says.test(warning));
    expect({ said: said.length, warnings }).toEqual({ said: 1, warnings });
  });

  test('nothing of a cell where the days were measured at the field', async () => {
    const measured = { warning: '', says: /^$/, answer: power(), providers: ['nasa-power'], parameters: past } as const;
    const { warnings, uncertainty } = await recordOf({ ...measured, ports: { isMeasured: true } });
    expect(warnings.join(' ')).not.toContain('50 km');
    expect(uncertainty.place).toBe(0);
  });

  test('nothing where there is no cause', async () => {
    const { warnings } = await recordOf({ warning: '', says: /^$/, answer: openMeteo() });
    expect(warnings).toEqual([]);
  });

  test('numbers of days as a person would: one day was bridged', async () => {
    const { warnings } = await recordOf({
      warning: '',
      says: /^$/,
      answer: openMeteo((date) => (date === '2025-06-10' ? undefined : plainWeather(date))),
      parameters: past,
    });
    expect(warnings).toEqual(['1 day (2025-06-10) was bridged from the days around.']);
  });
});
