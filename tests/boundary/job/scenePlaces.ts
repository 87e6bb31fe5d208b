// Places whose scenes are hard to read, and what a Smart Boundary job has seen there.
import type { Position } from '../../../shared/geo/shapes/geoJson.js';
import type { FieldFinding, FieldSearch } from '../../../shared/boundary/job/findField.js';
import { sceneStack } from '../../../shared/boundary/stack/sceneStack.js';
import type { Insight } from '../../../shared/jobs/insight/jobInsight.js';
import { found } from './findings.js';
import { tileAround, writeTile, type Reach, type speckled } from './tileScenes.js';

export const IOWA: Position = [-92.972469, 41.518232];
/** In zone 15, whose border with zone 16 lies 4 km to the east. */
const AT_BORDER: Position = [-90.05, 41.52];

/** One day of a place. */
interface Day {
  readonly date: string;
  readonly epsg: number;
  readonly reach?: Reach;
  readonly hasOffset?: boolean;
}

export interface Place {
  readonly why: string;
  readonly point: Position;
  readonly days: readonly Day[];
}

export const places: readonly Place[] = [
  {
    why: 'in the middle of a tile, one day with the offset of −1000 in its pixels',
    point: IOWA,
    days: [
      { date: '2026-06-03', epsg: 32615 },
      { date: '2026-06-08', epsg: 32615, hasOffset: true },
    ],
  },
  {
    why: "near a tile's edge",
    point: IOWA,
    days: [
      { date: '2026-06-03', epsg: 32615, reach: { east: 60 } },
      { date: '2026-06-08', epsg: 32615, reach: { west: 100 } },
    ],
  },
  {
    why: 'in the overlap of two UTM zones, shown by one zone on one day and by the other on the next',
    point: AT_BORDER,
    days: [
      { date: '2026-06-03', epsg: 32615 },
      { date: '2026-06-05', epsg: 32616, hasOffset: true },
      { date: '2026-06-08', epsg: 32616 },
    ],
  },
];

export type Look = (search: FieldSearch) => Promise<FieldFinding>;

/** As JSON, without ids and the time of the calculation. */
export const told = ({ record }: Insight): string =>
  JSON.stringify(record, (name, value: unknown) =>
    /^(sceneIds|insightId|fieldId|partyId|resourceId|asOf)$/.test(name) ? undefined : value,
  );

/** Looks at the scenes alone, once for each round: both have what a prediction starts from, drawn on the region's grid. */
export function looksAtScenes(seen: unknown[]): Look {
  return ({ grid, scenes, point }) => {
    const stack = sceneStack(grid, scenes);
    const shown = stack.scenes.map(({ sceneIds, bands, ...scene }) => {
      const bytes = Object.entries(bands).map(([band, { buffer }]) => [band, Buffer.from(buffer).toString('base64')]);
      return { ...scene, scl: Buffer.from(scene.scl ?? []).toString('base64'), count: sceneIds.length, bytes };
    });
    seen.push({ grid, point, shown, passed: stack.passed });
    return Promise.resolve(found({ mayGrow: grid.width === 256 }));
  };
}

/** Writes the scenes of a place into the folder of a catalogue. */
export async function writeDays(
  folder: string,
  point: Position,
  days: readonly Day[],
  ground: typeof speckled,
): Promise<void> {
  for (const { date, epsg, reach, hasOffset = false } of days) {
    const grid = tileAround(point, epsg, reach);
    await writeTile(folder, { date, grid, hasOffset, valueOf: ground(grid, date) });
  }
}
