import { describe, expect, test } from '@jest/globals';
import { DataManagerError } from '../../../shared/jobs/dataManager/dataManager.js';
import { gddJobFaults } from '../../../shared/kit/errors/catalogue.js';
import type { JobFailure } from '../../../shared/kit/errors/serviceError.js';
import type { GatheredSeason } from '../../../shared/gdd/gather/gatherSeason.js';
import {
  fieldReadFailure,
  noPlace,
  outOfReach,
  weatherAway,
  weatherTooIncomplete,
} from '../../../shared/gdd/gather/gddFailures.js';
import type { StoredGddParameters } from '../../../shared/gdd/form/gddParameters.js';
import { WeatherError } from '../../../shared/gdd/weather/weatherSource.js';

const parameters = { partyId: 'a-party', resourceId: 'a-field' } as StoredGddParameters;
const expectFailure = (failure: unknown, fault: JobFailure['fault'], text: RegExp): void => {
  expect(failure).toMatchObject({ fault });
  expect((failure as JobFailure).message).toMatch(text);
  expect((failure as JobFailure).message.endsWith(` ${fault.remedy}`)).toBe(true);
};

describe('a field that cannot be read', () => {
  test('because storage is away is a failure that passes, with its pause', () => {
    const fault = gddJobFaults.dataManagerUnavailable;
    const error = new DataManagerError('unavailable', 'no', { retryAfterSeconds: 40 });
    const failure = fieldReadFailure(error, parameters);
    expect(failure).toMatchObject({ fault, retryAfterSeconds: 40, cause: error });
    expect((failure as Error).message).toBe(`${fault.cause} ${fault.remedy}`);
    expect(fieldReadFailure(new DataManagerError('unavailable', 'no'), parameters)).toMatchObject({
      fault,
      retryAfterSeconds: undefined,
    });
  });

  test('because it is not there is said in the same words as one that is not owned', () => {
    const error = new DataManagerError('not_found', 'no', { status: 404 });
    const failure = fieldReadFailure(error, parameters);
    expectFailure(
      failure,
      gddJobFaults.fieldNotFound,
      /^The party a-party has no field a-field that your tenant owns\./,
    );
    expect((failure as Error).cause).toBe(error);
  });

  test('because the data manager takes its id for none is the same fault, with the status', () => {
    const error = new DataManagerError('bad_request', 'no', { status: 400 });
    const failure = fieldReadFailure(error, parameters);
    expectFailure(
      failure,
      gddJobFaults.fieldNotFound,
      /^The data manager refuses to look for the field a-field of the party a-party \(HTTP 400\)\./,
    );
    expect((failure as Error).cause).toBe(error);
  });

  test.each([
    { why: 'a conflict', error: new DataManagerError('conflict', 'no') },
    { why: 'a fault of ours', error: Object.assign(new Error('no'), { kind: 'not_found' }) },
  ])('for $why stays what it is', ({ error }) => {
    expect(fieldReadFailure(error, parameters)).toBe(error);
  });

  test('because it has no place names the field', () => {
    expectFailure(noPlace(parameters), gddJobFaults.fieldWithoutGeometry, /^The field a-field has no Polygon/);
  });
});

describe('weather that cannot be had', () => {
  const away = (provider: string, retryAfterSeconds?: number): WeatherError =>
    new WeatherError('unavailable', provider, 'is away.', retryAfterSeconds === undefined ? {} : { retryAfterSeconds });
  const refused = (provider: string): WeatherError => new WeatherError('refused', provider, 'does not take it.');

  test('is worth waiting for while one of the providers is only away, as long as the slowest asks', () => {
    const first = away('one', 20);
    const failure = weatherAway([first, away('two', 90), away('three'), refused('four')]);
    expect(failure).toMatchObject({ fault: gddJobFaults.weatherUnavailable, retryAfterSeconds: 90, cause: first });
  });

  test('is refused when all of them refuse; nobody asks for a pause then', () => {
    const failure = weatherAway([refused('one'), refused('two')]);
    expect(failure).toMatchObject({ fault: gddJobFaults.weatherRefused, retryAfterSeconds: undefined });
  });

  test('is told once by each provider', () => {
    const { message } = weatherAway([away('one'), away('two'), away('one')]);
    expect(message.match(/is away/g)).toHaveLength(2);
  });

  test('of too few days names the days and whoever was asked for them, not for the reference years', () => {
    const season = {
      uses: [
        { product: 'archive', origin: { provider: 'one' } },
        { product: 'forecast', origin: { provider: 'one' } },
        { product: 'reference', origin: { provider: 'two' } },
      ],
      faults: [away('three'), away('one')],
    } as unknown as GatheredSeason;
    const failure = weatherTooIncomplete({ expected: 20, missing: ['2026-06-01', '2026-06-02', '2026-06-09'] }, season);
    expectFailure(
      failure,
      gddJobFaults.weatherIncomplete,
      /^No usable temperatures for 3 of 20 past days \(2026-06-01 to 2026-06-02 and 2026-06-09\) at one, three; at most 10 %/,
    );
    expect(failure.cause).toBe(season.faults[0]);
  });

  test('and no normals either names the days', () => {
    expectFailure(outOfReach(['2026-06-01']), gddJobFaults.weatherOutOfReach, /are known for 2026-06-01: no provider/);
  });
});
