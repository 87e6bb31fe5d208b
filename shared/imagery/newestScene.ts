import type { Clock } from '../kit/clock.js';
import type { DataManagerScene } from '../jobs/dataManager/scenes.js';
import { commonFaults } from '../kit/errors/catalogue.js';
import { ServiceError } from '../kit/errors/serviceError.js';
import { fileOfPath } from '../scenes/library/sceneFile.js';
import type { SceneLibrary } from '../scenes/library/sceneLibrary.js';
import { sceneRegionOf } from '../scenes/library/sceneRegion.js';
import type { Position } from '../geo/shapes/geoJson.js';
import { CatalogueError } from '../scenes/stac/catalogueError.js';
import { limiter } from '../kit/limiter.js';
import { RasterError } from '../raster/tiff/rasterError.js';
import { RecentMap } from '../kit/recentMap.js';
import { passKey } from '../boundary/stack/chosenScenes.js';
import { scenePicture } from '../boundary/stack/scenePicture.js';
import { sceneStack, type SceneFiles } from '../boundary/stack/sceneStack.js';
import { searchRegion, type SearchRegion } from '../boundary/stack/searchRegion.js';
import { addDays } from '../kit/validation/calendar.js';

/** The ground around a place as a satellite has seen it last. */
export interface NewestScene {
  /** UTC day of the acquisition. */
  readonly date: string;
  /** A Cloud Optimized GeoTIFF of red, green and blue, 2.56 km a side. */
  readonly geoTiff: Uint8Array;
}

interface NewestScenePorts {
  readonly scenes: Pick<SceneLibrary, 'list' | 'read'>;
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
const VISIBLE = ['B04', 'B03', 'B02'] as const;

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
    const region = searchRegion(place, 0);
    const days = { from: addDays(today, -DAYS), to: today };
    const listed = await ports.scenes.list(sceneRegionOf(region.polygon), days, signal);
    const best = bestOf(listed);
    return best === undefined ? undefined : await pictureOf(ports, { region, pass: passOf(listed, best), signal });
  } catch (cause) {
    if (!(cause instanceof CatalogueError || cause instanceof RasterError || signal.aborted)) throw cause;
    const text = 'The catalogue of satellite scenes can’t be read now; ask again later.';
    throw new ServiceError(commonFaults.unavailable, text, { cause });
  }
}

const cloudsIn = ({ cloudCoverPercent = 100 }: DataManagerScene): number => cloudCoverPercent;

/** @param scenes newest first */
function bestOf(scenes: readonly DataManagerScene[]): DataManagerScene | undefined {
  const [clearest] = scenes.toSorted((one, other) => cloudsIn(one) - cloudsIn(other));
  const newest = scenes.find((scene) => cloudsIn(scene) <= FEW_CLOUDS);
  return newest ?? (clearest !== undefined && cloudsIn(clearest) <= MOST_CLOUDS ? clearest : undefined);
}

/** The scenes of the same pass, of which each may show a part of the ground. */
const passOf = (scenes: readonly DataManagerScene[], best: DataManagerScene): readonly DataManagerScene[] =>
  scenes.filter((scene) => passKey(scene) === passKey(best));

interface Pass {
  readonly region: SearchRegion;
  readonly pass: readonly DataManagerScene[];
  readonly signal: AbortSignal;
}

async function pictureOf(ports: NewestScenePorts, { region, pass, signal }: Pass): Promise<NewestScene | undefined> {
  const files = await Promise.all(pass.map((scene) => filesOf(ports, scene, signal)));
  const { scenes } = await sceneStack(region.grid, files);
  const uses = scenes.map(({ date, sceneIds }) => ({ date, sceneIds, clearFraction: 1, isUsed: true }));
  const picture = await scenePicture({ grid: region.grid, scenes, uses });
  return picture && { date: picture.date, geoTiff: picture.geoTiff };
}

async function filesOf(
  { scenes }: Pick<NewestScenePorts, 'scenes'>,
  { id, date, itemId, files }: DataManagerScene,
  signal: AbortSignal,
): Promise<SceneFiles> {
  const images: Partial<Record<(typeof VISIBLE)[number], Uint8Array>> = {};
  for (const name of VISIBLE) {
    const file = fileOfPath(files.find((each) => each.name === name)?.filePath ?? '');
    const bytes = file && (await scenes.read(file, signal));
    if (bytes !== undefined) images[name] = bytes;
  }
  return { id, date, ...(itemId === undefined ? {} : { itemId }), images };
}
