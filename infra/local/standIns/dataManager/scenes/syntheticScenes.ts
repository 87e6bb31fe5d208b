import type { SceneImage } from '../../../../../shared/jobs/dataManager/scenes.js';
import { addDays, dayNumber } from '../../../../../shared/kit/validation/calendar.js';
import type { Grid, MapBox } from '../../../../../shared/geo/grid/grid.js';
import { utmGridOf } from '../../../../../shared/geo/grid/projectedBox.js';
import { utmEpsgAt } from '../../../../../shared/geo/grid/utmZone.js';
import { findUtmZone } from '../../../../../shared/geo/grid/utmZone.js';
import type { RenderedScene } from '../../../../../tools/scenes/renderScene.js';
import {
  type LibraryScene,
  sceneImages,
  type SceneLibrary,
  type SceneRaster,
  type SceneSearch,
} from './sceneLibrary.js';

/** What is drawn: a window of one UTM zone on one day. */
export interface RenderOrder {
  readonly grid: Grid;
  readonly date: string;
  /** Share of the sky under cloud, 0–1. */
  readonly cloudFraction: number;
}

export type Render = (order: RenderOrder) => Promise<RenderedScene>;

export interface SyntheticScenesOptions {
  readonly render: Render;
  readonly now: () => Date;
}

/** First day with Sentinel-2 L2A for the whole earth. */
const FIRST_DAY = '2016-11-01';
const DAYS_BETWEEN_PASSES = 5;
/** Every second pass is clear, so that any ten days hold one; the others come round with this cover in percent. */
const COVERS = [35, 8, 92, 60, 20, 78];
const ORIGIN = 'Synthetic farmland; no satellite has seen it.';
/** Drawings kept: the five images of a scene are asked for one after the other. */
const REMEMBERED = 6;

/** The cloud cover in percent of the pass on a day; undefined on days without a pass. */
export function coverOfPass(date: string): number | undefined {
  const number = dayNumber(date) - 2;
  if (number % DAYS_BETWEEN_PASSES !== 0 || date < FIRST_DAY) return undefined;
  const pass = number / DAYS_BETWEEN_PASSES;
  return pass % 2 === 0 ? 0 : (COVERS[((pass - 1) / 2) % COVERS.length] ?? 0);
}

/** Scenes of the whole earth, drawn when they are asked for; a day's pass is there from noon on. */
export function syntheticScenes({ render, now }: SyntheticScenesOptions): SceneLibrary {
  const drawings = new Map<string, Promise<RenderedScene>>();
  const drawingOf = (order: RenderOrder): Promise<RenderedScene> => {
    const key = JSON.stringify(order);
    const known = drawings.get(key);
    if (known !== undefined) return known;
    const drawing = render(order);
    drawing.catch(() => drawings.delete(key));
    drawings.set(key, drawing);
    if (drawings.size > REMEMBERED) drawings.delete(drawings.keys().next().value ?? '');
    return drawing;
  };
  return {
    list: (search) => Promise.resolve(passesOf(search, now())),
    read: async (date, image, region) => rasterOf(utmGridOf(region), { date, image }, drawingOf),
  };
}

function passesOf({ region, from, to }: SceneSearch, now: Date): LibraryScene[] {
  const scenes: LibraryScene[] = [];
  for (let date = from; date <= to && Date.parse(`${date}T12:00:00Z`) <= now.getTime(); date = addDays(date, 1)) {
    const cloudCoverPercent = coverOfPass(date);
    if (cloudCoverPercent === undefined) continue;
    scenes.push({ key: date, date, itemId: itemIdOf(date, region), cloudCoverPercent, images: sceneImages });
  }
  return scenes;
}

function itemIdOf(date: string, region: MapBox): string {
  const zone = findUtmZone(utmEpsgAt([(region[0] + region[2]) / 2, (region[1] + region[3]) / 2]));
  return `S2A_MSIL2A_${date.replaceAll('-', '')}T103021_N0511_R065_T${zone?.number ?? 0}SYN_SYNTHETIC`;
}

async function rasterOf(
  grid: Grid,
  { date, image }: { readonly date: string; readonly image: SceneImage },
  draw: (order: RenderOrder) => Promise<RenderedScene>,
): Promise<SceneRaster | undefined> {
  const cover = coverOfPass(date);
  if (cover === undefined) return undefined;
  const { bands, scl } = await draw({ grid, date, cloudFraction: cover / 100 });
  const data = image === 'SCL' ? scl : bands[image];
  return { grid, pixels: { width: grid.width, height: grid.height, bands: 1, data }, origin: ORIGIN };
}
