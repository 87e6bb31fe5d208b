import { describe, expect, test } from '@jest/globals';
import { gddParametersOf } from '../../../shared/gdd/form/gddParameters.js';
import { gddSolution, storedGddParameters } from '../../../shared/gdd/form/gddSolution.js';
import type { JsonObject } from '../../../shared/kit/json/json.js';
import type { GddCreateBody } from '../../../shared/gdd/form/gddSchemas.js';

const sent = {
  resourceId: 'a-field',
  crop: 'CORN',
  partyId: 'a-party',
  gddEndDate: '2026-09-30',
  gddStartDate: '2026-05-01',
};
const storedOf = (changes: object = {}): JsonObject =>
  storedGddParameters({ partnerRequestBody: { ...sent, ...changes } } as unknown as GddCreateBody);

describe('the parameters of a GDD job', () => {
  test('are stored in one order, in °C where no unit was asked for', () => {
    expect(JSON.stringify(storedOf())).toBe(
      '{"partyId":"a-party","resourceType":"FIELD","resourceId":"a-field","crop":"CORN",' +
        '"gddStartDate":"2026-05-01","gddEndDate":"2026-09-30","temperatureUnit":"C"}',
    );
  });

  test.each([
    { asked: 'f', unit: 'F' },
    { asked: 'c', unit: 'C' },
  ])('are in °$unit when that was asked for', ({ asked, unit }) => {
    expect(storedOf({ temperatureUnit: asked })).toMatchObject({ temperatureUnit: unit });
  });

  test('are read as they were stored, with the start event where there is one', () => {
    const parameters = {
      partyId: 'a-party',
      resourceType: 'FIELD',
      resourceId: 'a-field',
      crop: 'CORN',
      gddStartDate: '2026-05-01',
      gddEndDate: '2026-09-30',
      temperatureUnit: 'C',
    };
    expect(gddParametersOf(storedOf())).toStrictEqual(parameters);
    const startEvent = 'EMERGENCE';
    expect(gddParametersOf(storedOf({ startEvent }))).toStrictEqual({ ...parameters, startEvent });
  });

  test('may speak of one day', () => {
    expect(gddParametersOf(storedOf({ gddEndDate: '2026-05-01' }))).toMatchObject({ gddEndDate: '2026-05-01' });
  });

  test.each<[string, JsonObject, RegExp]>([
    ['a party', { partyId: 7 }, /stored parameters/],
    ['a field', { resourceId: null }, /stored parameters/],
    ['a crop of the table', { crop: 'RICE' }, /stored parameters/],
    ['a unit', { temperatureUnit: 'K' }, /stored parameters/],
    ['a first day', { gddStartDate: '2026-02-30' }, /stored dates/],
    ['a last day', { gddEndDate: 20260930 }, /stored dates/],
    ['an order of days', { gddStartDate: '2026-10-01' }, /stored dates/],
    ['a known start event', { startEvent: 'HARVEST' }, /stored start event/],
  ])('without %s are none of such a job', (_what, changes, message) => {
    expect(() => gddParametersOf({ ...storedOf(), ...changes })).toThrow(message);
  });

  test('are repeated to every operation as they are stored', () => {
    expect(gddSolution.echo(storedOf())).toEqual(storedOf());
    expect(gddSolution.fetchEcho(storedOf())).toEqual(storedOf());
  });
});
