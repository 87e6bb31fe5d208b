import View from 'ol/View.js';
import type { Position } from '../../shared/geo/geoJson.js';
import { fromMercator, groundScaleAt, toMercator } from './mercator.js';
import type { MercatorBox } from './warp.js';

/** Half the side of what `goTo` shows, in metres on the ground. */
const PLACE_M = 500;
const MOVE_MS = 220;
/** CSS pixels left free around what is brought into view. */
const MARGIN = 40;
const NEAREST_M_PER_PIXEL = 0.2;
const FARTHEST_M_PER_PIXEL = 40_000;
/** A small field isn't brought nearer than this. */
const NEAREST_FIT_M_PER_PIXEL = 0.5;
/** Where the map stands before it has anything to show: the whole world. */
const WORLD: MercatorBox = [-16e6, -6e6, 16e6, 10e6];

/** Whether somebody has asked for less motion. */
export const isMotionReduced = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;

/** What part of the world the map shows. */
export class MapCamera {
  readonly view = new View({
    minResolution: NEAREST_M_PER_PIXEL,
    maxResolution: FARTHEST_M_PER_PIXEL,
    enableRotation: false,
  });
  #padding: readonly [top: number, right: number, bottom: number, left: number] = [0, 0, 0, 0];
  #size: readonly number[] | undefined;
  #isMoved = false;
  #fitted: MercatorBox = WORLD;

  /** Somebody has moved the map: from now on nothing else does unless asked. */
  noteMove(): void {
    this.#isMoved = true;
  }

  /** The map is made before what stands around it has its size: what was fitted is fitted again. */
  setSize(size: readonly number[] | undefined): void {
    this.#size = size;
    if (!this.#isMoved) this.#fit(this.#fitted, false);
  }

  setPadding(padding: readonly [top: number, right: number, bottom: number, left: number]): void {
    this.#padding = padding;
    if (!this.#isMoved) this.#fit(this.#fitted, false);
  }

  /** What is in view, in web mercator; undefined while the element has no size. */
  box(): MercatorBox | undefined {
    if (this.#size === undefined || this.#size.includes(0)) return undefined;
    const [west = 0, south = 0, east = 0, north = 0] = this.view.calculateExtent([...this.#size]);
    return [west, south, east, north];
  }

  /** South-west and north-east of what is in view. */
  corners(): readonly [Position, Position] | undefined {
    const box = this.box();
    return box === undefined ? undefined : [fromMercator([box[0], box[1]]), fromMercator([box[2], box[3]])];
  }

  /** Metres on the ground of a CSS pixel in the middle of the view. */
  groundMetresPerPixel(): number {
    return (this.view.getResolution() ?? 1) * groundScaleAt(this.view.getCenter()?.[1] ?? 0);
  }

  /** Brings all fields into view, as long as nobody has moved the map. */
  showAll(box: MercatorBox): void {
    if (!this.#isMoved) this.#fit(box, false);
  }

  /** Brings a box into view because somebody asked for it. @param isAll the map is as unmoved as at first */
  fit(box: MercatorBox, isAll: boolean): void {
    this.#isMoved = !isAll;
    this.#fit(box, true);
  }

  goTo(place: Position): void {
    const [x, y] = toMercator(place);
    const half = PLACE_M / groundScaleAt(y);
    this.fit([x - half, y - half, x + half, y + half], false);
  }

  zoomBy(steps: number): void {
    this.#isMoved = true;
    const zoom = (this.view.getZoom() ?? 0) + steps;
    if (isMotionReduced()) this.view.setZoom(zoom);
    else this.view.animate({ zoom, duration: MOVE_MS });
  }

  #fit(box: MercatorBox, isAnimated: boolean): void {
    if (box[0] > box[2]) return;
    this.#fitted = box;
    if (this.#size === undefined || this.#size.includes(0)) return;
    const [top, right, bottom, left] = this.#padding;
    const padding = [top + MARGIN, right + MARGIN, bottom + MARGIN, left + MARGIN];
    const duration = isAnimated && !isMotionReduced() ? { duration: MOVE_MS } : {};
    this.view.fit([...box], { size: [...this.#size], padding, minResolution: NEAREST_FIT_M_PER_PIXEL, ...duration });
  }
}
