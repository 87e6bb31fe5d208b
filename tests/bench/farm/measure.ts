/** What the measurements of farm data share. */
import { randomUUID } from 'node:crypto';
import type { FarmInsightStore } from '../../../shared/farm/insights/insightStore.js';
import type { LandKey } from '../../../shared/farm/land/land.js';
import type { LandStore } from '../../../shared/farm/land/landStore.js';
import type { PutLandPorts } from '../../../shared/farm/operations/putLand.js';
import type { RemoveLandPorts } from '../../../shared/farm/operations/removeLand.js';

/** Storage filled with land, and what is counted of it. */
export interface FarmBench extends PutLandPorts, RemoveLandPorts {
  /** Where the rows lie, in words. */
  readonly where: string;
  readonly land: LandStore;
  readonly insights: FarmInsightStore;
  readonly tenant: string;
  /** Parties with a hundred fields each. */
  readonly parties: readonly string[];
  /** A party with a thousand fields in a grid. */
  readonly large: string;
  /** A process that has seen nothing yet. */
  readonly fresh: () => LandStore;
  /** Operations of storage so far. */
  readonly operations: () => number;
  /** One read of a row as the client library makes it; absent where times mean nothing. */
  readonly rawRead?: () => Promise<unknown>;
}

/** One measured thing. A further one is a file of its own, named in `farm.ts`. */
export interface FarmMeasure {
  readonly what: string;
  /** Most operations of a call; undefined where nothing is promised. */
  readonly most?: number;
  /** Makes what a call needs, uncounted. @returns the call */
  readonly prepare: (bench: FarmBench, round: number) => Promise<() => Promise<unknown>>;
}

export const by = 'bench';
export const fieldOf = ({ tenant }: FarmBench, partyId: string, id: string): LandKey => ({
  ...{ kind: 'field', tenant, partyId, id },
});
export const partyIn = ({ parties }: FarmBench, round: number): string => parties[round % parties.length] ?? '';
export const newField = (bench: FarmBench, round: number): LandKey =>
  fieldOf(bench, partyIn(bench, round), randomUUID());

/** A square of 100 m in a grid of a thousand. */
export function squareOf(index: number) {
  const [west, south] = [10 + (index % 40) / 500, 50 + Math.floor(index / 40) / 500];
  const [east, north] = [west + 0.0014, south + 0.0009];
  const ring = [
    ...[[west, south], [east, south], [east, north], [west, north]], // prettier-ignore
    [west, south],
  ];
  return { type: 'Polygon', coordinates: [ring] };
}
