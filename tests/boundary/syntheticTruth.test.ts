import { describe, expect, test } from '@jest/globals';
import { predictBoundary } from '../../shared/boundary/predictBoundary.js';
import { utmProjection } from '../../shared/raster/utm.js';
import { ringIou } from '../../tools/boundary-model/ringOverlap.js';
import { medianOf } from '../../tools/boundary-model/statistics.js';
import { shippedModel } from './fixtures.js';
import { aPlace, evenFields, inputAt } from './syntheticFields.js';
import type { PlaceOptions } from './syntheticFields.js';

const model = shippedModel();

/** IoU with the truth of every field above half a hectare in a few places, at most four a place. */
function ious(options: PlaceOptions, countries: readonly number[], method: 'network' | 'gradient'): number[] {
  return countries.flatMap((country) => {
    const place = aPlace({ ...options, country, side: 96 });
    const projection = utmProjection(place.grid.epsg);
    return place.fields
      .filter(({ areaM2 }) => areaM2 > 5000)
      .slice(0, 4)
      .map((field) => {
        const answer = predictBoundary(inputAt(place, field), model, { method, views: 1, refuseBelow: 0 });
        if (answer.outcome === 'refused') return 0;
        return ringIou(
          answer.polygon.coordinates[0]!.map((position) => projection.toMap(position)),
          field.outline,
        );
      });
  });
}

describe('fields of countries the model has never seen', () => {
  const countries = [901, 902, 903, 904];

  test.each([
    { what: 'even within', roughness: evenFields, floor: 0.75 },
    { what: 'as uneven within as real ones', roughness: 1, floor: 0.6 },
  ])('$what: half of them are found to an IoU of $floor, and better than by the gradient', ({ roughness, floor }) => {
    const [network, gradient] = (['network', 'gradient'] as const).map((method) =>
      medianOf(ious({ roughness }, countries, method)),
    );
    expect(network).toBeGreaterThan(floor);
    expect(network).toBeGreaterThan(gradient!);
  });
});
