import { describe, expect, test } from '@jest/globals';
import type { JsonObject } from '../../../shared/kit/json/json.js';
import { smartBoundaryParametersOf } from '../../../shared/boundary/form/smartBoundaryParameters.js';
import {
  smartBoundarySolution,
  storedSmartBoundaryParameters,
} from '../../../shared/boundary/form/smartBoundarySolution.js';
import type { SmartBoundaryCreateBody } from '../../../shared/boundary/form/smartBoundarySchemas.js';

const partnerRequestBody = {
  resourceId: 'a-farm',
  resourceType: 'Farm',
  partyId: 'a-party',
  pointOnSurface: { latitude: 41.5, longitude: -92.9 },
  imageEndDate: '2026-06-12',
  imageStartDate: '2026-06-01',
};
const stored = storedSmartBoundaryParameters({ partnerRequestBody } as unknown as SmartBoundaryCreateBody);

describe('the parameters of a Smart Boundary job', () => {
  test('are stored in one order and with one spelling, however they were sent', () => {
    expect(JSON.stringify(stored)).toBe(
      '{"imageStartDate":"2026-06-01","imageEndDate":"2026-06-12","partyId":"a-party",' +
        '"pointOnSurface":{"longitude":-92.9,"latitude":41.5},"resourceType":"FARM","resourceId":"a-farm"}',
    );
  });

  test('are read as they were stored, the point longitude first', () => {
    expect(smartBoundaryParametersOf(stored)).toEqual({
      partyId: 'a-party',
      resourceId: 'a-farm',
      imageStartDate: '2026-06-01',
      imageEndDate: '2026-06-12',
      pointOnSurface: [-92.9, 41.5],
    });
  });

  test('may speak of one day', () => {
    const oneDay = { ...stored, imageEndDate: '2026-06-01' };
    expect(smartBoundaryParametersOf(oneDay)).toMatchObject({ imageEndDate: '2026-06-01' });
  });

  test.each<[string, JsonObject]>([
    ['a party', { partyId: 7 }],
    ['a farm', { resourceId: null }],
    ['a point', { pointOnSurface: null }],
    ['a point that is one', { pointOnSurface: 'here' }],
    ['a point of two numbers', { pointOnSurface: [-92.9, 41.5] }],
    ['a longitude', { pointOnSurface: { longitude: '-92.9', latitude: 41.5 } }],
    ['a latitude', { pointOnSurface: { longitude: -92.9, latitude: null } }],
  ])('without %s are none of such a job', (_what, changes) => {
    expect(() => smartBoundaryParametersOf({ ...stored, ...changes })).toThrow(/stored parameters are not those/);
  });

  test.each<[string, JsonObject]>([
    ['a first day', { imageStartDate: '2026-06-31' }],
    ['a last day', { imageEndDate: 20260612 }],
    ['an order of days', { imageStartDate: '2026-06-13' }],
  ])('without %s are none of such a job', (_what, changes) => {
    expect(() => smartBoundaryParametersOf({ ...stored, ...changes })).toThrow(/stored dates are not those/);
  });
});

describe('the answers of the Smart Boundary operations', () => {
  test('repeat the request to create and cancel with the dates and the point below modelSpec, to fetch flat', () => {
    const { imageStartDate, imageEndDate, pointOnSurface, ...resource } = stored;
    const modelSpec = { imageStartDate, imageEndDate, pointOnSurface };
    expect(smartBoundarySolution.echo(stored)).toEqual({ modelSpec, ...resource });
    expect(smartBoundarySolution.fetchEcho(stored)).toEqual(stored);
  });
});
