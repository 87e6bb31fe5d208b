import type { BoundaryModel } from './boundaryModel.js';
import type { Pixel } from './clearPixels.js';
import { edgeMap, meanProbability } from './edgeMap.js';
import type { Plane } from './gaussian.js';
import { meanGradient } from './gradient.js';
import { stackedChannels } from './normalise.js';
import type { NormalisedDate } from './normalise.js';
import { opinionOf } from './opinion.js';

const mostDatesSeenTwice = 4;

/** Where the edges come from: the network, or the gradient alone. */
export type BoundaryMethod = 'network' | 'gradient';

/** What a prediction may be told. */
export interface ProposalOptions {
  /** `gradient` leaves the network out; it is left out anyway where a visible band is missing. */
  readonly method?: BoundaryMethod;
  /** Mirrored views of the window that the network's answer is averaged over, 1–4; by default as many as the dates leave time for. */
  readonly views?: number;
}

/** The channels and edges that the segmentation works on. */
export interface EdgeEvidence {
  readonly channels: readonly Plane[];
  readonly edges: Plane;
  /** Of a boundary, 0–1; undefined where the network was not asked. */
  readonly probability?: Plane;
  /** Of a field, 0–1; undefined where the network was not asked. */
  readonly inside?: Plane;
  readonly hasNir: boolean;
  readonly method: BoundaryMethod;
}

/** Channels and edge map of some dates. */
export function edgeEvidence(
  dates: readonly NormalisedDate[],
  { networks }: Pick<BoundaryModel, 'networks'>,
  { method = 'network', views = viewsFor(dates.length) }: ProposalOptions,
): EdgeEvidence {
  const [first] = dates;
  if (first === undefined) throw new RangeError('No date to look at.');
  const gradient = meanGradient(dates, first.clear);
  const channels = stackedChannels(dates);
  const hasNir = dates.every((date) => date.hasNir);
  const inputs = method === 'network' ? networkInputs(dates) : undefined;
  if (inputs === undefined) return { channels, edges: gradient, hasNir, method: 'gradient' };
  const opinions = inputs.map((planes) => opinionOf(networks, planes, views));
  const probability = meanProbability(
    dates,
    opinions.map(({ boundary }) => boundary),
  );
  const inside = meanProbability(
    dates,
    opinions.map(({ field }) => field),
  );
  return { channels, edges: edgeMap(gradient, probability), probability, inside, hasNir, method: 'network' };
}

/** Two views of every date, while they fit into three seconds; many dates average errors out by themselves. */
function viewsFor(dates: number): number {
  return dates > mostDatesSeenTwice ? 1 : 2;
}

function networkInputs(dates: readonly NormalisedDate[]): (readonly Plane[])[] | undefined {
  const inputs = dates.flatMap(({ networkInput }) => (networkInput === undefined ? [] : [networkInput]));
  return inputs.length === dates.length ? inputs : undefined;
}

/** That a pixel lies in a field, 0–1; undefined where the network was not asked. */
export function fieldProbabilityAt({ inside }: EdgeEvidence, { row, column }: Pixel): number | undefined {
  return inside?.data[row * inside.width + column];
}
