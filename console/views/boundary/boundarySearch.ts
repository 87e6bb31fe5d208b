import type { Polygon, Position } from '../../../shared/geo/shapes/geoJson.js';
import { polygonAreaHa } from '../../../shared/geo/grid/polygonArea.js';
import { callJson } from '../../api/client.js';
import { readInsightFile } from '../../api/insights.js';
import { createJob, followJob, type JobState } from '../../api/jobs.js';
import type { GroundPicture } from '../../map/mapScene.js';
import type { FarmIds } from './recentFarms.js';

/** The part of a Smart Boundary insight that the page shows. */
export interface FoundBoundary {
  readonly boundary: Polygon;
  readonly areaHectares: number;
  readonly confidence: number;
  readonly confidenceClass: 'low' | 'medium' | 'high';
  readonly touchesSearchRegion: boolean;
  /** The day of the scene that the insight keeps a picture of; absent where it keeps none. */
  readonly picture?: { readonly date: string };
  readonly alternatives: readonly {
    readonly boundary: Polygon;
    readonly areaHectares: number;
    readonly confidence: number;
    /** How it lies to the boundary; absent in insights of before. */
    readonly reading?: Exclude<Reading, 'found'>;
  }[];
}

/** What an outline is of the place: the likeliest field, a part of it, one around it, or something else. */
export type Reading = 'found' | 'part' | 'larger' | 'other';

/** What is looked for. */
export interface BoundaryQuestion extends FarmIds {
  readonly place: Position;
  readonly from: string;
  readonly to: string;
}

/** One reading of the place. */
export interface Candidate {
  readonly id: string;
  readonly reading: Reading;
  readonly geometry: Polygon;
  readonly areaHa: number;
  /** Undefined once people have changed the edge: nobody has estimated that. */
  readonly confidence: number | undefined;
}

/** Everything that was found, the likeliest first. */
export function candidatesOf({
  boundary,
  areaHectares,
  confidence,
  alternatives,
}: FoundBoundary): readonly Candidate[] {
  const all = [{ boundary, areaHectares, confidence, reading: 'found' as const }, ...alternatives];
  return all.map((one, index) => ({
    id: String(index),
    reading: one.reading ?? 'other',
    geometry: one.boundary,
    areaHa: one.areaHectares,
    confidence: one.confidence,
  }));
}

/** A candidate whose edge was dragged. */
export const adjusted = (candidate: Candidate, geometry: Polygon): Candidate => ({
  ...candidate,
  geometry,
  areaHa: polygonAreaHa(geometry),
  confidence: undefined,
});

const READINGS: Readonly<Record<Reading, string>> = {
  found: 'Likeliest field',
  part: 'A part of it',
  larger: 'With what adjoins it',
  other: 'Another field',
};

/** A reading in a word or two. */
export const readingWord = (reading: Reading): string => READINGS[reading];

const CLASSES = [
  { from: 0.75, name: 'High' },
  { from: 0.55, name: 'Medium' },
  { from: 0, name: 'Low' },
];

/** The word for a confidence, by the service's own limits. */
export const confidenceWord = (confidence: number): string =>
  CLASSES.find(({ from }) => confidence >= from)?.name ?? 'Low';

/**
 * Asks for the boundary at a place and waits for it.
 *
 * @throws ApiError, or an AbortError
 */
export async function findBoundary(
  { partyId, farmId, place: [longitude, latitude], from, to }: BoundaryQuestion,
  follow: { readonly onState: (job: JobState) => void; readonly signal: AbortSignal },
): Promise<{ readonly job: JobState; readonly found?: FoundBoundary }> {
  const created = await createJob('smartBoundary', {
    partyId,
    resourceType: 'Farm',
    resourceId: farmId,
    imageStartDate: from,
    imageEndDate: to,
    pointOnSurface: { longitude, latitude },
  });
  const job = await followJob('smartBoundary', created, follow);
  if (job.insightId === undefined) return { job };
  const found = await callJson<FoundBoundary>({
    path: `/v1/insights/${job.insightId}`,
    as: 'token',
    signal: follow.signal,
  });
  return { job, found };
}

/** The ground as the job saw it. @throws ApiError */
export async function readScene(insightId: string, signal: AbortSignal): Promise<GroundPicture> {
  const file = await readInsightFile(insightId, 'image/tiff', signal);
  return { path: `insights/${insightId}`, bytes: await file.arrayBuffer() };
}
