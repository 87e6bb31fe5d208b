import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { areArriving, fields, isSearching, loadFields } from '../../console/views/fields/fieldsStore.js';

/** A service that lists these fields, and whose newest enrollment has this status. */
function serve(listed: readonly object[], status?: string): void {
  jest.spyOn(globalThis, 'fetch').mockImplementation((address) => {
    const isOfFields = (address as string).startsWith('/v1/fields');
    const items = isOfFields ? listed : status === undefined ? [] : [{ status }];
    return Promise.resolve(Response.json({ items, cursor: null }));
  });
}

const load = (): Promise<unknown> => loadFields(new AbortController().signal);

describe('a customer without fields', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  test.each([
    { status: 'received', isToCome: true },
    { status: 'in_progress', isToCome: true },
    { status: 'failed', isToCome: false },
    { status: undefined, isToCome: false },
  ])('whose newest enrollment is $status has some to come: $isToCome', async ({ status, isToCome }) => {
    serve([], status);
    await load();
    expect([fields.value, areArriving.value, isSearching.value]).toEqual([[], isToCome, isToCome]);
  });

  test('waits no longer once they are listed', async () => {
    serve([], 'received');
    await load();
    serve([{ field_id: 'North Forty', newest: null, newest_picture: null, errors: [], enrollments: [] }], 'received');
    await load();
    expect([fields.value?.length, areArriving.value]).toEqual([1, false]);
  });
});
