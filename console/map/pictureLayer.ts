import Layer from 'ol/layer/Layer.js';
import type { FrameState } from 'ol/Map.js';
import { frameOn, isInFrame, pixelAt, type Frame } from './frame.js';
import { drawGroundGrid } from './groundGrid.js';
import type { MapColours } from './mapColours.js';
import type { Picture } from './picture.js';
import type { PictureStore } from './pictureStore.js';
import type { DayOnMap, FieldDay } from './mapScene.js';
import { insideOf, type FieldOnMap } from './fieldsOnMap.js';

/** Everything a drawing depends on. */
export interface PictureView {
  readonly colours: MapColours;
  readonly hasTiles: boolean;
  readonly fields: readonly FieldOnMap[];
  readonly day: DayOnMap | undefined;
  readonly left: DayOnMap | undefined;
  /** Path of the picture below the fields. */
  readonly ground: string | undefined;
  /** 0 to 1 */
  readonly opacity: number;
  /** 0 to 1, from the left */
  readonly divider: number;
}

const HATCH_SPACING = 7;
/** A picture that comes at once needs no bar. */
const SLOW_MS = 400;
/** Pictures that come within this time are painted together: each painting is one of all fields. */
const TOGETHER_MS = 120;
/** The longer pictures have been coming, the more are painted together; never later than this after the ones before. */
const LATEST_MS = 1000;

/** A frame's side of the divider. */
interface Side {
  readonly day: DayOnMap;
  readonly from: number;
  readonly to: number;
}

function sidesOf({ day, left, divider }: PictureView, width: number): readonly Side[] {
  if (day === undefined) return [];
  const at = left === undefined ? 0 : divider * width;
  const right = { day, from: at, to: width };
  return left === undefined ? [right] : [{ day: left, from: 0, to: at }, right];
}

/** Adds a field's rings to the path. */
function trace(frame: Frame, { rings }: FieldOnMap): void {
  frame.context.beginPath();
  for (const ring of rings) {
    ring.forEach(([x, y], index) => {
      const [across, down] = pixelAt(frame, x, y);
      if (index === 0) frame.context.moveTo(across, down);
      else frame.context.lineTo(across, down);
    });
    frame.context.closePath();
  }
}

/** Slanted lines that stay where they are on the ground while the map is moved. */
function hatch(frame: Frame, field: FieldOnMap, colour: string): void {
  const { context } = frame;
  const [left, bottom] = pixelAt(frame, field.box[0], field.box[1]);
  const [right, top] = pixelAt(frame, field.box[2], field.box[3]);
  context.save();
  trace(frame, field);
  context.clip('evenodd');
  context.beginPath();
  const height = bottom - top;
  for (let x = left - height; x < right; x += HATCH_SPACING) {
    context.moveTo(x, bottom);
    context.lineTo(x + height, top);
  }
  context.strokeStyle = colour;
  context.lineWidth = 1.25;
  context.stroke();
  context.restore();
}

/** A short bar that runs to and fro inside the field, cut at its edge; one that stands for those who want no motion. */
function drawBusy(frame: Frame, field: FieldOnMap, colours: MapColours, isStill: boolean): void {
  const { context, time } = frame;
  const [x, y] = pixelAt(frame, ...insideOf(field));
  const swing = isStill ? 0.5 : 0.5 + 0.5 * Math.sin(time / 250);
  context.save();
  trace(frame, field);
  context.clip('evenodd');
  context.fillStyle = colours.halo;
  context.fillRect(x - 17, y - 3, 34, 6);
  context.fillStyle = colours.busy;
  context.fillRect(x - 16 + swing * 20, y - 2, 12, 4);
  context.restore();
}

function drawPicture(frame: Frame, { image, box }: Picture, opacity: number): void {
  const { context } = frame;
  const [left, top] = pixelAt(frame, box[0], box[3]);
  const [right, bottom] = pixelAt(frame, box[2], box[1]);
  context.globalAlpha = opacity;
  context.imageSmoothingEnabled = false;
  context.drawImage(image, left, top, right - left, bottom - top);
  context.globalAlpha = 1;
}

/** The layer that paints the pictures, hatches what has none, and draws the grid below. */
export class PictureLayer extends Layer {
  /** OpenLayers draws lines into a canvas that it is given, and this one is painted without them: they get their own. */
  readonly #element = document.createElement('div');
  readonly #canvas = this.#element.appendChild(document.createElement('canvas'));
  readonly #store: PictureStore;
  readonly #isStill = matchMedia('(prefers-reduced-motion: reduce)').matches;
  #view: PictureView;
  #state: FrameState | undefined;
  #slowFrom = 0;
  #painted = 0;
  #awaitedFrom = 0;
  #again: ReturnType<typeof setTimeout> | undefined;
  #repaint: number | undefined;

  constructor(store: PictureStore, view: PictureView) {
    super({});
    this.#store = store;
    this.#view = view;
    this.#element.className = 'map-pictures';
    for (const { style } of [this.#element, this.#canvas]) {
      style.position = 'absolute';
      style.inset = '0';
    }
  }

  get view(): PictureView {
    return this.#view;
  }

  /** Replaces parts of what is drawn; another day starts the wait for slow pictures anew. */
  update(changes: Partial<PictureView>): void {
    this.#view = { ...this.#view, ...changes };
    if (changes.day !== undefined) this.#slowFrom = performance.now() + SLOW_MS;
    this.repaint();
  }

  /** Paints this layer alone with the next frame: the lines and names above stay as they are. */
  repaint(): void {
    this.#repaint ??= requestAnimationFrame(() => {
      this.paint();
    });
  }

  /** Other pictures are asked for: the first to come are painted soon. */
  awaitPictures(): void {
    this.#awaitedFrom = performance.now();
  }

  /**
   * Paints what has come meanwhile, together with what comes right after it: after twice, four times, eight times as long.
   * However long they take, and however many they are, there are few paintings.
   */
  repaintSoon(): void {
    const together = Math.min(LATEST_MS, Math.max(TOGETHER_MS, this.#painted - this.#awaitedFrom));
    const left = this.#painted + together - performance.now();
    if (left > 0) this.#paintAgain(left);
    else this.repaint();
  }

  /** Paints this layer at once, as the map stands. */
  paint(): void {
    this.#painted = performance.now();
    if (this.#repaint !== undefined) cancelAnimationFrame(this.#repaint);
    this.#repaint = undefined;
    const frame = this.#state === undefined ? undefined : frameOn(this.#canvas, this.#state);
    if (frame === undefined) return;
    if (!this.#view.hasTiles) drawGroundGrid(frame, this.#view.colours);
    const ground = this.#view.ground === undefined ? undefined : this.#store.find(this.#view.ground);
    if (ground !== undefined) drawPicture(frame, ground, 1);
    const fields = this.#view.fields.filter(({ box }) => isInFrame(frame, box));
    for (const side of sidesOf(this.#view, frame.width)) this.#drawSide(frame, side, fields);
  }

  override render(state: FrameState | null): HTMLElement {
    this.#state = state ?? undefined;
    this.paint();
    return this.#element;
  }

  #drawSide(frame: Frame, side: Side, fields: readonly FieldOnMap[]): void {
    const { context, height } = frame;
    context.save();
    context.beginPath();
    context.rect(side.from, 0, side.to - side.from, height);
    context.clip();
    for (const field of fields) this.#drawField(frame, field, side.day);
    context.restore();
  }

  #drawField(frame: Frame, field: FieldOnMap, { layer: name, fields }: DayOnMap): void {
    const shown = fields.get(field.id);
    if (shown === undefined) return;
    const path = pathOf(shown, name);
    const isMissing = path === undefined || this.#store.faultOf(path) !== undefined;
    if (isMissing) {
      hatch(frame, field, this.#view.colours.hatch);
      return;
    }
    const picture = this.#store.find(path);
    if (picture === undefined) this.#waitFor(frame, field);
    else drawPicture(frame, picture, this.#view.opacity);
  }

  #waitFor(frame: Frame, field: FieldOnMap): void {
    const left = this.#slowFrom - performance.now();
    if (left <= 0) drawBusy(frame, field, this.#view.colours, this.#isStill);
    if (left > 0 || !this.#isStill) this.#paintAgain(Math.max(0, left));
  }

  /** Paints once more, for what has become slow, or moves. */
  #paintAgain(afterMs: number): void {
    if (this.#again !== undefined) return;
    this.#again = setTimeout(() => {
      this.#again = undefined;
      this.repaint();
    }, afterMs);
  }

  override disposeInternal(): void {
    clearTimeout(this.#again);
    if (this.#repaint !== undefined) cancelAnimationFrame(this.#repaint);
    super.disposeInternal();
  }
}

/** The picture's path, when the field has this layer on this day. */
export function pathOf(day: FieldDay | undefined, name: DayOnMap['layer']): string | undefined {
  return day?.state === 'picture' ? day.pictures[name] : undefined;
}

/** The field whose picture has this path, on either day. */
export const fieldWith = ({ day, left, fields }: PictureView, path: string): FieldOnMap | undefined =>
  fields.find(({ id }) => [day, left].some((shown) => shown && pathOf(shown.fields.get(id), shown.layer) === path));
