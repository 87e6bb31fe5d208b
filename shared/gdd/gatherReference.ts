import type { CachedWeatherSource } from '../weather/cachedWeatherSource.js';
import { corrected, type Correction } from '../weather/elevation.js';
import type { ReferenceWeather } from '../weather/weatherCache.js';
import type { GroundPoint, WeatherError } from '../weather/weatherSource.js';
import type { WeatherUse } from './gatherSeason.js';
import { notingFault, useOf } from './gatherSeason.js';

export interface GatheredReference {
  readonly reference: ReferenceWeather;
  /** How many of its years can be used: its height changes none of that. */
  readonly goodYears: number;
  readonly use: WeatherUse;
}

export interface ReferenceRequest {
  readonly place: GroundPoint;
  /** Height that temperatures are brought to, where it is known. */
  readonly elevationM: number | undefined;
  /** How many reference years of an answer can be used; `enough` of them end the search. */
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
    let best: { readonly reference: ReferenceWeather; readonly years: number } | undefined;
    for (const source of weather) {
      if (source.reference === undefined) continue;
      const reference = await notingFault(source.reference(request.place, signal), faults);
      if (reference === undefined) continue;
      const years = request.goodYears(reference);
      if (years > (best?.years ?? 0)) best = { reference, years };
      if (years >= request.enough) break;
    }
    if (best === undefined) return undefined;
    const use = useOf('reference', best.reference, request.elevationM);
    return { use, goodYears: best.years, reference: raised(best.reference, use.correction) };
  };

function raised(reference: ReferenceWeather, correction: Correction): ReferenceWeather {
  if (correction.minC === 0 && correction.maxC === 0) return reference;
  const [lows, highs] = [[...reference.minC], [...reference.maxC]];
  for (const [index, minC] of lows.entries()) {
    const maxC = highs[index] ?? null;
    if (minC === null || maxC === null) continue;
    const { minC: low, maxC: high } = corrected({ minC, maxC }, correction);
    lows[index] = low;
    highs[index] = high;
  }
  return { ...reference, minC: lows, maxC: highs };
}
