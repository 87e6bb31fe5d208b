import { describe, expect, test } from '@jest/globals';
import { predictBoundary } from '../../../shared/boundary/predict/predictBoundary.js';
import { utmProjection } from '../../../shared/geo/grid/utm.js';
import { ringIou } from '../../../tools/boundary-model/ringOverlap.js';
import { medianOf } from '../../../tools/boundary-model/statistics.js';
import { shippedModel } from './fixtures.js';
import { aPlace, evenFields, inputAt, type SyntheticPlace } from './syntheticFields.js';

const model = shippedModel();

/** IoU with the truth of every field above half a hectare in these places, at most two a place. */
const ious = (places: readonly SyntheticPlace[], method: 'network' | 'gradient'): number[] =>
  places.flatMap((place) => {
    const projection = utmProjection(place.grid.epsg);
    return place.fields
      .filter(({ areaM2 }) => areaM2 > 5000)
      .slice(0, 2)
      .map((field) => {
        const answer = predictBoundary(inputAt(place, field), model, { method, views: 1, refuseBelow: 0 });
        if (answer.outcome === 'refused') return 0;
        return ringIou(
          answer.polygon.coordinates[0]!.map((position) => projection.toMap(position)),
          field.outline,
        );
      });
  });

describe('fields of countries the model has never seen', () => {
  const countries = [901, 902, 903, 904];

  test.each([
    { what: 'even within', roughness: evenFields, floor: 0.75 },
    { what: 'as uneven within as real ones', roughness: 1, floor: 0.6 },
  ])('$what: half of them are found to an IoU of $floor, and better than by the gradient', ({ roughness, floor }) => {
    const places = countries.map((country) => aPlace({ country, roughness, side: 96 }));
    const [network, gradient] = (['network', 'gradient'] as const).map((method) => medianOf(ious(places, method)));
    expect(network).toBeGreaterThan(floor);
    expect(network).toBeGreaterThan(gradient!);
  });
});
