import type { Page } from 'playwright-core';
import { toMercator } from '../../console/map/mercator.js';
import type { Position } from '../../shared/geo/geoJson.js';

/** Waits until every picture in view is drawn. */
export async function untilDrawn(page: Page): Promise<void> {
  await page.locator('.map[data-view][aria-busy="false"]').waitFor({ state: 'attached' });
}

/** Where a place stands on the page, CSS pixels. */
export async function pixelOf(page: Page, place: Position): Promise<readonly [x: number, y: number]> {
  const map = page.locator('.map');
  const box = await map.boundingBox();
  const [west = 0, south = 0, east = 0, north = 0] = ((await map.getAttribute('data-view')) ?? '')
    .split(' ')
    .map(Number);
  if (box === null) throw new Error('The map has no size.');
  const [left, bottom] = toMercator([west, south]);
  const [right, top] = toMercator([east, north]);
  const [x, y] = toMercator(place);
  return [box.x + ((x - left) / (right - left)) * box.width, box.y + ((top - y) / (top - bottom)) * box.height];
}

/** Colours of the map's pictures within a rectangle of the page, as [red, green, blue, alpha] of each CSS pixel. */
export function coloursIn(
  page: Page,
  [left, top, right, bottom]: readonly [number, number, number, number],
): Promise<readonly (readonly number[])[]> {
  return page.evaluate(
    ([x, y, width, height]) => {
      const canvas = document.querySelector<HTMLCanvasElement>('.map .ol-layer, .map canvas');
      const box = canvas?.getBoundingClientRect();
      const context = canvas?.getContext('2d');
      if (box === undefined || context === null || context === undefined) return [];
      const { data } = context.getImageData(x - box.left, y - box.top, width, height);
      return Array.from({ length: width * height }, (_, at) => [...data.slice(4 * at, 4 * at + 4)]);
    },
    [Math.round(left), Math.round(top), Math.round(right - left), Math.round(bottom - top)] as const,
  );
}

/** Waits until a place stands in the middle of the map. */
export async function untilCentred(page: Page, place: Position): Promise<void> {
  const deadline = Date.now() + 10_000;
  for (;;) {
    const [x, y] = await pixelOf(page, place);
    const box = await page.locator('.map').boundingBox();
    if (box !== null && Math.hypot(x - box.x - box.width / 2, y - box.y - box.height / 2) < 4) return;
    if (Date.now() > deadline) throw new Error(`The place is at ${x}, ${y}, not in the middle.`);
    await page.waitForTimeout(50);
  }
}
