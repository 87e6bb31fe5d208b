import Layer from 'ol/layer/Layer.js';
import type { FrameState } from 'ol/Map.js';
import { pageFile } from '../../parts/loadChunk.js';
import { frameOn, isInFrame, pixelAt, type Frame } from '../frame.js';
import type { MapColours } from '../mapColours.js';
import { linesIn, placesIn, type BaseLine, type BasePlace } from './baseData.js';

/** Whose work the base is, as their licences ask. */
export const BASE_CREDIT = 'Natural Earth, GeoNames (CC BY 4.0)';
/** Nearer than this, metres of the map to a CSS pixel, lines for the whole world are wrong by too much. */
export const NEAREST_LINES = 60;

/** Least size of towns that are named, by metres of the map to a CSS pixel. */
const NAMED = [
  { above: 8_000, size: 21 },
  { above: 3_000, size: 19 },
  { above: 1_000, size: 17 },
  { above: 400, size: 15 },
  { above: 150, size: 13 },
] as const;
const MOST_NAMES = 40;
/** CSS pixels between a name and the next. */
const [ROOM_ACROSS, ROOM_DOWN] = [24, 18];
const DOT = 1.75;
const FONT = '12px Figtree, system-ui, sans-serif';

/** Coasts, borders and towns. */
export interface BaseData extends ReturnType<typeof linesIn> {
  readonly places: readonly BasePlace[];
}

async function bytesOf(name: string): Promise<Uint8Array> {
  return new Uint8Array(await pageFile(document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? ''));
}

let loading: Promise<BaseData> | undefined;

/** Loads the base, once for all maps of the page. */
export function loadBase(): Promise<BaseData> {
  loading ??= Promise.all([bytesOf('base-lines'), bytesOf('base-places')]).then(([lines, places]) => ({
    ...linesIn(lines),
    places: placesIn(places),
  }));
  return loading;
}

function drawLines(frame: Frame, lines: readonly BaseLine[]): void {
  const { context } = frame;
  context.beginPath();
  for (const { box, points } of lines) {
    if (!isInFrame(frame, box)) continue;
    for (let at = 0; at < points.length; at += 2) {
      const [x, y] = pixelAt(frame, points[at] ?? 0, points[at + 1] ?? 0);
      if (at === 0) context.moveTo(x, y);
      else context.lineTo(x, y);
    }
  }
  context.stroke();
}

interface Name {
  readonly name: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

const doNamesMeet = (one: Name, other: Name): boolean =>
  Math.abs(one.y - other.y) < ROOM_DOWN &&
  one.x < other.x + other.width + ROOM_ACROSS &&
  other.x < one.x + one.width + ROOM_ACROSS;

/** Asked of every town with each drawing, so nothing is made for it. */
const isWithin = (box: Frame['box'], [x, y]: BasePlace['at']): boolean =>
  x > box[0] && x < box[2] && y > box[1] && y < box[3];

/** The names that find room, those of the largest towns first. */
function namesOn(frame: Frame, places: readonly BasePlace[]): readonly Name[] {
  const least = NAMED.find(({ above }) => frame.resolution > above)?.size ?? 0;
  const names: Name[] = [];
  for (const { name, at, size } of places) {
    if (size < least || names.length >= MOST_NAMES) break;
    if (!isWithin(frame.box, at)) continue;
    const [x, y] = pixelAt(frame, ...at);
    const wanted = { name, x, y, width: frame.context.measureText(name).width };
    if (!names.some((other) => doNamesMeet(other, wanted))) names.push(wanted);
  }
  return names;
}

/** @returns whether there was one to draw */
function drawNames(frame: Frame, places: readonly BasePlace[], { baseName, ground }: MapColours): boolean {
  const { context } = frame;
  context.font = FONT;
  context.textBaseline = 'middle';
  context.lineJoin = 'round';
  context.lineWidth = 3;
  context.strokeStyle = ground;
  context.fillStyle = baseName;
  const names = namesOn(frame, places);
  for (const { name, x, y } of names) {
    context.beginPath();
    context.arc(x, y, DOT, 0, 2 * Math.PI);
    context.fill();
    context.strokeText(name, x + 6, y);
    context.fillText(name, x + 6, y);
  }
  return names.length > 0;
}

/** The layer at the very bottom that says where in the world a map is. */
export class BaseLayer extends Layer {
  readonly #element = document.createElement('div');
  readonly #canvas = this.#element.appendChild(document.createElement('canvas'));
  readonly #data: BaseData;
  #colours: MapColours;
  #looks = '';

  constructor(data: BaseData, colours: MapColours) {
    super({ zIndex: 0 });
    this.#data = data;
    this.#colours = colours;
    this.#element.className = 'map-base';
    for (const { style } of [this.#element, this.#canvas]) {
      style.position = 'absolute';
      style.inset = '0';
    }
  }

  setColours(colours: MapColours): void {
    this.#colours = colours;
    this.#looks = '';
    this.changed();
  }

  override render(state: FrameState | null): HTMLElement {
    // A map that stands is drawn again for what lies above.
    const looks = JSON.stringify([
      state?.viewState.center,
      state?.viewState.resolution,
      state?.size,
      state?.pixelRatio,
    ]);
    if (state === null || looks === this.#looks) return this.#element;
    const frame = frameOn(this.#canvas, state);
    if (frame === undefined) return this.#element;
    this.#looks = looks;
    // Without a graphics card the browser copies every canvas with each frame: an empty one is taken away.
    this.#canvas.hidden = !this.#draw(frame);
    return this.#element;
  }

  /** @returns whether anything is drawn */
  #draw(frame: Frame): boolean {
    const { context, resolution } = frame;
    const hasLines = resolution > NEAREST_LINES;
    if (hasLines) {
      context.lineWidth = 1;
      context.strokeStyle = this.#colours.baseLine;
      drawLines(frame, this.#data.coasts);
      context.setLineDash([4, 3]);
      drawLines(frame, this.#data.borders);
      context.setLineDash([]);
    }
    return drawNames(frame, this.#data.places, this.#colours) || hasLines;
  }
}
