import type { Clock } from '../kit/clock.js';
import { commonFaults } from '../kit/errors/catalogue.js';
import { ServiceError } from '../kit/errors/serviceError.js';
import { dayOfScene } from '../scenes/item/scene.js';
import type { RegionScene, Scenes } from '../scenes/library/sceneLibrary.js';
import { sceneRegionOf, type SceneRegion } from '../scenes/library/sceneRegion.js';
import type { Position } from '../geo/shapes/geoJson.js';
import { CatalogueError } from '../scenes/stac/catalogueError.js';
import { limiter } from '../kit/limiter.js';
import { RasterError } from '../raster/tiff/rasterError.js';
import { RecentMap } from '../kit/recentMap.js';
import { scenePicture } from '../boundary/stack/scenePicture.js';
import { sceneStack, type ReadScene } from '../boundary/stack/sceneStack.js';
import { searchRegion } from '../boundary/stack/searchRegion.js';
import type { Grid } from '../geo/grid/grid.js';
import { addDays } from '../kit/validation/calendar.js';

/** The ground around a place as a satellite has seen it last. */
export interface NewestScene {
  /** UTC day of the acquisition. */
  readonly date: string;
  /** A Cloud Optimized GeoTIFF of red, green and blue, 2.56 km a side. */
  readonly geoTiff: Uint8Array;
}

interface NewestScenePorts {
  readonly scenes: Scenes;
  readonly clock: Clock;
}

/** The satellites come by every five days, two times of which most places are clear. */
const DAYS = 20;
/** The newest scene with at most so many clouds, percent of its pixels; else the clearest, if it shows enough. */
const [FEW_CLOUDS, MOST_CLOUDS] = [20, 60];
/** Places in one square of this many degrees, 1 km, have one picture. */
const SQUARE = 0.01;
/** Pictures kept, 300 KB each at most. */
const KEPT = 40;
/** Scenes that a process looks for at the same time; others wait. */
const CONCURRENT = 2;
/** A person waits for it. */
const LIMIT_MS = 40_000;
const VISIBLE = ['red', 'green', 'blue'] as const;

/**
 * Finds the newest scene around a place: for one who draws a field, before there is any picture of it.
 *
 * Places near each other share a picture; each is looked for once a day in a process, whoever asks.
 *
 * @throws ServiceError 404 where there is none, 503 when the catalogue or its files are away
 */
export function newestScene(ports: NewestScenePorts): (place: Position) => Promise<NewestScene> {
  const known = new RecentMap<Promise<NewestScene | undefined>>(KEPT);
  const running = limiter(CONCURRENT);
  return async (place) => {
    const middle = squareOf(place);
    const today = ports.clock.now().toISOString().slice(0, 10);
    const key = `${middle.join(' ')} ${today}`;
    const finding = known.get(key) ?? running(() => find(ports, middle, today));
    known.use(key, finding);
    // A failure is nobody's answer but theirs who wait: the next one looks again.
    finding.catch(() => {
      known.drop(key);
    });
    const found = await finding;
    if (found !== undefined) return found;
    throw new ServiceError(commonFaults.notFound, `No scene of the last ${DAYS} days shows this place free of clouds.`);
  };
}

const squareOf = (place: Position): Position => {
  const [longitude, latitude] = place.map((degrees) => Math.round(degrees / SQUARE) * SQUARE) as [number, number];
  return [longitude, latitude];
};

async function find(ports: NewestScenePorts, place: Position, today: string): Promise<NewestScene | undefined> {
  const signal = AbortSignal.timeout(LIMIT_MS);
  try {
    const { grid, box } = searchRegion(place, 0);
    const region = sceneRegionOf(box);
    const days = { from: addDays(today, -DAYS), to: today };
    const listed = await ports.scenes.scenesOf(region, days, signal);
    const best = bestOf(listed);
    if (best === undefined) return undefined;
    // Each scene of the same pass may show a part of the ground.
    const pass = listed.filter((scene) => scene.pass === best.pass);
    return await pictureOf(ports, { grid, region, pass, signal });
  } catch (cause) {
    if (!(cause instanceof CatalogueError || cause instanceof RasterError || signal.aborted)) throw cause;
    const text = 'The catalogue of satellite scenes can’t be read now; ask again later.';
    throw new ServiceError(commonFaults.unavailable, text, { cause });
  }
}

const cloudsIn = ({ cloudPercent = 100 }: RegionScene): number => cloudPercent;

/** @param scenes newest first */
function bestOf(scenes: readonly RegionScene[]): RegionScene | undefined {
  const [clearest] = scenes.toSorted((one, other) => cloudsIn(one) - cloudsIn(other));
  const newest = scenes.find((scene) => cloudsIn(scene) <= FEW_CLOUDS);
  return newest ?? (clearest !== undefined && cloudsIn(clearest) <= MOST_CLOUDS ? clearest : undefined);
}

interface Pass {
  readonly grid: Grid;
  readonly region: SceneRegion;
  readonly pass: readonly RegionScene[];
  readonly signal: AbortSignal;
}

async function pictureOf(
  { scenes: from }: Pick<NewestScenePorts, 'scenes'>,
  { grid, region, pass: all, signal }: Pass,
): Promise<NewestScene | undefined> {
  const reading = all.map(async ({ scene, pass }): Promise<ReadScene> => {
    const cuts = await from.cutsOf(scene, VISIBLE, region, signal);
    return { id: scene.id, date: dayOfScene(scene), pass, cuts };
  });
  const { scenes } = sceneStack(grid, await Promise.all(reading));
  const uses = scenes.map(({ date, sceneIds }) => ({ date, sceneIds, clearFraction: 1, isUsed: true }));
  const picture = await scenePicture({ grid, scenes, uses });
  return picture && { date: picture.date, geoTiff: picture.geoTiff };
}
