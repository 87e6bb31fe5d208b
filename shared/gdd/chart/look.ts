import type { DaySource } from '../days/season.js';
import type { Frame } from './scale.js';
import { element } from '../../jobs/insight/svg.js';

/** Size of the picture, pixels. */
export const size = { width: 800, height: 500 } as const;

/** Frame of the accumulated curve, above that of the days. */
export const curveFrame: Frame = { left: 66, right: 776, top: 80, bottom: 308 };
/** Frame of the days, on the same time axis. */
export const barFrame: Frame = { left: 66, right: 776, top: 332, bottom: 412 };

/** Colours that also differ in lightness, for prints in grey. */
export const colours = {
  ink: '#1f2937',
  faint: '#6b7280',
  grid: '#e2e5ea',
  band: '#d5dae1',
  normalLine: '#7b8494',
  forecast: '#b3480f',
  forecastGround: '#fdebd9',
  normalGround: '#f3f4f6',
  /** The range of the running sum. */
  range: '#e8a374',
  frost: '#1d6fb8',
  killing: '#8c1d5b',
} as const;

interface BarLook {
  readonly label: string;
  readonly fill: string;
  readonly stroke: string;
  /** Fill of bars too narrow for an outline or a pattern. */
  readonly narrow: string;
}

/** Look of a day's bar by its source, in the order of the legend. */
export const barLooks: Readonly<Record<DaySource, BarLook>> = {
  OBSERVED: { label: 'observed', fill: '#27548a', stroke: '#27548a', narrow: '#27548a' },
  INTERPOLATED: { label: 'bridged', fill: 'url(#dots)', stroke: '#6d3fa0', narrow: '#6d3fa0' },
  PROVISIONAL: { label: 'provisional', fill: '#8ab0d9', stroke: '#5d8bbd', narrow: '#8ab0d9' },
  FORECAST: { label: 'forecast', fill: 'url(#stripes)', stroke: colours.forecast, narrow: colours.forecast },
  NORMAL: { label: 'normal', fill: '#ffffff', stroke: '#8b93a1', narrow: '#b9bfc9' },
};

/** Patterns used as fills. */
export const patterns = element(
  'defs',
  {},
  element(
    'pattern',
    { id: 'stripes', width: 4, height: 4, patternUnits: 'userSpaceOnUse', patternTransform: 'rotate(45)' },
    element('rect', { width: 4, height: 4, fill: '#ffffff' }),
    element('rect', { width: 2, height: 4, fill: colours.forecast }),
  ),
  element(
    'pattern',
    { id: 'dots', width: 3, height: 3, patternUnits: 'userSpaceOnUse' },
    element('rect', { width: 3, height: 3, fill: '#ffffff' }),
    element('circle', { cx: 1.5, cy: 1.5, r: 1, fill: '#6d3fa0' }),
  ),
);

/** A white rim around letters, legible on lines and shades. */
export const rim = {
  'paint-order': 'stroke',
  stroke: '#ffffff',
  'stroke-width': 3,
  'stroke-linejoin': 'round',
} as const;

/** Bars narrower than this are drawn without outline and pattern, pixels. */
export const narrowBar = 2.5;
