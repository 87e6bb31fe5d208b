import { describe, expect, test } from '@jest/globals';
import { DataManagerError, type DataManager } from '../../../shared/jobs/dataManager/dataManager.js';
import { boundaryJobFaults } from '../../../shared/kit/errors/boundaryFaults.js';
import {
  findIngest,
  requireFarm,
  roundIds,
  startIngest,
  type IngestRound,
} from '../../../shared/boundary/job/ingestStep.js';
import { searchRegion } from '../../../shared/boundary/stack/searchRegion.js';
import { point } from './aRecord.js';

const parameters = {
  partyId: 'a-party',
  resourceId: 'a-farm',
  imageStartDate: '2026-06-01',
  imageEndDate: '2026-06-12',
  pointOnSurface: point,
};
const region = searchRegion(point, 0);
const running = { id: 'ingest', status: 'running' } as const;
const credentials = { clientId: 'c', clientSecret: { keyVaultUri: 'v', keyName: 'k', keyVersion: '1' } };
const licences = { get: () => Promise.resolve(credentials) };

const aRound = (dataManager: Partial<DataManager>): IngestRound => ({
  dataManager: {
    putField: () => Promise.resolve(),
    startSceneIngest: () => Promise.resolve(running),
    ...dataManager,
  } as DataManager,
  parameters,
  region,
  fieldId: 'search',
  ingestId: 'ingest',
  tenant: 'a-tenant',
  jobId: 'north-field',
  signal: new AbortController().signal,
});
const refusing = (error: Error) => () => Promise.reject(error);
const fault = (kind: DataManagerError['kind'], status: number, retryAfterSeconds?: number): DataManagerError =>
  new DataManagerError(kind, 'no', { status, ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }) });

describe('the ids of a round', () => {
  test('are the same for the same insight, and others for field, ingest and the second round', () => {
    const ids = ([0, 1] as const).flatMap((round) => Object.values(roundIds('an-insight', round)));
    expect(new Set(ids).size).toBe(4);
    expect(roundIds('an-insight', 0)).toEqual(roundIds('an-insight', 0));
    expect(roundIds('an-insight', 0).fieldId).not.toBe(roundIds('another', 0).fieldId);
  });
});

describe('the start of an ingest', () => {
  test('writes the search region as a field of the farm, then orders 10 m scenes of the period on the licence', async () => {
    const calls: unknown[] = [];
    const round = aRound({
      putField: (...args) => {
        calls.push(args.slice(0, 3));
        return Promise.resolve();
      },
      startSceneIngest: (...args) => {
        calls.push(args.slice(0, 2));
        return Promise.resolve(running);
      },
    });
    expect(await startIngest(round, licences)).toEqual(running);
    expect(calls).toEqual([
      [
        'a-party',
        'search',
        {
          farmId: 'a-farm',
          name: expect.any(String),
          description: expect.stringContaining('north-field'),
          geometry: region.polygon,
          status: 'SearchRegion',
        },
      ],
      [
        'ingest',
        {
          partyId: 'a-party',
          fieldId: 'search',
          from: '2026-06-01',
          to: '2026-06-12',
          collection: 'sentinel-2-l2a',
          images: ['B02', 'B03', 'B04', 'B08', 'SCL'],
          resolution: 10,
          credentials,
        },
      ],
    ]);
  });

  test.each([
    { why: 'throttled, without a pause', error: fault('throttled', 429), retryAfterSeconds: 0 },
    { why: 'throttled, with one', error: fault('throttled', 429, 40), retryAfterSeconds: 40 },
    {
      why: 'a conflict with ingests of others, for ours is not there',
      error: fault('not_found', 404),
      retryAfterSeconds: 0,
    },
  ])('finds no room when it is $why', async ({ error, retryAfterSeconds }) => {
    expect(await startIngest(aRound({ startSceneIngest: refusing(error) }), licences)).toEqual({
      status: 'no room',
      retryAfterSeconds,
    });
  });

  test('asked to pause for ten days speaks of something else than places', async () => {
    const error = fault('throttled', 429, 864_000);
    await expect(startIngest(aRound({ startSceneIngest: refusing(error) }), licences)).rejects.toBe(error);
  });

  test('fails for the licence that the data manager refuses, and for the field it does not take', async () => {
    const refused = startIngest(aRound({ startSceneIngest: refusing(fault('bad_request', 400)) }), licences);
    await expect(refused).rejects.toMatchObject({ fault: boundaryJobFaults.licenceRefused });
    const untaken = startIngest(aRound({ putField: refusing(fault('bad_request', 422)) }), licences);
    await expect(untaken).rejects.toMatchObject({ fault: boundaryJobFaults.ingestFailed });
  });

  test('leaves a fault of ours as it is', async () => {
    const error = Object.assign(new Error('a fault of ours'), { kind: 'throttled' });
    await expect(startIngest(aRound({ startSceneIngest: refusing(error) }), licences)).rejects.toBe(error);
  });
});

describe('an ingest', () => {
  test('that the data manager does not know is none', async () => {
    expect(await findIngest(aRound({ getSceneIngest: refusing(fault('not_found', 404)) }))).toBeUndefined();
    expect(await findIngest(aRound({ getSceneIngest: () => Promise.resolve(running) }))).toEqual(running);
  });

  test.each([fault('unavailable', 503), Object.assign(new Error('ours'), { kind: 'not_found' })])(
    'that cannot be looked at is no unknown one: $message',
    async (error) => {
      await expect(findIngest(aRound({ getSceneIngest: refusing(error) }))).rejects.toBe(error);
    },
  );

  test('is for a farm that the party has', async () => {
    await expect(requireFarm(aRound({ getFarm: refusing(fault('not_found', 404)) }))).rejects.toMatchObject({
      fault: boundaryJobFaults.farmNotFound,
    });
    const farm = { id: 'a-farm', partyId: 'a-party' };
    await expect(requireFarm(aRound({ getFarm: () => Promise.resolve(farm) }))).resolves.toBeUndefined();
  });
});
