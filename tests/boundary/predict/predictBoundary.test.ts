import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import type { BoundaryInput, BoundaryScene } from '../../../shared/boundary/window/boundaryInput.js';
import { predictBoundary } from '../../../shared/boundary/predict/predictBoundary.js';
import type { BoundaryPrediction, BoundaryRefusal } from '../../../shared/boundary/predict/predictBoundary.js';
import { isSimple, ringHolds, signedArea } from '../../../shared/geo/shapes/rings.js';
import { polygonAreaHa } from '../../../shared/geo/grid/polygonArea.js';
import { utmProjection } from '../../../shared/geo/grid/utm.js';
import { ringIou } from '../../../tools/boundary-model/ringOverlap.js';
import { shippedModel } from './fixtures.js';
import { aPlace, inputAt } from './syntheticFields.js';

const model = shippedModel();
const place = aPlace({ dates: ['2025-06-07', '2025-06-12'] });
const largest = place.fields.toSorted((a, b) => b.areaM2 - a.areaM2)[0]!;
const input = inputAt({ ...place, scenes: place.scenes.slice(0, 1) }, largest);
const projection = utmProjection(place.grid.epsg);
const found = predictBoundary(input, model, { refuseBelow: 0 }) as BoundaryPrediction;

function fieldAt(asked: BoundaryInput): BoundaryPrediction {
  const answer = predictBoundary(asked, model, { refuseBelow: 0, views: 1 });
  if (answer.outcome === 'refused') throw new Error(`refused: ${answer.reason}`);
  return answer;
}

function refusalAt(asked: BoundaryInput, refuseBelow?: number): BoundaryRefusal {
  const answer = predictBoundary(asked, model, refuseBelow === undefined ? {} : { refuseBelow });
  if (answer.outcome === 'field') throw new Error('a field was found');
  return answer;
}

const inMetres = (answer: BoundaryPrediction) =>
  answer.polygon.coordinates[0]!.map((position) => projection.toMap(position));
const withScl = (scene: BoundaryScene, value: number): BoundaryScene => ({
  ...scene,
  scl: scene.scl!.map(() => value),
});

describe('the field at a point', () => {
  test('is a valid ring that holds the point, has an area and lies in the window, wherever the point is', () => {
    const { grid } = place;
    const metre = fc.double({ min: 0.5, max: 10 * grid.width - 0.5, noNaN: true });
    fc.assert(
      fc.property(metre, metre, (x, y) => {
        const point = projection.toPosition([grid.originX + x, grid.originY - y]);
        const answer = predictBoundary({ ...input, point }, model, { refuseBelow: 0, views: 1 });
        if (answer.outcome === 'refused') return;
        const ring = answer.polygon.coordinates[0]!;
        expect(ring.at(-1)).toEqual(ring[0]);
        expect(isSimple(ring.slice(1))).toBe(true);
        expect(signedArea(ring.slice(1))).toBeGreaterThan(0);
        expect(ringHolds(ring.slice(1), point)).toBe(true);
        expect(answer.areaHectares).toBeGreaterThan(0);
        for (const [east, north] of inMetres(answer)) {
          // Seven decimals are a centimetre.
          expect(east).toBeGreaterThan(grid.originX - 0.02);
          expect(east).toBeLessThan(grid.originX + 10 * grid.width + 0.02);
          expect(north).toBeLessThan(grid.originY + 0.02);
          expect(north).toBeGreaterThan(grid.originY - 10 * grid.height - 0.02);
        }
      }),
      { numRuns: 5 },
    );
  });

  test('has the true outline, on a clear day in a large field', () => {
    expect(ringIou(inMetres(found), largest.outline)).toBeGreaterThan(0.9);
  });

  test('has the area of its polygon on the ellipsoid', () => {
    const answer = found;
    expect(answer.areaHectares / polygonAreaHa(answer.polygon)).toBeCloseTo(1, 3);
    expect(answer.perimeterMeters).toBeGreaterThan(2 * Math.sqrt(Math.PI * answer.areaHectares * 10_000));
  });

  test('has positions of seven decimals', () => {
    for (const [longitude, latitude] of found.polygon.coordinates[0]!) {
      expect(Number(longitude.toFixed(7))).toBe(longitude);
      expect(Number(latitude.toFixed(7))).toBe(latitude);
    }
  });

  test('is the same for the same input, wherever the point is', () => {
    const metre = fc.double({ min: 300, max: 10 * place.grid.width - 300, noNaN: true });
    fc.assert(
      fc.property(metre, metre, (x, y) => {
        const point = projection.toPosition([place.grid.originX + x, place.grid.originY - y]);
        const predict = () => predictBoundary({ ...input, point }, model, { refuseBelow: 0, views: 1 });
        expect(predict()).toEqual(predict());
      }),
      { numRuns: 2 },
    );
  });

  test('hardly changes when every reflectance is larger or smaller by a factor', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.6, max: 1.6, noNaN: true }), (factor) => {
        const scaled = input.scenes.map((scene) => ({
          ...scene,
          bands: Object.fromEntries(
            Object.entries(scene.bands).map(([band, pixels]) => [
              band,
              Float32Array.from(pixels, (value) => value * factor),
            ]),
          ),
        }));
        const answer = fieldAt({ ...input, scenes: scaled });
        // Ties between edges of equal strength may fall either way.
        expect(ringIou(inMetres(answer), inMetres(found))).toBeGreaterThan(0.95);
      }),
      { numRuns: 2 },
    );
  });

  test('names the dates, the method and the model', () => {
    expect(fieldAt({ ...input, scenes: place.scenes })).toMatchObject({
      method: 'network',
      modelVersion: model.version,
      touchesWindow: false,
      dates: [
        { date: '2025-06-07', sceneIds: ['S2_2025-06-07'], isUsed: true, clearFraction: 1 },
        { date: '2025-06-12', isUsed: true },
      ],
    });
  });

  test('comes with at most four other readings, each unlike all before it, the likelier first', () => {
    const answer = found;
    const rings = [answer.polygon, ...answer.alternatives.map(({ polygon }) => polygon)].map(
      ({ coordinates }) => coordinates[0]!,
    );
    expect(answer.alternatives.length).toBeLessThanOrEqual(4);
    const confidences = answer.alternatives.map(({ confidence }) => confidence);
    expect(confidences).toEqual(confidences.toSorted((a, b) => b - a));
    rings.forEach((ring, k) => {
      for (const before of rings.slice(0, k)) expect(ringIou(ring, before)).toBeLessThan(0.75);
    });
  });

  test('says of another reading that it is a part only when it is smaller, and larger only when it is', () => {
    const { areaHectares, alternatives } = found;
    for (const { areaHectares: own, reading } of alternatives) {
      if (reading === 'part') expect(own).toBeLessThan(areaHectares);
      if (reading === 'larger') expect(own).toBeGreaterThan(areaHectares);
    }
  });

  test('says that more dates may help unless it is sure or has three', () => {
    const [scene] = input.scenes;
    const dates = ['2025-06-07', '2025-06-12', '2025-06-17'].map((date) => ({ ...scene!, date }));
    expect(found.moreDatesMayHelp).toBe(found.confidenceClass !== 'high');
    expect(fieldAt({ ...input, scenes: dates }).moreDatesMayHelp).toBe(false);
  });
});

describe('with less to look at', () => {
  test('no near infrared still finds the field', () => {
    const visible = input.scenes.map(({ bands: { B08: _, ...bands }, ...scene }) => ({ ...scene, bands }));
    const answer = fieldAt({ ...input, scenes: visible });
    expect(answer.method).toBe('network');
    expect(ringIou(inMetres(answer), largest.outline)).toBeGreaterThan(0.8);
  });

  test('a missing visible band leaves the gradient', () => {
    const scenes = input.scenes.map(({ bands: { B02: _, ...bands }, ...scene }) => ({ ...scene, bands }));
    expect(fieldAt({ ...input, scenes }).method).toBe('gradient');
  });

  test('dates with different bands are seen in those they share', () => {
    const [first, second] = place.scenes;
    const { B08: _, ...visible } = second!.bands;
    const answer = fieldAt({ ...input, scenes: [first!, { ...second!, bands: visible }] });
    expect(answer.dates.every(({ isUsed }) => isUsed)).toBe(true);
  });

  test('a cloud over half the field on one of two dates changes little', () => {
    const [first, second] = place.scenes;
    const [x] = projection.toMap(input.point);
    const column = Math.floor((x - place.grid.originX) / 10);
    const clouded = {
      ...second!,
      scl: second!.scl!.map((value, k) => (k % place.grid.width > column + 6 ? 9 : value)),
    };
    const [clear, cloudy] = [
      fieldAt({ ...input, scenes: [first!, second!] }),
      fieldAt({ ...input, scenes: [first!, clouded] }),
    ];
    expect(ringIou(inMetres(cloudy), inMetres(clear))).toBeGreaterThan(0.85);
  });
});

describe('no field', () => {
  test('when clouds lie over the point on every date; each date says why', () => {
    const answer = refusalAt({ ...input, scenes: place.scenes.map((scene) => withScl(scene, 9)) });
    expect(answer).toMatchObject({ reason: 'no-clear-date', confidence: 0 });
    expect(answer.dates.map(({ reason }) => reason)).toEqual(
      Array(2).fill('clouds, their shadow or missing data lie over the point'),
    );
  });

  test('where the classification says water', () => {
    expect(refusalAt({ ...input, scenes: input.scenes.map((scene) => withScl(scene, 6)) }).reason).toBe('not-farmland');
  });

  test('below the confidence asked for', () => {
    expect(refusalAt(input, 1.01).reason).toBe('no-field');
  });

  test('in a window of one colour', () => {
    const flat = {
      ...input.scenes[0]!,
      bands: { B02: pixels(400), B03: pixels(600), B04: pixels(500), B08: pixels(3000) },
    };
    expect(refusalAt({ ...input, scenes: [flat] }).touchesWindow).toBe(true);
  });

  test('a point outside the window is a fault of the caller', () => {
    expect(() => predictBoundary({ ...input, point: [0, 0] }, model)).toThrow('does not lie in the window');
  });
});

function pixels(value: number): Uint16Array {
  return new Uint16Array(place.grid.width * place.grid.height).fill(value);
}
