import { describe, expect, test } from '@jest/globals';
import type { Clock } from '../../shared/kit/clock.js';
import { localDays } from '../../shared/gdd/weather/providers/localDays.js';
import { readMetNorway } from '../../shared/gdd/weather/providers/metNorwayAnswer.js';
import { metNorwaySource } from '../../shared/gdd/weather/providers/metNorwaySource.js';
import { nasaPowerSource } from '../../shared/gdd/weather/providers/nasaPowerSource.js';
import { openMeteoSource } from '../../shared/gdd/weather/providers/openMeteoSource.js';
import type { WeatherAnswer } from '../../shared/gdd/weather/weatherSource.js';
import type { OpenMeteoBody } from '../gdd/weather/fakeProviders.js';
import { expectFigures, reasonsOf, type Verdict } from './figures.js';
import { describeGenuine, recordedAnswer, recordedIn } from './genuine.js';
import { unmadeKinds } from './kinds.js';
import { metNorwayAnswers, openMeteoAnswers, powerAnswers, type MadeWeather } from './made/weatherAnswers.js';

/** An answer on the wire. */
interface Sent {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

const place = { latitude: 51.5, longitude: -0.1 };
const span = { from: '2031-01-01', to: '2031-01-31' };
/** A later try is one at once; it brings the same. */
const clock: Clock = {
  now: () => new Date('2031-05-01T12:00:00Z'),
  sleep: () => Promise.resolve(),
  every: () => () => undefined,
};
const options = (sent: Sent) => ({
  clock,
  random: () => 0,
  fetch: (() => {
    const { status = 200, headers = {}, body } = sent;
    return Promise.resolve(new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers }));
  }) as typeof fetch,
});

const ask = {
  openMeteo: (sent: Sent): Promise<WeatherAnswer> => {
    const url = 'https://weather.example/v1';
    return openMeteoSource({ ...options(sent), archiveUrl: url, forecastUrl: url }).archive!(place, span);
  },
  power: (sent: Sent) =>
    nasaPowerSource({ ...options(sent), dailyUrl: 'https://weather.example/daily' }).archive!(place, span),
  metNorway: (sent: Sent) =>
    metNorwaySource({
      ...options(sent),
      url: 'https://weather.example/complete',
      contact: 'you@example.com',
      version: '1',
      awaitTurn: () => Promise.resolve(),
      onDeprecated: () => undefined,
    }).forecast!({ ...place, longitude: 0 }),
};

const faultOf = (error: unknown): string =>
  (error as Error).message.replace(/^.*?(sent an unusable answer: |answered with )/, '').replace(/\.$/, '');

const verdictOf = (asked: Promise<WeatherAnswer>): Promise<Verdict> => asked.then(() => 'read', faultOf);

/** Recorded answers of the three services as they went over the wire. */
const entries = recordedIn('weather');
const genuine = (prefix: string): { readonly file: string; readonly sent: Sent }[] =>
  [
    ...entries.map(({ file }) => file),
    'metno-complete-london.json',
    'power-daily_ag_point.json',
    'power-daily_sb_point_LST.json',
  ]
    .filter((file) => entries.length > 0 && file.startsWith(prefix))
    .map((file) => ({ file, sent: sentOf(recordedAnswer('weather', file)) }));

/** Some were kept with their status and headers, one as a table of text, most are the body alone. */
function sentOf(recorded: unknown): Sent {
  const {
    data,
    headers,
    http_interactions: interactions,
    error,
  } = recorded as {
    readonly data?: unknown;
    readonly headers?: Readonly<Record<string, string>>;
    readonly http_interactions?: readonly [{ readonly response: { readonly body: { readonly string: string } } }];
    readonly error?: unknown;
  };
  if (interactions !== undefined) return { body: interactions[0].response.body.string };
  if (data !== undefined && headers !== undefined) return { headers, body: data };
  return { status: error === true ? 400 : 200, body: recorded };
}

const services = [
  {
    subject: 'Open-Meteo',
    prefix: 'openmeteo-',
    asked: ask.openMeteo,
    made: openMeteoAnswers,
    refused: {
      'HTTP status 400': 1,
      'no object around': 1,
      'unit of temperature_2m_max is not °C': 9,
      'unit of temperature_2m_min is not °C': 7,
    },
  },
  {
    subject: 'NASA POWER',
    prefix: '',
    asked: ask.power,
    made: powerAnswers,
    refused: { 'header.time_standard is not LST': 2, 'nasa-power sent no JSON': 2, 'no object T2M_MAX': 1 },
  },
  { subject: 'MET Norway', prefix: 'metno-complete', asked: ask.metNorway, made: metNorwayAnswers, refused: {} },
] as const;

const recordedOf = ({ subject, prefix }: (typeof services)[number]) =>
  subject === 'NASA POWER' ? [...genuine('nasapower-'), ...genuine('power-')] : genuine(prefix);

describeGenuine('answers of weather services', entries, () => {
  test.each(services)('$subject is read and refused as counted', async (service) => {
    const verdicts = await Promise.all(recordedOf(service).map(({ sent }) => verdictOf(service.asked(sent))));
    expectFigures(service.subject, 'genuine', verdicts);
    expect(reasonsOf(verdicts)).toEqual(service.refused);
  });

  test('of Open-Meteo for our query are read with all their days but those that are null', async () => {
    const ours = genuine('openmeteo-').filter(({ file }) => /-(archive|forecast)-(?!multi)/.test(file));
    expect(ours.length).toBeGreaterThan(10);
    for (const { sent } of ours) {
      const { time, temperature_2m_max: maxima } = (sent.body as OpenMeteoBody).daily;
      const { days } = await ask.openMeteo(sent);
      expect(days.map(({ date }) => date)).toEqual(time.filter((_, index) => maxima[index] !== null));
    }
  });

  test('of NASA POWER that name MERRA-2 alone make days final, however they write its name', async () => {
    const [whole] = powerAnswers;
    const { header, ...body } = whole!.body as { readonly header: object };
    const named = genuine('nasapower-').flatMap(({ sent }) => {
      const { sources } = (sent.body as { readonly header: { readonly sources?: readonly string[] } }).header;
      return sources === undefined ? [] : [sources];
    });
    expect(named.length).toBeGreaterThan(0);
    for (const sources of named) {
      const { days } = await ask.power({ body: { ...body, header: { ...header, sources } } });
      expect([sources, new Set(days.map(({ revision }) => revision))]).toEqual([sources, new Set(['final'])]);
    }
  });

  test.each(services)('$subject has no kind of value that made answers lack', (service) => {
    const bodies = recordedOf(service).map(({ sent }) => sent.body);
    expect(
      unmadeKinds(
        bodies,
        service.made.map(({ body }) => JSON.parse(JSON.stringify(body)) as unknown),
      ),
    ).toEqual([]);
  });
});

describeGenuine('forecast of MET Norway for London of 20 July 2020, 11:00 UTC', entries, () => {
  const { steps, origin } =
    entries.length > 0 ? readMetNorway(genuine('metno-complete')[0]?.sent.body) : { steps: [], origin: undefined };

  test.each([
    {
      zone: 'Europe/London',
      offsetHours: 1,
      minC: [10.9, 11.0, 11.8, 11.2, 14.6, 16.4, 12.3, 15.1],
    },
    {
      zone: 'America/Chicago',
      offsetHours: -5,
      minC: [11.0, 12.1, 13.5, 13.5, 16.3, 14.4, 14.3, 16.1],
    },
    { zone: 'Asia/Kolkata', offsetHours: 5.5, minC: [10.9, 11.0, 11.8, 11.2, 14.6, 16.4, 12.3, 15.1] },
  ])('has these days by the clock of $zone, 21 to 28 July', ({ offsetHours, minC }) => {
    const days = localDays(steps, offsetHours * 3600);
    expect(days.map(({ date }) => date)).toEqual([21, 22, 23, 24, 25, 26, 27, 28].map((day) => `2020-07-${day}`));
    expect(days.map((day) => day.minC)).toEqual(minC);
    expect(days.map((day) => day.maxC)).toEqual([20.2, 23.3, 22.9, 23.3, 23.4, 23.7, 22.9, 23.0]);
  });

  test('tells the height it was brought to', () => {
    expect(steps).toHaveLength(82);
    expect(origin).toMatchObject({ gridLatitude: 51.5, gridLongitude: -0.1, gridElevationM: 25 });
  });
});

describe.each(services)('contract: made answers of $subject', ({ subject, asked, made }) => {
  test.each<MadeWeather>([...made])('$why', async ({ expected, ...sent }) => {
    if ('fault' in expected) await expect(verdictOf(asked(sent))).resolves.toContain(expected.fault);
    else expect((await asked(sent)).days.map(({ date }) => date)).toEqual(expected);
  });

  test('are read and refused as counted', async () => {
    expectFigures(subject, 'made', await Promise.all(made.map((sent) => verdictOf(asked(sent)))));
  });
});
