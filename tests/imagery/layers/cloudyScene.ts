import type { FieldScene } from '../../../shared/scenes/layers/layers.js';
import { clearPixels, SCL_MARGIN_PIXELS } from '../../../shared/scenes/layers/visibility.js';

export const [WIDTH, HEIGHT] = [120, 100];

/** A round field with crops, soil, a river, gaps in the data, clouds and shadows; repeatable. */
export function aCloudyScene(offsetDn: 0 | -1000) {
  let state = 99;
  const random = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
  const band = (low: number, high: number): Uint16Array =>
    Uint16Array.from({ length: WIDTH * HEIGHT }, () =>
      random() < 0.01 ? 0 : low - offsetDn + random() * (high - low),
    );
  const bands = { red: band(0, 2500), green: band(100, 2500), blue: band(0, 3500), nir: band(200, 6000) };
  const field = Uint8Array.from({ length: WIDTH * HEIGHT }, (_, index) =>
    Math.hypot((index % WIDTH) - 60, Math.floor(index / WIDTH) - 50) < 48 ? 1 : 0,
  );
  const [width, height] = [WIDTH / 2 + 2 * SCL_MARGIN_PIXELS, HEIGHT / 2 + 2 * SCL_MARGIN_PIXELS];
  const classes = Uint8Array.from({ length: width * height }, () =>
    random() < 0.04 ? Math.floor(random() * 12) : 4 + Math.floor(random() * 3),
  );
  const scl = { classes, width, height };
  const scene: FieldScene = { width: WIDTH, height: HEIGHT, field, clear: clearPixels(scl), bands, offsetDn };
  return { scene, classes, bands, field };
}
