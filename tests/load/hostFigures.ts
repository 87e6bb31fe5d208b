import { existsSync, readFileSync } from 'node:fs';

/** One line of hostGauge.mjs. */
interface Sample {
  readonly at: number;
  readonly max: number;
  readonly rssMb: number;
  readonly handles: number;
}

/** How the functions host was while something ran. */
export interface HostFigures {
  /** The longest time its event loop was late, milliseconds; the resolution of 10 ms included. */
  readonly loopDelayMs: number;
  readonly rssMb: number;
  readonly handles: number;
}

/** The worst of what the gauge wrote since an instant, NaN when it wrote nothing. */
export function hostFiguresSince(file: string, since: number): HostFigures {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
  const samples = lines
    .filter((line) => line.endsWith('}'))
    .map((line) => JSON.parse(line) as Sample)
    .filter(({ at }) => at >= since);
  const worst = (name: 'max' | 'rssMb' | 'handles'): number =>
    samples.length === 0 ? Number.NaN : Math.max(...samples.map((sample) => sample[name]));
  return { loopDelayMs: worst('max'), rssMb: worst('rssMb'), handles: worst('handles') };
}
