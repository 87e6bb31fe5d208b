import type { FrameState } from 'ol/Map.js';
import type { MercatorBox } from './warp.js';

/** One drawing of the map, north up. */
export interface Frame {
  readonly context: CanvasRenderingContext2D;
  /** CSS pixels. */
  readonly width: number;
  readonly height: number;
  /** Device pixels of a CSS pixel. */
  readonly pixelRatio: number;
  /** Metres of web mercator of a CSS pixel. */
  readonly resolution: number;
  readonly box: MercatorBox;
  /** Milliseconds, for what moves by itself. */
  readonly time: number;
}

/** The frame that OpenLayers asks for, on a canvas that is cleared and made to its size. */
export function frameOn(canvas: HTMLCanvasElement, state: FrameState): Frame | undefined {
  const context = canvas.getContext('2d');
  const { size, pixelRatio, viewState } = state;
  const [width = 0, height = 0] = size;
  if (context === null || width === 0 || height === 0) return undefined;
  const [deviceWidth, deviceHeight] = [Math.round(width * pixelRatio), Math.round(height * pixelRatio)];
  if (canvas.width !== deviceWidth || canvas.height !== deviceHeight) {
    [canvas.width, canvas.height] = [deviceWidth, deviceHeight];
    [canvas.style.width, canvas.style.height] = [`${width}px`, `${height}px`];
  }
  context.setTransform(pixelRatio, 0, 0, pixelRatio, 0, 0);
  context.clearRect(0, 0, width, height);
  const [x = 0, y = 0] = viewState.center;
  const { resolution } = viewState;
  const [across, up] = [(width * resolution) / 2, (height * resolution) / 2];
  return {
    context,
    width,
    height,
    pixelRatio,
    resolution,
    box: [x - across, y - up, x + across, y + up],
    time: state.time,
  };
}

/** CSS pixels of a place in web mercator. */
export function pixelAt({ box, resolution }: Frame, x: number, y: number): readonly [x: number, y: number] {
  return [(x - box[0]) / resolution, (box[3] - y) / resolution];
}

/** Whether a box and the frame have anything in common. */
export function isInFrame({ box }: Pick<Frame, 'box'>, [west, south, east, north]: readonly number[]): boolean {
  const [w = 0, s = 0, e = 0, n = 0] = [west, south, east, north];
  return w < box[2] && e > box[0] && s < box[3] && n > box[1];
}
