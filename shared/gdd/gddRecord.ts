/* eslint-disable @typescript-eslint/consistent-type-definitions -- an interface has no implicit index signature, so the compiler would not take it for a JsonObject */
import type { JsonObject } from '../jobs/job.js';
import type { Day } from '../weather/calendar.js';
import type { Shortcoming } from './makingDo.js';
import type { FreezeDates } from './freezeDates.js';
import type { FrostSeverity } from './frost.js';
import type { DaySource } from './season.js';
import type { TemperatureUnit } from './temperature.js';

/**
 * The insight of a GDD job as it is stored and read. Sums, limits and temperatures are in `temperatureUnit` and
 * rounded to two decimals, each from its unrounded value.
 */
export type GddRecord = {
  readonly insightId: string;
  readonly kind: 'GDD';
  readonly modelVersion: string;
  readonly jobId: string;
  readonly partyId: string;
  readonly resourceType: 'FIELD';
  readonly resourceId: string;
  readonly crop: string;
  readonly gddStartDate: Day;
  readonly gddEndDate: Day;
  readonly temperatureUnit: TemperatureUnit;
  readonly description: string;
  readonly method: GddMethodRecord;
  readonly location: GddLocationRecord;
  /** Sum over all days; the four parts add up to it before rounding. Interpolated days count as observed. */
  readonly total: number;
  readonly observedTotal: number;
  readonly provisionalTotal: number;
  readonly forecastTotal: number;
  readonly normalTotal: number;
  readonly days: number;
  /** The instant of the calculation, and the day it was at the field. */
  readonly asOf: string;
  readonly asOfDate: Day;
  readonly coverage: GddCoverage;
  readonly sources: readonly GddSourceRecord[];
  readonly daily: readonly GddDayRecord[];
  /** Absent when no provider has reference years for this season. */
  readonly normal?: GddNormalRecord;
  /**
   * Where the total ends up in one of ten, five of ten and nine of ten seasons; all equal in a past season. Else with
   * the running sum from the day `from` on.
   */
  readonly range: GddQuantiles & {
    readonly from?: Day;
    readonly cumulative?: { readonly p10: readonly number[]; readonly p90: readonly number[] };
  };
  /** The trend of the days that rest on normals, over the reference years, and what it adds to them. */
  readonly rest?: { readonly trendPerDecade: number; readonly shift: number };
  /** One standard deviation by which the field may differ from its grid cell; not in `range`. */
  readonly uncertainty: { readonly place: number };
  /** Nights from planting on that are cold for the crop; none where no crop is likely to stand. */
  readonly frost: readonly GddFrostRecord[];
  readonly stages: readonly GddStageRecord[];
  readonly stageModel?: GddStageModelRecord;
  readonly warnings: readonly string[];
  /** What a source has and did not give in time; absent from a whole result. */
  readonly incomplete?: readonly Shortcoming[];
  readonly citations: readonly string[];
};

export type GddMethodRecord = {
  readonly name: string;
  readonly formula: string;
  readonly lower: number;
  /** Null when heat has no upper limit. */
  readonly upper: number | null;
  readonly reference: string;
};

export type GddLocationRecord = {
  readonly latitude: number;
  readonly longitude: number;
  readonly elevationM?: number;
  readonly timezone?: string;
  readonly how: string;
};

/** Days by source; interpolated days are counted in `observed` too. */
export type GddCoverage = {
  readonly observed: number;
  readonly provisional: number;
  readonly forecast: number;
  readonly normal: number;
  readonly interpolated: number;
  /** Longest run of past days without weather of their own. */
  readonly longestGap: number;
};

export type GddSourceRecord = {
  readonly product: string;
  readonly provider: string;
  readonly model: string;
  readonly gridLatitude: number;
  readonly gridLongitude: number;
  readonly gridElevationM?: number;
  /** Absent for the terrain model. */
  readonly dayBoundary?: string;
  /** Added to every temperature for the difference in height, °C. */
  readonly elevationCorrectionC?: { readonly tmax: number; readonly tmin: number };
  /** Added beside that to the forecast, °C: what it was too low by on the days that the archive has too. */
  readonly biasCorrectionC?: { readonly tmax: number; readonly tmin: number; readonly days: number };
  readonly retrievedAt?: string;
  readonly attribution: string;
  readonly licence: string;
};

export type GddDayRecord = {
  readonly date: Day;
  /** Null on days that rest on normals: degree-days can be averaged, temperatures behind them can't. */
  readonly tmin: number | null;
  readonly tmax: number | null;
  readonly gdd: number;
  readonly cumulative: number;
  readonly source: DaySource;
};

export type GddQuantiles = { readonly p10: number; readonly p50: number; readonly p90: number };

/** A cold night; `tmin` is in `temperatureUnit`. */
export type GddFrostRecord = {
  readonly date: Day;
  readonly tmin: number;
  readonly source: DaySource;
  readonly severity: FrostSeverity;
};

/** With `firstFreeze` and `lastFreeze` as days of the year, `MM-DD`, of nights at or below 0 °C between two summers. */
export type GddNormalRecord = GddQuantiles &
  Partial<FreezeDates> & {
    readonly years: readonly [first: number, last: number];
    /** How many reference years have this season. */
    readonly yearCount: number;
    readonly totalMean: number;
    /** Total minus totalMean. */
    readonly departure: number;
    readonly departurePercent: number | null;
    /** When the reference years reach this season's total: null is later than gddEndDate. */
    readonly reached: { readonly earliest: Day | null; readonly median: Day | null; readonly latest: Day | null };
    /** Running sums of the reference years, one value a day as in `daily`. */
    readonly cumulative: {
      readonly mean: readonly number[];
      readonly p10: readonly number[];
      readonly p90: readonly number[];
    };
  };

export type GddStageRecord = {
  readonly code: string;
  readonly name: string;
  /** Degree-days of the stage model's own definition, in its own unit. */
  readonly threshold: number;
  readonly thresholdUpTo?: number;
  readonly unit: TemperatureUnit;
  readonly definition: string;
  /** Null when the stage is not reached by gddEndDate. */
  readonly date: Day | null;
  /** What the day of `date` rests on. */
  readonly basis: DaySource | null;
  /** Set when the date depends on normals: earliest in one of ten, latest in nine of ten reference years. */
  readonly earliest: Day | null;
  readonly latest: Day | null;
  /** When it would have been reached, had no killing frost come before. */
  readonly dateIfSurvived?: Day;
};

export type GddStageModelRecord = {
  readonly definition: string;
  readonly unit: TemperatureUnit;
  readonly countedFrom: Day;
  readonly reference: string;
  readonly caution: string;
};

/** Whether a stored record is that of a GDD job; only this service writes records, so its kind tells all. */
export const isGddRecord = (record: JsonObject): record is GddRecord => record['kind'] === 'GDD';
