import { describe, expect, test } from '@jest/globals';
import { farmlandOf } from '../../../../tools/scenes/renderScene.js';
import { depthIn } from '../../../../tools/scenes/seenFields.js';
import { POINT_ON_SURFACE, OWN_FARMS } from '../../../../infra/local/demo/farms.js';
import type { Polygon } from '../../../../shared/geo/shapes/geoJson.js';
import { utmProjection, type MapPoint } from '../../../../shared/geo/grid/utm.js';

const EPSG = 32615;
const { toMap } = utmProjection(EPSG);
const point = toMap([POINT_ON_SURFACE.longitude, POINT_ON_SURFACE.latitude]);
const seeded = (OWN_FARMS[0].fields[0]!.geometry as Polygon).coordinates[0]!.slice(0, -1).map(toMap);
const drawn = farmlandOf(EPSG)
  .fieldsIn([point[0] - 1, point[1] - 1, point[0] + 1, point[1] + 1])
  .find(({ outline }) => depthIn(outline, point) > 0);

describe('the first seeded field', () => {
  test('is a field that the synthetic scenes show', () => {
    let [both, either] = [0, 0];
    for (let x = point[0] - 800; x < point[0] + 800; x += 10) {
      for (let y = point[1] - 800; y < point[1] + 800; y += 10) {
        const place: MapPoint = [x, y];
        const [inSeed, inScene] = [depthIn(seeded, place) > 0, depthIn(drawn!.outline, place) > 0];
        if (inSeed && inScene) both += 1;
        if (inSeed || inScene) either += 1;
      }
    }
    expect(both / either).toBeGreaterThan(0.97);
  });

  test('holds the point on the surface, far from its edge', () => {
    expect(depthIn(seeded, point)).toBeGreaterThan(200);
  });
});
