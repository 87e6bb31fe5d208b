import { expect } from '@jest/globals';
import type { Page } from 'playwright-core';
import { fieldOnMap, isInField } from '../../console/map/fieldsOnMap.js';
import { MAP_COLOURS } from '../../console/map/mapColours.js';
import { toMercator } from '../../console/map/mercator.js';
import type { Polygon, Position } from '../../shared/geo/shapes/geoJson.js';
import { eventually } from './consolePage.js';

/** Waits until no picture that is known of is on its way; what is told of later may still come. */
export async function untilDrawn(page: Page): Promise<void> {
  await page.locator('.map[data-view][aria-busy="false"]').waitFor({ state: 'attached' });
}

/** What the map shows: CSS pixels of the page, and web mercator of its left upper corner and of a pixel. */
async function viewOf(page: Page) {
  const map = page.locator('.map');
  const box = await map.boundingBox();
  const [west = 0, south = 0, east = 0, north = 0] = ((await map.getAttribute('data-view')) ?? '')
    .split(' ')
    .map(Number);
  if (box === null) throw new Error('The map has no size.');
  const [left, bottom] = toMercator([west, south]);
  const [right, top] = toMercator([east, north]);
  return { box, left, top, across: (right - left) / box.width, down: (top - bottom) / box.height };
}

/** Where a place stands on the page, CSS pixels. */
export async function pixelOf(page: Page, place: Position): Promise<readonly [x: number, y: number]> {
  const { box, left, top, across, down } = await viewOf(page);
  const [x, y] = toMercator(place);
  return [box.x + (x - left) / across, box.y + (top - y) / down];
}

/** Whether a canvas of the map has a line within two pixels of a place of the page. */
export function paintedAt(page: Page, selector: string, [x, y]: readonly [x: number, y: number]): Promise<boolean> {
  return page.locator(selector).evaluate(
    (canvas, at) => {
      const box = canvas.getBoundingClientRect();
      const context = (canvas as HTMLCanvasElement).getContext('2d');
      const data = context?.getImageData(at.x - box.left - 2, at.y - box.top - 2, 5, 5).data ?? [];
      return [...data].some((value, index) => index % 4 === 3 && value > 64);
    },
    { x, y },
  );
}

/**
 * Colours of the map's pictures, or of another canvas, within a rectangle of the page: [red, green, blue, alpha] of each
 * CSS pixel.
 */
export async function coloursIn(
  page: Page,
  [left, top, right, bottom]: readonly [number, number, number, number],
  selector = '.map-pictures canvas',
): Promise<readonly (readonly number[])[]> {
  // As a text: a list of lists would take seconds on its way.
  const text = await page.evaluate(
    ([asked, x, y, width, height]) => {
      const canvas = document.querySelector<HTMLCanvasElement>(asked);
      const box = canvas?.getBoundingClientRect();
      const context = canvas?.getContext('2d');
      if (box === undefined || context === null || context === undefined) return '';
      return context.getImageData(x - box.left, y - box.top, width, height).data.join(' ');
    },
    [selector, Math.round(left), Math.round(top), Math.round(right - left), Math.round(bottom - top)] as const,
  );
  const data = text.split(' ').map(Number);
  return Array.from({ length: data.length / 4 }, (_, at) => data.slice(4 * at, 4 * at + 4));
}

type Rgba = readonly number[];

/** Whether a pixel is one of a picture: opaque, and no line of the grid below. */
function isPainted([red = 0, green = 0, blue = 0, alpha = 0]: Rgba): boolean {
  const { gridLine, gridLineStrong } = MAP_COLOURS.light;
  const hex = `#${[red, green, blue].map((value) => value.toString(16).padStart(2, '0')).join('')}`;
  return alpha === 255 && hex !== gridLine && hex !== gridLineStrong;
}

const MARGIN = 12;

/**
 * How well what is painted of a field agrees with its polygon, projected to the screen.
 *
 * @returns intersection over union, and how far the centre of one lies from that of the other, CSS pixels
 */
export async function agreementWith(page: Page, geometry: Polygon): Promise<{ iou: number; offset: number }> {
  const field = fieldOnMap({ id: '', geometry });
  const { box, left, top, across, down } = await viewOf(page);
  const [west, south, east, north] = field.box;
  const [fromX, toX] = [(west - left) / across - MARGIN, (east - left) / across + MARGIN].map(Math.round) as [
    number,
    number,
  ];
  const [fromY, toY] = [(top - north) / down - MARGIN, (top - south) / down + MARGIN].map(Math.round) as [
    number,
    number,
  ];
  const colours = await coloursIn(page, [box.x + fromX, box.y + fromY, box.x + toX, box.y + toY]);
  const sums = { painted: [0, 0, 0], polygon: [0, 0, 0], both: 0, either: 0 };
  colours.forEach((colour, at) => {
    const [x, y] = [fromX + (at % (toX - fromX)) + 0.5, fromY + Math.floor(at / (toX - fromX)) + 0.5];
    const [isShown, isIn] = [isPainted(colour), isInField(field, [left + x * across, top - y * down])];
    for (const [is, sum] of [
      [isShown, sums.painted],
      [isIn, sums.polygon],
    ] as const) {
      if (is) [x, y, 1].forEach((value, index) => (sum[index] = (sum[index] ?? 0) + value));
    }
    sums.both += isShown && isIn ? 1 : 0;
    sums.either += isShown || isIn ? 1 : 0;
  });
  const centre = ([x = 0, y = 0, count = 0]: readonly number[]) => [x / count, y / count] as const;
  const [painted, polygon] = [centre(sums.painted), centre(sums.polygon)];
  return { iou: sums.both / sums.either, offset: Math.hypot(painted[0] - polygon[0], painted[1] - polygon[1]) };
}

/** Waits until a place stands in the middle of the map. */
export async function untilCentred(page: Page, place: Position): Promise<void> {
  await eventually(async () => {
    const [x, y] = await pixelOf(page, place);
    const box = await page.locator('.map').boundingBox();
    const middle = [(box?.x ?? 0) + (box?.width ?? 0) / 2, (box?.y ?? 0) + (box?.height ?? 0) / 2] as const;
    expect(Math.hypot(x - middle[0], y - middle[1])).toBeLessThan(4);
  });
}

/** Waits until all of these places stand on the map. */
export async function untilInView(page: Page, places: readonly Position[]): Promise<void> {
  await eventually(async () => {
    const { width = 0, height = 0, x: left = 0, y: top = 0 } = (await page.locator('.map').boundingBox()) ?? {};
    for (const place of places) {
      const [x, y] = await pixelOf(page, place);
      expect([Math.max(left, Math.min(left + width, x)), Math.max(top, Math.min(top + height, y))]).toEqual([x, y]);
    }
  });
}

/** Rests the pointer on a place until the map reads this value there. @param value its whole text, or a form of it */
export async function untilRead(page: Page, place: Position, value: string | RegExp): Promise<void> {
  await eventually(async () => {
    // Found anew each time: the map makes room for what stands around it.
    const [x, y] = await pixelOf(page, place);
    await page.mouse.move(x + 1, y);
    await page.mouse.move(x, y);
    const read = await page.locator('.fields-readout strong').allTextContents();
    expect(read).toEqual([typeof value === 'string' ? value : expect.stringMatching(value)]);
  });
}

/** Moves the map by its keys, one after the other. */
export async function moveByKeys(page: Page, ...keys: readonly string[]): Promise<void> {
  const map = page.locator('.map');
  await map.focus();
  for (const key of keys) {
    const before = (await map.getAttribute('data-view')) ?? '';
    await page.keyboard.press(key);
    await page.waitForFunction((view) => document.querySelector('.map')?.getAttribute('data-view') !== view, before);
  }
}
