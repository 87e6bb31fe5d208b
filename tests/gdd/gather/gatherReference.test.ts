import { describe, expect, test } from '@jest/globals';
import { gatherReference } from '../../../shared/gdd/gather/gatherReference.js';
import type { CachedWeatherSource } from '../../../shared/gdd/weather/cache/cachedWeatherSource.js';
import type { ReferenceWeather } from '../../../shared/gdd/weather/cache/weatherCache.js';
import { WeatherError } from '../../../shared/gdd/weather/weatherSource.js';

const place = { latitude: 42.95, longitude: -87.9 };
const unused = () => Promise.reject(new Error('not asked here'));

/** A provider whose reference years are worth as many as `minC` has values. */
function provider(name: string, years: number | Error, gridElevationM = 200): CachedWeatherSource & { asked: number } {
  const reference: ReferenceWeather = {
    origin: {
      provider: name,
      model: '',
      gridLatitude: 0,
      gridLongitude: 0,
      gridElevationM,
      heightOf: 'cell',
      dayBoundary: 'civil',
      attribution: '',
      licence: '',
    },
    retrievedAt: 0,
    from: '1991-01-01',
    minC: Array<number | null>(typeof years === 'number' ? years : 0).fill(10),
    maxC: [20, null],
  };
  const source = {
    provider: name,
    heightOf: 'cell' as const,
    models: { archive: 'test' },
    asked: 0,
    archive: unused,
    reference: () => {
      source.asked += 1;
      return years instanceof Error ? Promise.reject(years) : Promise.resolve(reference);
    },
  };
  return source;
}

const gather = (weather: CachedWeatherSource[], faults: WeatherError[] = [], elevationM?: number) =>
  gatherReference(weather)({ place, elevationM, goodYears: ({ minC }) => minC.length, enough: 10 }, faults);

describe('the reference years', () => {
  test('are those of the first provider that has enough; later ones are not asked', async () => {
    const [first, second] = [provider('first', 10), provider('second', 30)];
    expect((await gather([first, second]))?.use.origin.provider).toBe('first');
    expect(second.asked).toBe(0);
  });

  test('are those of the provider that has most when none has enough', async () => {
    const gathered = await gather([provider('first', 3), provider('second', 7), provider('third', 5)]);
    expect(gathered?.use.origin.provider).toBe('second');
  });

  test('are those of the next provider when the first is away, whose fault is noted', async () => {
    const away = new WeatherError('unavailable', 'first', 'is away.');
    const faults: WeatherError[] = [];
    const gathered = await gather([provider('first', away), provider('second', 30)], faults);
    expect(gathered?.use).toMatchObject({ product: 'reference', origin: { provider: 'second' } });
    expect(faults).toEqual([away]);
  });

  test('do not exist where no provider has a usable year', async () => {
    await expect(gather([provider('first', 0)])).resolves.toBeUndefined();
  });

  test('are brought to the height of the field: 2.6 °C by day and 1.8 °C by night for 400 m', async () => {
    const gathered = await gather([provider('first', 10, 600)], [], 200);
    expect(gathered?.use.correction.maxC).toBeCloseTo(2.6, 12);
    expect(gathered?.use.correction.minC).toBeCloseTo(1.8, 12);
    expect(gathered?.reference.minC[0]).toBeCloseTo(11.8, 12);
    expect(gathered?.reference.maxC[0]).toBeCloseTo(22.6, 12);
    expect(gathered?.reference.maxC[1]).toBeNull();
  });

  test('a fault that is none of the provider goes on upwards', async () => {
    await expect(gather([provider('first', new Error('cancelled'))])).rejects.toThrow('cancelled');
  });
});
