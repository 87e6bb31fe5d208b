import { describe, expect, test } from '@jest/globals';
import { DataManagerError } from '../../../shared/jobs/dataManager/dataManager.js';
import { boundaryFaults, boundaryJobFaults } from '../../../shared/kit/errors/boundaryFaults.js';
import { commonFaults } from '../../../shared/kit/errors/catalogue.js';
import type { JobFailure } from '../../../shared/kit/errors/serviceError.js';
import { LicenceError } from '../../../shared/access/licence/imageryLicence.js';
import { farmReadFailure, nothingToSee, refusal } from '../../../shared/boundary/job/boundaryFailures.js';
import { requireLicence } from '../../../shared/boundary/form/requireLicence.js';
import type { PassedScene } from '../../../shared/boundary/stack/chosenScenes.js';
import type { BoundaryJobParameters } from '../../../shared/boundary/form/smartBoundaryParameters.js';

const parameters = {
  partyId: 'a-party',
  resourceId: 'a-farm',
  imageStartDate: '2026-06-01',
  imageEndDate: '2026-06-12',
} as BoundaryJobParameters;
const fromDataManager = (kind: DataManagerError['kind'], status = 0): DataManagerError =>
  new DataManagerError(kind, 'no', { status });
const other = new Error('something else');

/** Each failure says what happened, and what its fault says is to be done. */
const expectFailure = (failure: unknown, fault: JobFailure['fault'], text: RegExp): void => {
  expect(failure).toMatchObject({ fault });
  expect((failure as JobFailure).message).toMatch(text);
  expect((failure as JobFailure).message.endsWith(fault.remedy)).toBe(true);
};

describe('a farm that cannot be read', () => {
  test('because it is not there names party and farm', () => {
    const error = fromDataManager('not_found', 404);
    const failure = farmReadFailure(error, parameters);
    expectFailure(failure, boundaryJobFaults.farmNotFound, /a-party has no farm a-farm/);
    expect((failure as Error).cause).toBe(error);
  });

  test.each([fromDataManager('unavailable', 503), fromDataManager('exhausted', 403), other])(
    'for another reason is left to who waits for it: %s',
    (error) => {
      expect(farmReadFailure(error, parameters)).toBe(error);
    },
  );
});

describe('a licence that cannot be had', () => {
  const ask = (error: Error): Promise<void> =>
    requireLicence({ licences: { require: () => Promise.reject(error) } })('t');

  test('refuses a create: 403 when the tenant has to mend something, 503 when the vault is away', async () => {
    const [missing, away] = [new LicenceError('missing', 'No.'), new LicenceError('unavailable', 'No.')];
    await expect(ask(missing)).rejects.toMatchObject({ fault: boundaryFaults.licenceMissing, cause: missing });
    await expect(ask(away)).rejects.toMatchObject({ fault: commonFaults.unavailable, cause: away });
    await expect(ask(other)).rejects.toBe(other);
  });
});

describe('a job without a scene', () => {
  const lost = (day: number): PassedScene => ({
    sceneIds: [String(day)],
    date: `2026-06-0${day}`,
    kind: 'lost',
    reason: 'its file is broken',
  });

  test('names the period in which no satellite has passed', () => {
    const elsewhere: PassedScene = { ...lost(1), kind: 'elsewhere' };
    for (const passed of [[], [elsewhere]])
      expectFailure(
        nothingToSee(parameters, passed),
        boundaryJobFaults.noScenes,
        /between 2026-06-01 and 2026-06-12\./,
      );
  });

  test('names the scenes that were lost, the first six of many', () => {
    const text = (count: number): string =>
      nothingToSee(
        parameters,
        Array.from({ length: count }, (_, n) => lost(n + 1)),
      ).message;
    expect(text(2)).toContain('used: 2026-06-01 (its file is broken), 2026-06-02 (its file is broken).');
    expect(text(6)).not.toContain('more');
    expect(text(8)).toContain('2026-06-06 (its file is broken) and 2 more.');
    expect(nothingToSee(parameters, [lost(1)]).fault).toBe(boundaryJobFaults.scenesUnreadable);
  });
});

describe('a prediction without a field', () => {
  const dates = [
    { date: '2026-06-03', sceneIds: ['a'], clearFraction: 1, isUsed: true },
    { date: '2026-06-05', sceneIds: ['b'], clearFraction: 0.9, isUsed: true },
    { date: '2026-06-08', sceneIds: ['c'], clearFraction: 0, isUsed: false, reason: 'clouds lie over the point' },
    { date: '2026-06-10', sceneIds: ['d'], clearFraction: 0, isUsed: false },
  ];
  const refused = (reason: 'no-clear-date' | 'not-farmland' | 'no-field'): JobFailure =>
    refusal({
      outcome: 'refused',
      reason,
      confidence: 0,
      touchesWindow: false,
      dates,
      method: 'network',
      modelVersion: '1',
    });

  test('tells each date with its reason when the point could not be seen', () => {
    expectFailure(
      refused('no-clear-date'),
      boundaryJobFaults.allClouded,
      /2026-06-08 \(clouds lie over the point\), 2026-06-10 \(unknown\)\./,
    );
  });

  test('tells on how many clear days it rests', () => {
    expectFailure(refused('no-field'), boundaryJobFaults.noField, /recognised here on 2 clear day\(s\)\./);
    expectFailure(refused('not-farmland'), boundaryJobFaults.noField, /water or other ground without fields on 2/);
  });
});
