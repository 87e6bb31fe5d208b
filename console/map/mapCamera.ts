import View from 'ol/View.js';
import type { Position } from '../../shared/geo/shapes/geoJson.js';
import { fromMercator, groundScaleAt, toMercator } from './mercator.js';
import type { MapPosition } from './mapScene.js';
import { SMALLEST_SIDE } from './outlineStyles.js';
import type { MercatorBox } from './warp.js';

/** Half the side of what `goTo` shows, in metres on the ground. */
const PLACE_M = 500;
const MOVE_MS = 220;
/** CSS pixels that a field in view is away from the edge. */
const EDGE = 4;
/** CSS pixels left free around what is brought into view. */
const MARGIN = 40;
/** Of the shorter side of a small map, margins take no more. */
const MOST_MARGIN = 0.07;
const NEAREST_M_PER_PIXEL = 0.2;
const FARTHEST_M_PER_PIXEL = 40_000;
/** A small field isn't brought nearer than this. */
const NEAREST_FIT_M_PER_PIXEL = 0.5;
/** Where the map stands before it has anything to show: the whole world. */
const WORLD: MercatorBox = [-16e6, -6e6, 16e6, 10e6];

const hasRoom = (size: readonly number[] | undefined): size is readonly number[] =>
  size !== undefined && !size.includes(0);
const sideOf = (box: MercatorBox, axis: 0 | 1): number => (axis === 0 ? box[2] - box[0] : box[3] - box[1]);
const middleOf = (box: MercatorBox, axis: 0 | 1): number => (axis === 0 ? box[0] + box[2] : box[1] + box[3]) / 2;
const isWithin = (box: MercatorBox, outer: MercatorBox): boolean =>
  box[0] >= outer[0] && box[1] >= outer[1] && box[2] <= outer[2] && box[3] <= outer[3];

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
  #isSettled = false;
  #window = '';
  #fitted: MercatorBox = WORLD;

  /** Somebody has moved the map: from now on nothing else does unless asked. */
  noteMove(): void {
    this.#isMoved = true;
  }

  /** True once there is something to show. */
  get isAtFields(): boolean {
    return this.#fitted !== WORLD;
  }

  /** Whether somebody has moved the map. */
  get isMoved(): boolean {
    return this.#isMoved;
  }

  /** The first day is shown: what grows beside the map no longer moves it. */
  settle(): void {
    this.#isSettled = true;
  }

  /**
   * The map is made before what stands around it has its size: what was fitted is fitted again, as it is in another window.
   * Later the place at the upper left stays where it is.
   */
  setSize(size: readonly number[] | undefined): void {
    const before = this.#size;
    this.#size = size;
    const isSameWindow = this.#window === `${innerWidth} ${innerHeight}`;
    this.#window = `${innerWidth} ${innerHeight}`;
    if (this.#isMoved || (this.#isSettled && isSameWindow)) this.#keepCorner(before, size);
    else this.#fit(this.#fitted, false);
  }

  #keepCorner(before: readonly number[] | undefined, size: readonly number[] | undefined): void {
    const centre = this.view.getCenter();
    if (centre === undefined || !hasRoom(before) || !hasRoom(size)) return;
    const resolution = this.view.getResolution() ?? 0;
    const [across, down] = [0, 1].map((axis) => (((size[axis] ?? 0) - (before[axis] ?? 0)) / 2) * resolution);
    this.view.setCenter([(centre[0] ?? 0) + (across ?? 0), (centre[1] ?? 0) - (down ?? 0)]);
  }

  setPadding(padding: readonly [top: number, right: number, bottom: number, left: number]): void {
    this.#padding = padding;
    if (!this.#isMoved) this.#fit(this.#fitted, false);
  }

  /** What is in view, in web mercator; undefined while the element has no size. */
  box(): MercatorBox | undefined {
    if (!hasRoom(this.#size)) return undefined;
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

  /**
   * Brings a box into view, nearer or farther only where it would be a dot or would not fit; what is in view stays where it
   * is.
   */
  reveal(box: MercatorBox): void {
    const free = this.#freeBox();
    if (free === undefined || box[0] > box[2]) return;
    const longer = Math.max(sideOf(box, 0), sideOf(box, 1));
    const isDot = longer < SMALLEST_SIDE * (this.view.getResolution() ?? 0);
    if (isWithin(box, free) && !isDot) return;
    this.#isMoved = true;
    const hasRoomFor = sideOf(box, 0) <= sideOf(free, 0) && sideOf(box, 1) <= sideOf(free, 1);
    if (isDot || !hasRoomFor) this.#fit(box, true);
    else this.#shiftTo(box, free);
  }

  #shiftTo(box: MercatorBox, free: MercatorBox): void {
    const [x = 0, y = 0] = this.view.getCenter() ?? [];
    const center = [x + middleOf(box, 0) - middleOf(free, 0), y + middleOf(box, 1) - middleOf(free, 1)];
    if (isMotionReduced()) this.view.setCenter(center);
    else this.view.animate({ center, duration: MOVE_MS });
  }

  /** What of the view no panel covers. */
  #freeBox(): MercatorBox | undefined {
    const box = this.box();
    if (box === undefined) return undefined;
    const resolution = this.view.getResolution() ?? 0;
    const [top, right, bottom, left] = this.#padding;
    const covered = (pixels: number): number => (pixels + EDGE) * resolution;
    return [box[0] + covered(left), box[1] + covered(bottom), box[2] - covered(right), box[3] - covered(top)];
  }

  /** Where the map is. */
  position(): MapPosition {
    const [x = 0, y = 0] = this.view.getCenter() ?? [];
    return { centre: fromMercator([x, y]), metresPerPixel: this.groundMetresPerPixel() };
  }

  setPosition({ centre, metresPerPixel }: MapPosition): void {
    const [x, y] = toMercator(centre);
    this.#isMoved = true;
    this.#fitted = [x, y, x, y];
    this.view.setCenter([x, y]);
    this.view.setResolution(metresPerPixel / groundScaleAt(y));
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
    if (!hasRoom(this.#size)) return;
    const [top, right, bottom, left] = this.#padding;
    const margin = Math.min(MARGIN, Math.min(...this.#size) * MOST_MARGIN);
    const padding = [top + margin, right + margin, bottom + margin, left + margin];
    const duration = isAnimated && !isMotionReduced() ? { duration: MOVE_MS } : {};
    // A move that is under way would end elsewhere.
    this.view.cancelAnimations();
    this.view.fit([...box], { size: [...this.#size], padding, minResolution: NEAREST_FIT_M_PER_PIXEL, ...duration });
  }
}
