import type { CachedWeatherSource } from '../weather/cache/cachedWeatherSource.js';
import { corrected, type Correction } from '../weather/terrain/elevation.js';
import type { ReferenceWeather } from '../weather/cache/weatherCache.js';
import type { GroundPoint, WeatherError } from '../weather/weatherSource.js';
import { notingFault, useOf, type WeatherUse } from './gatherSeason.js';
import { temperaturesAt } from '../days/referenceDays.js';

interface GatheredReference {
  readonly reference: ReferenceWeather;
  /** Number of its years that can be used. */
  readonly goodYears: number;
  readonly use: WeatherUse;
}

interface ReferenceRequest {
  readonly place: GroundPoint;
  /** Height that temperatures are brought to, m, where it is known. */
  readonly elevationM: number | undefined;
  /** Number of the years of an answer that can be used; `enough` of them end the search. */
  readonly goodYears: (reference: ReferenceWeather) => number;
  readonly enough: number;
}

/**
 * The reference years of the first provider that has enough of them, else of the one that has most, brought to the
 * height of the field; undefined when none has any.
 */
export const gatherReference =
  (weather: readonly CachedWeatherSource[]) =>
  async (
    request: ReferenceRequest,
    faults: WeatherError[],
    signal?: AbortSignal,
  ): Promise<GatheredReference | undefined> => {
    let best: Pick<GatheredReference, 'reference' | 'goodYears'> | undefined;
    for (const source of weather) {
      if (source.reference === undefined) continue;
      const reference = await notingFault(source.reference(request.place, signal), faults);
      if (reference === undefined) continue;
      const goodYears = request.goodYears(reference);
      if (goodYears > (best?.goodYears ?? 0)) best = { reference, goodYears };
      if (goodYears >= request.enough) break;
    }
    if (best === undefined) return undefined;
    const use = useOf('reference', best.reference, request.elevationM);
    return { ...best, use, reference: raised(best.reference, use.correction) };
  };

function raised(reference: ReferenceWeather, correction: Correction): ReferenceWeather {
  if (correction.minC === 0 && correction.maxC === 0) return reference;
  const [minC, maxC] = [[...reference.minC], [...reference.maxC]];
  for (const index of minC.keys()) {
    const temperatures = temperaturesAt(reference, index);
    if (temperatures === undefined) continue;
    ({ minC: minC[index], maxC: maxC[index] } = corrected(temperatures, correction));
  }
  return { ...reference, minC, maxC };
}
