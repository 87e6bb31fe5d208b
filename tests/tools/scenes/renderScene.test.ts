import { describe, expect, test } from '@jest/globals';
import { farmlandOf, renderScene } from '../../../tools/scenes/renderScene.js';
import type { RenderedScene } from '../../../tools/scenes/renderScene.js';

const epsg = 32632;
const window = { epsg, originX: 512_340, originY: 5_401_230, width: 96, height: 64, date: '2025-06-12' };
const clear = { cloudFraction: 0 };

/** The part of a plane that lies `columns` to the right and `rows` down, `width` × `height`. */
function cut(
  plane: Uint16Array | Uint8Array,
  [columns, rows, width, height]: readonly [number, number, number, number],
): number[] {
  return Array.from(
    { length: width * height },
    (_, k) => plane[(rows + Math.floor(k / width)) * 96 + columns + (k % width)]!,
  );
}

const meanOf = (values: ArrayLike<number>): number =>
  Array.from(values).reduce((sum, value) => sum + value, 0) / values.length;

/** Correlation of the fields' pattern on two days. */
function correlation(a: RenderedScene, b: RenderedScene): number {
  const [x, y] = [a.bands.B04, b.bands.B04];
  const [meanX, meanY] = [meanOf(x), meanOf(y)];
  let [xx, yy, xy] = [0, 0, 0];
  x.forEach((value, k) => {
    xx += (value - meanX) ** 2;
    yy += (y[k]! - meanY) ** 2;
    xy += (value - meanX) * (y[k]! - meanY);
  });
  return xy / Math.sqrt(xx * yy);
}

describe('a rendered scene', () => {
  test('is the same bytes for the same place and date', () => {
    expect(renderScene(window, clear)).toEqual(renderScene(window, clear));
  });

  test('continues in a window that overlaps it: same bands, same classification', () => {
    const whole = renderScene(window);
    const part = renderScene({
      ...window,
      originX: window.originX + 130,
      originY: window.originY - 70,
      width: 40,
      height: 30,
    });
    const place = [13, 7, 40, 30] as const;
    for (const band of ['B02', 'B03', 'B04', 'B08'] as const) {
      expect([...part.bands[band]]).toEqual(cut(whole.bands[band], place));
    }
    expect([...part.scl]).toEqual(cut(whole.scl, place));
  });

  test('two days apart shows the same land, and not the same pixels', () => {
    const [monday, wednesday] = [renderScene(window, clear), renderScene({ ...window, date: '2025-06-14' }, clear)];
    expect(correlation(monday, wednesday)).toBeGreaterThan(0.9);
    expect(monday.bands.B04).not.toEqual(wednesday.bands.B04);
  });

  test('has the reflectance of farmland: dark visible bands, bright near infrared, nothing outside 0.001–0.8', () => {
    const { bands } = renderScene(window, clear);
    expect(meanOf(bands.B04)).toBeGreaterThan(200);
    expect(meanOf(bands.B04)).toBeLessThan(2000);
    expect(meanOf(bands.B08)).toBeGreaterThan(1.2 * meanOf(bands.B04));
    for (const band of Object.values(bands)) {
      expect(Math.min(...band)).toBeGreaterThanOrEqual(1);
      expect(Math.max(...band)).toBeLessThan(8000);
    }
  });

  test.each([
    { cloudFraction: 0, from: 0, to: 0 },
    { cloudFraction: 0.3, from: 0.1, to: 0.5 },
    { cloudFraction: 1, from: 0.95, to: 1 },
  ])('over 20 km has about the cloud that is asked for: $cloudFraction', ({ cloudFraction, from, to }) => {
    // Clouds of a day are the same over a country: ten days tell their share, one does not.
    const fractions = Array.from(
      { length: 10 },
      (_, day) =>
        renderScene({ ...window, width: 64, height: 64, date: `2025-07-${10 + day}` }, { cloudFraction }).cloudFraction,
    );
    expect(meanOf(fractions)).toBeGreaterThanOrEqual(from);
    expect(meanOf(fractions)).toBeLessThanOrEqual(to);
  });

  test('is bright where its classification says cloud', () => {
    const { bands, scl } = renderScene({ ...window, date: '2025-07-03' }, { cloudFraction: 0.5 });
    const blueOf = (isChosen: (scl: number) => boolean): number =>
      meanOf(bands.B02.filter((_, k) => isChosen(scl[k]!)));
    expect(new Set(scl)).toContain(9);
    expect(blueOf((value) => value === 9)).toBeGreaterThan(4000);
    expect(blueOf((value) => value === 4 || value === 5)).toBeLessThan(2000);
  });

  test('is half a year ahead in the south: green maize in February', () => {
    const greenness = (zone: number, date: string): number => {
      const { bands } = renderScene({ ...window, epsg: zone, date }, clear);
      return (meanOf(bands.B08) - meanOf(bands.B04)) / (meanOf(bands.B08) + meanOf(bands.B04));
    };
    expect(greenness(32732, '2025-12-20')).toBeGreaterThan(greenness(32732, '2025-06-20'));
  });
});

describe('the farmland behind the scenes', () => {
  test('gives a field the same outline from wherever it is asked for', () => {
    const [near] = farmlandOf(epsg).fieldsIn([512_340, 5_401_000, 512_350, 5_401_010]);
    const far = farmlandOf(epsg).fieldsIn([510_000, 5_399_000, 515_000, 5_403_000]);
    expect(far).toContainEqual(near);
  });

  test('is other country in another zone', () => {
    const box = [512_340, 5_401_000, 513_340, 5_402_000] as const;
    const ids = (zone: number): number[] =>
      farmlandOf(zone)
        .fieldsIn(box)
        .map(({ id }) => id);
    expect(ids(32633)).not.toEqual(ids(epsg));
  });
});
