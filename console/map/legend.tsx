import type { JSX } from 'preact';
import { legendOf, legendText } from './legendParts.js';
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

/** How the values of the chosen field are spread, with the least and the most of them. */
export function Histogram({
  layer,
  spread,
  name,
}: {
  readonly layer: MapLayer;
  readonly spread: Spread;
  readonly name: string;
}): JSX.Element {
  const { least, most, bins } = spread;
  const highest = Math.max(...bins, 1);
  const bar = WIDTH / bins.length;
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
        {bins.map((count, at) => {
          const height = (count / highest) * HEIGHT;
          return <rect key={at} x={at * bar} y={HEIGHT - height} width={bar - 1} height={height} />;
        })}
      </svg>
    </div>
  );
}

/** The middle of the part that has most values. */
function fullest({ least, most, bins }: Spread): number {
  const at = bins.indexOf(Math.max(...bins));
  return least + ((at + 0.5) / bins.length) * (most - least);
}
