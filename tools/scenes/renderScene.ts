import { classified } from './classification.js';
import { coverOf } from './cover.js';
import type { Cover } from './cover.js';
import { Farmland } from './farmland.js';
import type { FarmlandOptions } from './farmland.js';
import type { SceneDay } from './fieldLook.js';
import { painted } from './paint.js';
import type { Palette } from './palette.js';
import { hashOf, hashOfText } from './random.js';
import { pixelM, sampleGridOf, sensed } from './sensor.js';
import { airOver, seenThrough } from './sight.js';
import type { PixelGrid } from './sight.js';
import { weatherOn } from './weather.js';

export interface SceneOptions {
  /** Share of the sky under cloud, 0–1; drawn from the date when absent. */
  readonly cloudFraction?: number;
  /** Width of the sensor's spot, default 6.5 m. */
  readonly sigmaM?: number;
  /** Standard deviation of the sensor's noise, reflectance, default 0.001. */
  readonly noise?: number;
  /** How uneven fields are within, default 1. */
  readonly roughness?: number;
  /** How much parts of a field differ from the rest, default 1. */
  readonly contrast?: number;
  /** Crops and patterns that take the calendar's place. */
  readonly palette?: Palette;
}

/** What a satellite would have seen: synthetic, but consistent over windows and dates. */
export interface RenderedScene {
  /** Reflectance × 10000, at least 1, [row][column]. */
  readonly bands: Readonly<Record<'B02' | 'B03' | 'B04' | 'B08', Uint16Array>>;
  /** Scene classification in the classes of Sentinel-2 L2A, constant over 20 m squares. */
  readonly scl: Uint8Array;
  /** Share of cloud (classes 8, 9, 10) in the window, 0–1. */
  readonly cloudFraction: number;
}

/** Synthetic scenes of one country; fields and their crops stay, day by day they grow and clouds pass. */
export class SceneRenderer {
  readonly farmland: Farmland;
  readonly #epsg: number;
  #ground: { readonly key: string; readonly cover: Cover } | undefined;

  /** @param epsg a UTM zone, 326xx or 327xx; zones of the south are half a year ahead */
  constructor(epsg: number, options: FarmlandOptions = {}) {
    this.farmland = new Farmland(epsg, options);
    this.#epsg = epsg;
  }

  /** The ground of a window; the last one is kept, for several dates of one window follow one another. */
  coverOf(window: PixelGrid): Cover {
    const key = [window.originX, window.originY, window.width, window.height].join();
    if (this.#ground?.key !== key) this.#ground = { key, cover: coverOf(this.farmland, sampleGridOf(window)) };
    return this.#ground.cover;
  }

  /** @param date YYYY-MM-DD */
  render(window: PixelGrid, date: string, options: SceneOptions = {}): RenderedScene {
    const { seed } = this.farmland;
    const cover = this.coverOf(window);
    const { roughness = 1, contrast = 1, palette } = options;
    const day = { ...dayOf(this.#epsg, date), roughness, contrast, palette };
    const ground = sensed(painted(cover, seed, day), cover.grid, options.sigmaM ?? 6.5);
    const weather = weatherOn(seed, date, options.cloudFraction);
    const noise = { seed: hashOf(seed, hashOfText(date), 90), sigma: options.noise ?? 0.001 };
    const sight = { weather, air: airOver(weather, window, pixelM), noise };
    const seen = (band: 0 | 1 | 2 | 3): Uint16Array => seenThrough(ground[band], band, window, sight);
    const scl = classified({ cover, red: ground[2], nir: ground[3] }, window, weather);
    return {
      bands: { B02: seen(0), B03: seen(1), B04: seen(2), B08: seen(3) },
      scl,
      cloudFraction: scl.filter((value) => value >= 8 && value <= 10).length / scl.length,
    };
  }
}

const renderers = new Map<number, SceneRenderer>();

function rendererOf(epsg: number): SceneRenderer {
  const renderer = renderers.get(epsg) ?? new SceneRenderer(epsg);
  renderers.set(epsg, renderer);
  return renderer;
}

/** Renders a window of the standard country of a UTM zone. */
export function renderScene(
  { epsg, date, ...window }: PixelGrid & { readonly epsg: number; readonly date: string },
  options: SceneOptions = {},
): RenderedScene {
  return rendererOf(epsg).render(window, date, options);
}

/** The standard country of a UTM zone, to ask it for its fields. */
export function farmlandOf(epsg: number): Farmland {
  return rendererOf(epsg).farmland;
}

/** Year and day of the year; half a year ahead in the zones of the south. */
function dayOf(epsg: number, date: string): Pick<SceneDay, 'year' | 'day'> {
  const year = Number(date.slice(0, 4));
  const day = (Date.parse(`${date}T00:00:00Z`) - Date.UTC(year, 0, 1)) / 86_400_000 + 1;
  return { year, day: epsg > 32700 ? ((day + 182) % 365) + 1 : day };
}
