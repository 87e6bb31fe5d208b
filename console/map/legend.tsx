import type { JSX } from 'preact';
import type { LayerName } from '../../shared/imagery/layers/layers.js';
import { SCOUTING_PALETTE, VEGETATION_PALETTE } from '../../shared/imagery/layers/palette.js';
import type { Rgb } from '../../shared/raster/cogInput.js';
import { NDVI_RAMP } from './ramps.js';

/** How many steps of colour a legend shows. */
const STEPS = 25;
const PERCENT = 100;

interface Ramp {
  readonly colours: readonly Rgb[];
  /** Index of the last colour that stands for a value. */
  readonly last: number;
  readonly ticks: readonly string[];
}

const RAMPS: Readonly<Partial<Record<LayerName, Ramp>>> = {
  ndvi: { colours: NDVI_RAMP, last: NDVI_RAMP.length - 1, ticks: ['0', '0.25', '0.5', '0.75', '1'] },
  vegetation: { colours: VEGETATION_PALETTE, last: PERCENT, ticks: ['0', '25', '50', '75', '100 %'] },
  scouting: { colours: SCOUTING_PALETTE, last: PERCENT, ticks: ['behind', 'middle', 'ahead'] },
};

/** What the colours of a layer mean; true colour needs no legend. */
export function Legend({ layer }: { readonly layer: LayerName }): JSX.Element | null {
  const ramp = RAMPS[layer];
  if (ramp === undefined) return null;
  const { colours, last, ticks } = ramp;
  return (
    <div class="legend" role="img" aria-label={`Colours from ${ticks[0] ?? ''} to ${ticks.at(-1) ?? ''}`}>
      <div class="legend-colours">
        {Array.from({ length: STEPS }, (_, step) => {
          const [red, green, blue] = colours[Math.round((step / (STEPS - 1)) * last)] ?? [0, 0, 0];
          return <span key={step} style={{ background: `rgb(${red} ${green} ${blue})` }} />;
        })}
      </div>
      <div class="legend-ticks figure">
        {ticks.map((tick) => (
          <span key={tick}>{tick}</span>
        ))}
      </div>
    </div>
  );
}
