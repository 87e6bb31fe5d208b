/**
 * Degree-days by integrating a curve through the day's extremes, with a horizontal cut-off: for verification only,
 * not a method of the product. m and a are mean and half width of the day, `th` a threshold.
 *
 * @see Zalom, F. G. et al. (1983), Degree-days: the calculation and use of heat units, UC Leaflet 21373
 */
export interface CurveDay {
  readonly tmin: number;
  readonly tmax: number;
  /** Minimum of the next day. */
  readonly next: number;
}

export interface CurveLimits {
  readonly lower: number;
  readonly upper: number;
}

/** Area above a threshold. */
export type Area = (th: number, tmin: number, tmax: number) => number;

export const sineArea: Area = (th, tmin, tmax) => {
  if (tmax <= th) return 0;
  const m = (tmax + tmin) / 2;
  if (tmin >= th) return m - th;
  const a = (tmax - tmin) / 2;
  const t = Math.asin((th - m) / a);
  return ((m - th) * (Math.PI / 2 - t) + a * Math.cos(t)) / Math.PI;
};

export const triangleArea: Area = (th, tmin, tmax) => {
  if (tmax <= th) return 0;
  if (tmin >= th) return (tmax + tmin) / 2 - th;
  return (tmax - th) ** 2 / (2 * (tmax - tmin));
};

export const singleOf = (area: Area, { tmin, tmax }: CurveDay, { lower, upper }: CurveLimits): number =>
  area(lower, tmin, tmax) - area(upper, tmin, tmax);

/** Mean of the two half days: to the maximum, and from it to the minimum of the next day. */
export const doubleOf = (area: Area, day: CurveDay, limits: CurveLimits): number =>
  (singleOf(area, day, limits) + singleOf(area, { ...day, tmin: day.next }, limits)) / 2;
