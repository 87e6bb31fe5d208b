import type { BoundaryModel } from './boundaryModel.js';
import type { Pixel } from '../window/chooseDates.js';
import type { Plane } from '../window/gaussian.js';
import { meanGradient, meanOverDates, trustedPixels } from '../window/gradient.js';
import { stackedChannels, type NormalisedDate } from '../window/normalise.js';
import { opinionOf, type Opinion } from './opinion.js';

const mostDatesSeenTwice = 4;

const probabilityWeight = 1.6;
const gradientWeight = 0.15;
const strongestGradient = 2;

/** Where the edges come from: the network, or the gradient alone. */
export type BoundaryMethod = 'network' | 'gradient';

/** Options of the search for edges. */
export interface ProposalOptions {
  /** `gradient` leaves the network out; it is left out anyway where a visible band is missing. */
  readonly method?: BoundaryMethod;
  /** Mirrored views of each date that the network's answer is averaged over, 1–4; by default 2, with many dates 1. */
  readonly views?: number;
}

/** One date and what the network says of it. */
export interface SeenDate {
  readonly date: NormalisedDate;
  readonly opinion: Opinion;
}

/** The channels and edges that the segmentation works on. */
export interface EdgeEvidence {
  /** Empty without the network. */
  readonly seen: readonly SeenDate[];
  readonly channels: readonly Plane[];
  readonly edges: Plane;
  /** Probability of a boundary, 0–1; undefined without the network. */
  readonly probability?: Plane;
  /** Probability of a field, 0–1; undefined without the network. */
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
  if (inputs === undefined) return { seen: [], channels, edges: gradient, hasNir, method: 'gradient' };
  const seen = inputs.map(({ date, planes }) => ({ date, opinion: opinionOf(networks, planes, views) }));
  const trusted = dates.map(({ clear }) => trustedPixels(clear, 1));
  const mean = (planes: readonly Plane[]): Plane =>
    meanOverDates(
      planes.map(({ data }, k) => ({ values: data, trusted: trusted[k] ?? new Uint8Array(0) })),
      first.clear,
    );
  const probability = mean(seen.map(({ opinion }) => opinion.boundary));
  const inside = mean(seen.map(({ opinion }) => opinion.field));
  return { seen, channels, edges: edgeMap(gradient, probability), probability, inside, hasNir, method: 'network' };
}

/** What the watershed floods: 1.6 × boundary probability + 0.15 × gradient (at most 2). */
function edgeMap(gradient: Plane, probability: Plane): Plane {
  const data = gradient.data.map(
    (slope, k) => probabilityWeight * (probability.data[k] ?? 0) + gradientWeight * Math.min(strongestGradient, slope),
  );
  return { ...gradient, data };
}

/** Two views of each date while these take less than three seconds; the mean of many dates has small errors without. */
function viewsFor(dates: number): number {
  return dates > mostDatesSeenTwice ? 1 : 2;
}

/** Undefined where one of the dates lacks a visible band. */
function networkInputs(
  dates: readonly NormalisedDate[],
): { readonly date: NormalisedDate; readonly planes: readonly Plane[] }[] | undefined {
  const inputs = dates.flatMap((date) =>
    date.networkInput === undefined ? [] : [{ date, planes: date.networkInput }],
  );
  return inputs.length === dates.length ? inputs : undefined;
}

/** Probability that a pixel lies in a field, 0–1; undefined without the network. */
export function fieldProbabilityAt({ inside }: EdgeEvidence, { row, column }: Pixel): number | undefined {
  return inside?.data[row * inside.width + column];
}
