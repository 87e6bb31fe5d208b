import { afterEach, describe, expect, test } from '@jest/globals';
import { fieldOnMap, isInField } from '../../console/map/fieldsOnMap.js';
import { mapFurniture } from '../../console/map/mapFurniture.js';
import type { FieldMapOptions } from '../../console/map/mapScene.js';
import { fromMercator, groundScaleAt, toMercator } from '../../console/map/mercator.js';
import { gridSpacingM, scaleBarOf } from '../../console/map/scales.js';
import { turnUnits } from '../../console/parts/units.js';

describe('web mercator', () => {
  test.each([
    { where: 'on the equator', place: [0, 0], point: [0, 0] },
    { where: 'at the far east', place: [180, 0], point: [20_037_508.342789244, 0] },
    // The square map ends here: its height is its width.
    { where: 'at the top of the map', place: [0, 85.0511287798066], point: [0, 20_037_508.342789244] },
  ] as const)('of a place $where is known, and leads back to it', ({ place, point }) => {
    const reached = toMercator(place);
    reached.forEach((value, axis) => {
      expect(value).toBeCloseTo(point[axis]!, 6);
    });
    fromMercator(reached).forEach((value, axis) => {
      expect(value).toBeCloseTo(place[axis]!, 10);
    });
  });

  test('is twice as long as the ground at 60 degrees', () => {
    expect(groundScaleAt(toMercator([0, 60])[1])).toBeCloseTo(0.5, 10);
  });
});

describe('a scale bar', () => {
  test.each([
    { metres: 10, bar: { text: '1 km', width: 100 } },
    { metres: 9, bar: { text: '500 m', width: 56 } },
    { metres: 0.2, bar: { text: '20 m', width: 100 } },
    { metres: 2000, bar: { text: '200 km', width: 100 } },
  ])('at $metres m to a pixel is $bar.text', ({ metres, bar }) => {
    expect(scaleBarOf(metres, 110)).toEqual(bar);
  });
});

describe('the scale bar of a map', () => {
  interface Drawn {
    hidden?: boolean;
    textContent?: string;
  }
  const around = { document: { createElement: () => ({ style: {}, remove: () => undefined }) } };
  afterEach(() => {
    Reflect.deleteProperty(globalThis, 'document');
  });

  test('is drawn again in the other units, until the map goes', () => {
    Object.assign(globalThis, around);
    const bars: Drawn[] = [];
    const appendChild = (bar: Drawn): Drawn => (bars.push(bar), bar);
    const element = { setAttribute: () => undefined, style: {}, appendChild } as unknown as HTMLElement;
    const options = { label: 'Map', theme: 'light', tiles: null } as unknown as FieldMapOptions;
    const furniture = mapFurniture(element, options);
    const [bar] = bars;
    expect(bar?.hidden).toBe(true);
    furniture.scaled(3);
    expect(bar).toMatchObject({ hidden: false, textContent: '200 m' });
    turnUnits();
    expect(bar?.textContent).toBe('1000 ft');
    furniture.scaled(undefined);
    turnUnits();
    expect(bar?.hidden).toBe(true);
    furniture.scaled(3);
    furniture.remove();
    turnUnits();
    expect(bar?.textContent).toBe('200 m');
    turnUnits();
  });
});

describe('the grid below the fields', () => {
  test.each([
    { metres: 0.5, spacing: 20 },
    { metres: 5, spacing: 200 },
    { metres: 10, spacing: 1000 },
    { metres: 5000, spacing: undefined },
  ])('at $metres m to a pixel has lines each $spacing m', ({ metres, spacing }) => {
    expect(gridSpacingM(metres)).toBe(spacing);
  });
});

describe('a place in a field', () => {
  const square = (west: number, south: number, side: number) =>
    [
      [0, 0],
      [side, 0],
      [side, side],
      [0, side],
      [0, 0],
    ].map(([x = 0, y = 0]) => [west + x, south + y] as const);
  const field = fieldOnMap({
    id: 'two parts, one with a hole',
    geometry: { type: 'MultiPolygon', coordinates: [[square(10, 50, 4), square(11, 51, 1)], [square(20, 50, 1)]] },
  });

  test.each([
    { where: 'in the first part', place: [13, 53], isIn: true },
    { where: 'in the second part', place: [20.5, 50.5], isIn: true },
    { where: 'in the hole', place: [11.5, 51.5], isIn: false },
    { where: 'between the parts', place: [17, 50.5], isIn: false },
    { where: 'outside', place: [9, 50.5], isIn: false },
  ] as const)('is found $where: $isIn', ({ place, isIn }) => {
    expect(isInField(field, toMercator(place))).toBe(isIn);
  });
});
