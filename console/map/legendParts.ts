import { SCOUTING_PALETTE, VEGETATION_PALETTE } from '../../shared/scenes/layers/palette.js';
import type { Rgb } from '../../shared/raster/write/cogInput.js';
import type { MapLayer, ValueRange } from './mapScene.js';
import type { Spread } from './spread.js';
import { DIFFERENCE_RAMP, DIFFERENCE_RANGE, NDVI_RAMP } from './ramps.js';

/** How many steps of colour a legend shows. */
const STEPS = 25;
const PERCENT = 100;

interface Ramp {
  readonly colours: readonly Rgb[];
  /** Index of the last colour that stands for a value. */
  readonly last: number;
  /** Values of the ends. */
  readonly range: ValueRange;
  readonly text: (value: number) => string;
  /** Words in place of values. */
  readonly words?: readonly string[];
}

const share = (value: number): string => String(Number(value.toFixed(2))).replace('-', '−');
const percent = (value: number): string => `${Math.round(value)} %`;
const signed = (value: number): string => (value > 0 ? `+${share(value)}` : share(value));

const RAMPS: Readonly<Partial<Record<MapLayer, Ramp>>> = {
  ndvi: { colours: NDVI_RAMP, last: NDVI_RAMP.length - 1, range: [0, 1], text: share },
  vegetation: { colours: VEGETATION_PALETTE, last: PERCENT, range: [0, PERCENT], text: percent },
  scouting: {
    colours: SCOUTING_PALETTE,
    last: PERCENT,
    range: [0, PERCENT],
    text: percent,
    words: ['behind', 'middle', 'ahead'],
  },
  difference: { colours: DIFFERENCE_RAMP, last: DIFFERENCE_RAMP.length - 1, range: DIFFERENCE_RANGE, text: signed },
};

/** The colours of a legend from left to right, and the texts below them. */
export interface LegendParts {
  readonly colours: readonly string[];
  readonly ticks: readonly string[];
}

/** What a legend shows of a layer; true colour has none. @param range of colours that are stretched to a field */
export function legendOf(layer: MapLayer, range?: ValueRange): LegendParts | undefined {
  const ramp = RAMPS[layer];
  if (ramp === undefined) return undefined;
  const [low, high] = range ?? ramp.range;
  const colours = Array.from({ length: STEPS }, (_, step) => {
    const [red, green, blue] = ramp.colours[Math.round((step / (STEPS - 1)) * ramp.last)] ?? [0, 0, 0];
    return `rgb(${red} ${green} ${blue})`;
  });
  const ticks = ramp.words ?? [0, 0.25, 0.5, 0.75, 1].map((part) => ramp.text(low + (high - low) * part));
  return { colours, ticks };
}

/** Values of the ends of a legend; those of true colour mean nothing. */
const axisOf = (layer: MapLayer, range?: ValueRange): ValueRange => range ?? RAMPS[layer]?.range ?? [0, 1];

/** A part of a field's values on the axis of the legend: shares of its width and of the height. */
interface Bar {
  readonly from: number;
  readonly to: number;
  readonly height: number;
}

/** The values of a field on the axis of the legend; those beyond its ends are not drawn. */
export function barsOf({ least, most, bins }: Spread, layer: MapLayer, range?: ValueRange): readonly Bar[] {
  const [low, high] = axisOf(layer, range);
  const place = (value: number): number => Math.min(1, Math.max(0, (value - low) / (high - low)));
  const width = (most - least) / bins.length;
  const highest = Math.max(...bins, 1);
  return bins
    .map((count, at) => ({
      from: place(least + at * width),
      to: place(least + (at + 1) * width),
      height: count / highest,
    }))
    .filter(({ from, to, height }) => height > 0 && (to > from || width === 0));
}

/** A value of a layer as its legend writes it. */
export const legendText = (layer: MapLayer, value: number): string => RAMPS[layer]?.text(value) ?? '';
