import type OlMap from 'ol/Map.js';
import type { Position } from '../../shared/geo/shapes/geoJson.js';
import { loadChunk } from '../parts/loadChunk.js';
import { units } from '../parts/units.js';
import type { BaseLayer } from './base/baseLayer.js';
import type { MapColours } from './mapColours.js';
import type { MapPosition } from './mapScene.js';

/** The built-in base of a map without tiles. It is loaded when it is asked for, and without it a map is a map. */
export class BaseOnMap {
  readonly #map: OlMap;
  readonly #colours: () => MapColours;
  readonly #onText: (text: string) => void;
  #isAsked = false;
  #layer: BaseLayer | undefined;
  #tell: ((centre: Position, metresPerPixel: number) => void) | undefined;
  #endUnits: (() => void) | undefined;

  /** @param onText told what stands in a corner of the map: where it is, and whose work the base is */
  constructor(map: OlMap, colours: () => MapColours, onText: (text: string) => void) {
    [this.#map, this.#colours, this.#onText] = [map, colours, onText];
  }

  show(): void {
    if (this.#isAsked) return;
    this.#isAsked = true;
    this.#load().catch(() => {
      this.#isAsked = false;
    });
  }

  async #load(): Promise<void> {
    const [map, onText] = [this.#map, this.#onText];
    const [{ BaseLayer, BASE_CREDIT, NEAREST_LINES, loadBase }, { nearestText }] = await Promise.all([
      loadChunk('baseLayer', () => import('./base/baseLayer.js')),
      loadChunk('nearestPlace', () => import('./base/nearestPlace.js')),
    ]);
    const data = await loadBase();
    if (map.getTarget() === undefined) return;
    this.#layer = new BaseLayer(data, this.#colours());
    map.addLayer(this.#layer);
    let last: readonly [Position, number] | undefined;
    const told = (): void => {
      const [centre, metresPerPixel] = last ?? [];
      // Where lines tell the place, words need not.
      const isNear = metresPerPixel !== undefined && metresPerPixel < NEAREST_LINES;
      const near = isNear && centre !== undefined ? nearestText(data.places, centre, units.value) : undefined;
      onText(near === undefined ? BASE_CREDIT : `${near} · ${BASE_CREDIT}`);
    };
    this.#tell = (...place) => {
      last = place;
      told();
    };
    this.#endUnits = units.subscribe(told);
    // The end of a move tells where the map is.
    map.dispatchEvent('moveend');
  }

  /** The map is somewhere else. */
  moved({ centre, metresPerPixel }: MapPosition): void {
    this.#tell?.(centre, metresPerPixel);
  }

  restyle(): void {
    this.#layer?.setColours(this.#colours());
  }

  end(): void {
    this.#endUnits?.();
    this.#tell = undefined;
  }
}
