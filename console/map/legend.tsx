import type { JSX } from 'preact';
import { barsOf, legendOf, legendText } from './legendParts.js';
import type { MapLayer, ValueRange } from './mapScene.js';
import type { Spread } from './spread.js';

interface LegendProps {
  readonly layer: MapLayer;
  readonly range?: ValueRange | undefined;
}

/** What the colours of a layer mean; true colour needs no legend. */
export function Legend({ layer, range }: LegendProps): JSX.Element | null {
  const parts = legendOf(layer, range);
  if (parts === undefined) return null;
  const { colours, ticks } = parts;
  return (
    <div class="legend" role="img" aria-label={`Colours from ${ticks[0] ?? ''} to ${ticks.at(-1) ?? ''}`}>
      <div class="legend-colours">
        {colours.map((background, step) => (
          <span key={step} style={{ background }} />
        ))}
      </div>
      <div class="legend-ticks figure">
        {ticks.map((tick) => (
          <span key={tick}>{tick}</span>
        ))}
      </div>
    </div>
  );
}

const [WIDTH, HEIGHT] = [306, 34];

/** Bars as narrow as this are still seen. */
const LEAST_WIDTH = 1;

/** How the values of the chosen field are spread, above the colours that they have. */
export function Histogram({
  layer,
  range,
  spread,
  name,
}: LegendProps & { readonly spread: Spread; readonly name: string }): JSX.Element {
  const { least, most } = spread;
  const [low, high] = [legendText(layer, least), legendText(layer, most)];
  return (
    <div class="histogram">
      <p class="quiet">
        {name}: {low} to {high}
      </p>
      <svg
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Values of ${name} from ${low} to ${high}, most near ${legendText(layer, fullest(spread))}`}
      >
        {barsOf(spread, layer, range).map(({ from, to, height }) => (
          <rect
            key={from}
            x={from * WIDTH}
            y={(1 - height) * HEIGHT}
            width={Math.max(LEAST_WIDTH, (to - from) * WIDTH)}
            height={height * HEIGHT}
          />
        ))}
      </svg>
    </div>
  );
}

/** The middle of the part that has most values. */
function fullest({ least, most, bins }: Spread): number {
  const at = bins.indexOf(Math.max(...bins));
  return least + ((at + 0.5) / bins.length) * (most - least);
}
