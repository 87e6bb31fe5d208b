import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { spanOf, WEATHER_CASES } from '../../../infra/local/demo/weatherCases.js';
import { OWN_FARMS } from '../../../infra/local/demo/farms.js';
import { startWeather, type Weather } from '../../../infra/local/standIns/weather.js';
import { groundM } from '../../../infra/local/standIns/weather/terrain.js';
import type { Place } from '../../../infra/local/standIns/weather/weatherRecord.js';
import { crops } from '../../../shared/gdd/days/crops.js';
import { interiorPointOf } from '../../../shared/geo/shapes/interiorPoint.js';
import { addDays, isDay } from '../../../shared/kit/validation/calendar.js';
import { countDays } from '../../../shared/gdd/weather/fieldDays.js';

const [{ fields }] = OWN_FARMS;

/** The place that stands for the field of a case. */
function placeOf(name: string): Place {
  const { fieldId } = WEATHER_CASES.find((each) => each.name === name)!;
  const { geometry } = fields.find(({ id }) => id === fieldId)!;
  const [longitude, latitude] = interiorPointOf(geometry)!.position;
  return { longitude, latitude };
}

describe('the cases of the demo whose weather is hard to get right', () => {
  test('are of fields of the demo grower, of crops there are, with names of their own', () => {
    for (const { crop, fieldId } of WEATHER_CASES) {
      expect(crops).toContain(crop);
      expect(fields.map(({ id }) => id)).toContain(fieldId);
    }
    expect(new Set(WEATHER_CASES.map(({ name }) => name)).size).toBe(WEATHER_CASES.length);
  });

  test('have a season on any day: begun a month ago, none longer than a job may be', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3000 }), fc.constantFrom(...WEATHER_CASES), (later, { season }) => {
        const day = addDays('2024-01-01', later);
        const { gddStartDate, gddEndDate } = spanOf(season, day);
        expect([isDay(gddStartDate), isDay(gddEndDate)]).toEqual([true, true]);
        expect(gddStartDate <= addDays(day, -30)).toBe(true);
        expect(gddStartDate > addDays(day, -400)).toBe(true);
        expect(countDays({ from: gddStartDate, to: gddEndDate })).toBeGreaterThan(100);
        expect(countDays({ from: gddStartDate, to: gddEndDate })).toBeLessThanOrEqual(400);
      }),
    );
  });

  test('a mountain valley, a southern field and an outage', () => {
    const valley = placeOf('valley');
    const beside = { ...valley, latitude: valley.latitude + 0.1 };
    expect(groundM(beside) - groundM(valley)).toBeGreaterThan(800);
    expect(placeOf('south').latitude).toBeLessThan(-30);
  });
});

describe('the place without a forecast', () => {
  let weather: Weather;
  beforeAll(async () => {
    weather = await startWeather({ clock: { now: () => new Date('2026-11-20T12:00:00Z') } });
  });
  afterAll(() => weather.close());

  const openMeteo = (url: string, { latitude, longitude }: Place): Promise<number> =>
    statusOf(
      `${url}?latitude=${latitude.toFixed(2)}&longitude=${longitude.toFixed(2)}&daily=temperature_2m_max&timezone=auto`,
    );
  const statusOf = async (url: string): Promise<number> => {
    const response = await fetch(url, { headers: { 'user-agent': 'partner-field-service/1 farm@example.org' } });
    await response.arrayBuffer();
    return response.status;
  };

  test('gets 503 from every source of forecasts, and archive days as others do', async () => {
    const place = placeOf('outage');
    const { latitude, longitude } = place;
    expect(await openMeteo(weather.forecastUrl, place)).toBe(503);
    expect(await statusOf(`${weather.metNorwayUrl}?lat=${latitude.toFixed(2)}&lon=${longitude.toFixed(2)}`)).toBe(503);
    const archive = `${weather.archiveUrl}?latitude=${latitude.toFixed(2)}&longitude=${longitude.toFixed(2)}`;
    expect(
      await statusOf(`${archive}&daily=temperature_2m_max&timezone=auto&start_date=2026-05-01&end_date=2026-05-02`),
    ).toBe(200);
  });

  test('is one place: others have a forecast', async () => {
    const { latitude, longitude } = placeOf('south');
    expect(await openMeteo(weather.forecastUrl, placeOf('south'))).toBe(200);
    expect(await statusOf(`${weather.metNorwayUrl}?lat=${latitude.toFixed(2)}&lon=${longitude.toFixed(2)}`)).toBe(200);
  });
});
