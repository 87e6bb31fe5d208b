import type { Day, DaySpan } from './fieldDays.js';

/** A point on the ground, WGS 84, decimal degrees. */
export interface GroundPoint {
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

/** The temperatures of a calendar day. */
export interface DayTemperatures extends Temperatures {
  readonly date: Day;
  /** Absent where the provider does not tell it. */
  readonly revision?: Revision;
}

/** One step of a forecast: the temperature of an instant, and the extremes of the six hours after it, °C. */
export interface ForecastStep {
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
  readonly temperatureC: number;
  readonly nextSixHours?: Temperatures;
}

/** State of a day at its provider: a `preliminary` day will be replaced, whatever its age. */
export type Revision = 'final' | 'preliminary';

/** Where an answer comes from, as the insight shows it. */
export interface WeatherOrigin {
  readonly provider: string;
  readonly model: string;
  /** Centre of the grid cell; its height is absent where the answer does not tell it. */
  readonly gridLatitude: number;
  readonly gridLongitude: number;
  readonly gridElevationM?: number;
  /** Height of the values: that of the grid cell, or already that of the point asked for (`gridElevationM` then, too). */
  readonly heightOf: 'cell' | 'point';
  /** A day ends at midnight by the local clock, or by the sun (local solar time). */
  readonly dayBoundary: 'civil' | 'solar';
  /** IANA name; absent for solar days, as is the offset. */
  readonly timezone?: string;
  readonly utcOffsetSeconds?: number;
  readonly attribution: string;
  readonly licence: string;
}

/** What a provider tells of a span of days. */
export interface WeatherAnswer {
  /** Usable days only, in order: a missing day is absent, never zero. */
  readonly days: readonly DayTemperatures[];
  readonly origin: WeatherOrigin;
  /** Milliseconds since 1970 UTC. */
  readonly retrievedAt: number;
  /** A warning for the reader of the result. */
  readonly notice?: string;
  /** Fault of the provider when days were asked for that are missing here. */
  readonly missed?: WeatherError;
  /** The provider wants no request before this time. Milliseconds since 1970 UTC. */
  readonly freshUntil?: number;
  /** Kept for the next request to the provider. */
  readonly memory?: ForecastMemory;
}

/** The steps of a forecast and of earlier ones, and the `Last-Modified` of its answer. */
export interface ForecastMemory {
  readonly steps: readonly ForecastStep[];
  readonly lastModified?: string;
}

/** What the GDD job needs of a weather provider. All methods throw WeatherError. */
export interface WeatherSource {
  readonly provider: string;
  /** Height of its values: see WeatherOrigin. */
  readonly heightOf: WeatherOrigin['heightOf'];
  /** Models that the provider is asked for, part of the cache's keys. */
  readonly models: { readonly archive?: string; readonly forecast?: string };
  /** Whether its archive reports a day as soon as one of its hours is known. */
  readonly newestDayIsPartial?: boolean;
  /** Measured or reanalysed days; the newest may be missing. Absent when the provider has no archive. */
  archive?(place: GroundPoint, span: DaySpan, signal?: AbortSignal): Promise<WeatherAnswer>;
  /**
   * The last days and those from today on; absent when the provider has no forecast.
   *
   * @param kept the latest answer to the same question, where one is known
   */
  forecast?(place: GroundPoint, signal?: AbortSignal, kept?: WeatherAnswer): Promise<WeatherAnswer>;
}

/**
 * Kinds of fault. `unavailable` and `throttled` may pass, and so may `denied`, a refusal of this caller; `refused` is a
 * request that the provider does not accept, `invalid` an unusable answer.
 */
export type WeatherFaultKind = 'unavailable' | 'throttled' | 'denied' | 'refused' | 'invalid';

/** A fault of a weather provider. Never holds an address, because its query has the key. */
export class WeatherError extends Error {
  readonly kind: WeatherFaultKind;
  readonly provider: string;
  readonly retryAfterSeconds: number | undefined;

  /** @param text end of a sentence that begins with the provider's name */
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

/** A day as a provider sends it, °C: null, a fill value or nonsense where it has no value. */
export interface RawTemperatures {
  readonly minC: number | null;
  readonly maxC: number | null;
}

/** The lowest and highest temperature ever measured on Earth are −89.2 and 56.7 °C. */
const plausible = (value: number | null): value is number => value !== null && value >= -90 && value <= 60;

/** The temperatures of a day, or undefined when it counts as missing: null, outside −90…60 °C, or max below min. */
export const usableTemperatures = ({ minC, maxC }: RawTemperatures): Temperatures | undefined =>
  plausible(minC) && plausible(maxC) && maxC >= minC ? { minC, maxC } : undefined;
