import { describe, expect, test } from '@jest/globals';
import { writeSearchField, type RegionSearch } from '../../../shared/boundary/job/searchField.js';
import { searchRegion } from '../../../shared/boundary/stack/searchRegion.js';
import type { Land } from '../../../shared/farm/land/land.js';
import { putLand } from '../../../shared/farm/operations/putLand.js';
import { boundaryJobFaults } from '../../../shared/kit/errors/boundaryFaults.js';
import { farmDataOf } from '../../../shared/wiring/areas/jobServices.js';
import type { DataStorage } from '../../../shared/wiring/clients/storageClients.js';
import type { TableName } from '../../../shared/storage/names.js';
import { ManualClock } from '../../support/manualClock.js';
import { by, landInMemory, landKey, partyKey, TENANT } from '../../farm/landInMemory.js';

const FIELD = landKey('field', 'search');

/** Farm data with a party, perhaps with the farm, and the search of a job in it. */
async function farmWith({ hasFarm }: { readonly hasFarm: boolean }) {
  const { land, rows, blobs, ports } = landInMemory();
  const put = putLand(ports);
  await put(partyKey('party'), { body: {}, by });
  if (hasFarm) await put(landKey('farm', 'farm'), { body: {}, by });
  const storage = { rows: (name: TableName) => rows(name), blobs: () => blobs } as unknown as DataStorage;
  const { newId, insightsPerDay } = ports;
  const clock = new ManualClock('2026-06-20T15:00:00Z');
  const search = {
    dataManager: farmDataOf({ storage, clock, newId, insightsPerDay })(TENANT),
    parameters: { partyId: 'party', resourceId: 'farm' },
    jobId: 'north-field',
    signal: new AbortController().signal,
    region: searchRegion([13.15, 48.3], 0),
    fieldId: FIELD.id,
  } as unknown as RegionSearch;
  /** Marks the search field as a cascade does that deletes it. */
  const markDeleting = async (): Promise<void> => {
    const stored = (await land.findWhole(FIELD))!;
    const marked: Land = { ...stored.land, isDeleting: true };
    await land.update(FIELD, marked, stored);
  };
  return { search, markDeleting, fieldOf: () => land.find(FIELD) };
}

describe('the search field of a Smart Boundary job', () => {
  test('is written as a field of its farm, which says that it is a search region', async () => {
    const { search, fieldOf } = await farmWith({ hasFarm: true });
    await writeSearchField(search);
    expect((await fieldOf())?.land).toMatchObject({ farmId: 'farm', status: 'SearchRegion' });
  });

  test('of a farm that has gone between two reads fails the job', async () => {
    const { search, fieldOf } = await farmWith({ hasFarm: false });
    await expect(writeSearchField(search)).rejects.toMatchObject({
      fault: boundaryJobFaults.farmNotFound,
      message: expect.stringMatching(/^The party party has no farm farm that your tenant owns\./),
    });
    expect(await fieldOf()).toBeUndefined();
  });

  test('that its tenant deletes meanwhile is left to a later attempt, for its farm is there', async () => {
    const { search, markDeleting } = await farmWith({ hasFarm: true });
    await writeSearchField(search);
    await markDeleting();
    await expect(writeSearchField(search)).rejects.toMatchObject({ name: 'DataManagerError', kind: 'conflict' });
  });
});
