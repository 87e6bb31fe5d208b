import type { Day, DaySpan } from './calendar.js';

/** A place on the ground, WGS 84, decimal degrees. */
export interface Place {
  readonly latitude: number;
  readonly longitude: number;
  /** Height of the ground above the sea, whole metres, where it is known. */
  readonly elevationM?: number;
}

/** Lowest and highest air temperature 2 m above ground of one day, °C. */
export interface Temperatures {
  readonly minC: number;
  readonly maxC: number;
}

export interface DayTemperatures extends Temperatures {
  readonly date: Day;
  /** What the provider says of the day itself: `preliminary` ones will be replaced, whatever their age. */
  readonly revision?: Revision;
}

/** One step of a forecast: the temperature of an instant, and the extremes of the six hours from it on. */
export interface ForecastStep {
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
  /** °C. */
  readonly temperatureC: number;
  readonly nextSixHours?: { readonly minC: number; readonly maxC: number };
}

export type Revision = 'final' | 'preliminary';

/** Where an answer comes from, as it is told in the insight. */
export interface WeatherOrigin {
  readonly provider: string;
  readonly model: string;
  /** Centre of the grid cell the values belong to, and its height; the height is absent when it was not told. */
  readonly gridLatitude: number;
  readonly gridLongitude: number;
  readonly gridElevationM?: number;
  /** `point`: the values are brought to the height of the place asked for already, and the height told is that one. */
  readonly heightOf: 'cell' | 'point';
  /** Whose midnight ends a day: that of the clock there, or of the sun (local solar time). */
  readonly dayBoundary: 'civil' | 'solar';
  /** IANA name, and the offset of the answer; absent for solar days. */
  readonly timezone?: string;
  readonly utcOffsetSeconds?: number;
  readonly attribution: string;
  readonly licence: string;
}

export interface WeatherAnswer {
  /** Usable days only, in order: a missing day is absent, never zero. */
  readonly days: readonly DayTemperatures[];
  readonly origin: WeatherOrigin;
  /** Milliseconds since 1970 UTC. */
  readonly retrievedAt: number;
  /** What the reader of the result should know about this answer. */
  readonly notice?: string;
  /** Why days are missing that the provider may have: it did not answer when they were asked for. */
  readonly missed?: WeatherError;
  /** Until when the provider asks not to be asked again. Milliseconds since 1970 UTC. */
  readonly freshUntil?: number;
  /** What the provider needs of this answer when it is asked again. */
  readonly memory?: ForecastMemory;
}

/** The steps of a forecast and of those before it, and the mark by which the provider knows its answer again. */
export interface ForecastMemory {
  readonly steps: readonly ForecastStep[];
  readonly lastModified?: string;
}

/** What the GDD job needs of a weather provider. All methods throw WeatherError. */
export interface WeatherSource {
  readonly provider: string;
  /** `point`: its values are brought to the height of the place asked for. */
  readonly heightOf: WeatherOrigin['heightOf'];
  /** The models it asks for: answers of another model are other answers. */
  readonly models: { readonly archive?: string; readonly forecast?: string };
  /** Whether its archive tells a day as soon as it has an hour of it. */
  readonly newestDayIsPartial?: boolean;
  /** What was measured or reanalysed; the newest days may be missing. Absent when the provider has no archive. */
  archive?(place: Place, span: DaySpan, signal?: AbortSignal): Promise<WeatherAnswer>;
  /**
   * The last days and what is expected from today on; absent when the provider has no forecast.
   *
   * @param kept the latest answer to the same question, where one is known
   */
  forecast?(place: Place, signal?: AbortSignal, kept?: WeatherAnswer): Promise<WeatherAnswer>;
}

/**
 * `unavailable` and `throttled` may pass, and so may `denied`, by which the provider turns us away as the caller;
 * `refused` is a request of ours it does not take, `invalid` an unusable answer.
 */
export type WeatherFaultKind = 'unavailable' | 'throttled' | 'denied' | 'refused' | 'invalid';

/** What went wrong at a weather provider. Never holds an address: the key stands in its query. */
export class WeatherError extends Error {
  readonly kind: WeatherFaultKind;
  readonly provider: string;
  readonly retryAfterSeconds: number | undefined;

  /** @param text what happened, as the end of a sentence that begins with the provider's name */
  constructor(
    kind: WeatherFaultKind,
    provider: string,
    text: string,
    options: ErrorOptions & { readonly retryAfterSeconds?: number } = {},
  ) {
    super(`${provider} ${text}`, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'WeatherError';
    this.kind = kind;
    this.provider = provider;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** A day as a provider sends it: null, a fill value or nonsense where it knows nothing. */
export interface RawTemperatures {
  readonly minC: number | null;
  readonly maxC: number | null;
}

/** The lowest and highest temperature ever measured on Earth are −89.2 and 56.7 °C. */
const plausible = (value: number | null): value is number => value !== null && value >= -90 && value <= 60;

/** The temperatures of a day, or undefined when it counts as missing: null, outside −90…60 °C, or max below min. */
export const usableTemperatures = ({ minC, maxC }: RawTemperatures): Temperatures | undefined =>
  plausible(minC) && plausible(maxC) && maxC >= minC ? { minC, maxC } : undefined;
