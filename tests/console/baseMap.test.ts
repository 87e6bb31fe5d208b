import { beforeAll, describe, expect, test } from '@jest/globals';
import { linesIn, placesIn, type BasePlace } from '../../console/map/base/baseData.js';
import { nearestText } from '../../console/map/base/nearestPlace.js';
import { fromMercator } from '../../console/map/mercator.js';
import { baseLines, basePlaces } from '../../infra/build/baseMap.mjs';

describe('the base below the fields', () => {
  let places: readonly BasePlace[];
  beforeAll(() => {
    places = placesIn(basePlaces());
  });

  test('has coasts and borders in their places, one kilometre at most beside Natural Earth', () => {
    const { coasts, borders } = linesIn(baseLines());
    expect(coasts.length).toBeGreaterThan(1_000);
    expect(borders.length).toBeGreaterThan(100);
    // The 49th parallel from the Lake of the Woods to the Pacific: one border between Canada and the United States.
    const parallel = borders.flatMap(({ points }) =>
      Array.from({ length: points.length / 2 }, (_, at) => fromMercator([points[2 * at]!, points[2 * at + 1]!])),
    );
    const near = parallel.filter(([x, y]) => x > -120 && x < -100 && Math.abs(y - 49) < 0.02);
    expect(near.length).toBeGreaterThan(0);
    // None runs from one edge of the map to the other: that would be a line across all of it.
    const isAcross = ({ points }: (typeof coasts)[number]): boolean =>
      points.some((x, at) => at % 2 === 0 && at > 0 && Math.abs(x - points[at - 2]!) > 20_000_000);
    expect([...coasts, ...borders].filter(isAcross)).toEqual([]);
    for (const { box, points } of coasts.slice(0, 50)) {
      expect(points.every((value, at) => value >= box[at % 2]! - 2 && value <= box[2 + (at % 2)]! + 2)).toBe(true);
    }
  });

  test('has the largest town of each half degree, the largest of all first', () => {
    expect(places.length).toBeGreaterThan(10_000);
    const names = places.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['Des Moines', 'Curitiba']));
    expect(places.every(({ size }, at) => at === 0 || size <= places[at - 1]!.size)).toBe(true);
  });

  test('says in which country a town is, and in which state of the United States', () => {
    const regionsOf = (wanted: string) => places.filter(({ name }) => name === wanted).map(({ region }) => region);
    expect(regionsOf('Curitiba')).toEqual(['BR']);
    expect(regionsOf('Ames')).toEqual(['USIA']);
    expect(regionsOf('Kansas City').sort()).toEqual(['USKS', 'USMO']);
  });

  test.each([
    { why: 'in a town', at: [-93.6091, 41.6005], units: 'metric', text: 'At Des Moines' },
    { why: '20 km north of it', at: [-93.61, 41.78], units: 'metric', text: /^\d+ km [a-z-]+ of \w+/ },
    { why: 'in miles', at: [-93.61, 41.78], units: 'us', text: /^\d+ mi [a-z-]+ of \w+/ },
    { why: 'in the middle of an ocean', at: [-140, -40], units: 'metric', text: undefined },
  ] as const)('says where a place lies: $why', ({ at, units, text }) => {
    const said = nearestText(places, at, units);
    if (text instanceof RegExp) expect(said).toMatch(text);
    else expect(said).toBe(text);
  });

  // A town at 0° E, 0° N; a degree is 111 km there.
  test.each([
    { at: [0, 0.5], text: '56 km north of Null' },
    { at: [0.5, 0.5], text: '79 km north-east of Null' },
    { at: [-0.5, 0], text: '56 km west of Null' },
    { at: [-0.01, 0], text: 'At Null' },
  ] as const)('names distance and direction: $text', ({ at, text }) => {
    expect(nearestText([{ name: 'Null', at: [0, 0], size: 10, region: '' }], at, 'metric')).toBe(text);
  });
});
