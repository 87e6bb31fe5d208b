import { afterEach, describe, expect, jest, test } from '@jest/globals';
import {
  days,
  fields,
  loadDays,
  loadDaysOf,
  retryStorage,
  storageError,
} from '../../console/views/fields/fieldsStore.js';
import type { ListedField } from '../../console/api/fields.js';

const NORTH = 'North Forty';
const BACK = 'Back Field';

/** A service and its storage; what of storage is away answers 503. */
function serve(isAway: (path: string) => boolean): void {
  const answers: Readonly<Record<string, object>> = {
    '/v1/auth/sas-token': { account_name: 'a', file_system: 'imagery', sas_token: 'sig=x', path: 'farm/imagery' },
    '/console/settings.json': { blobEndpoint: 'https://a.blob.test', tiles: null, login: null, version: '0' },
  };
  jest.spyOn(globalThis, 'fetch').mockImplementation((address) => {
    const path = decodeURIComponent(new URL(address as string, 'https://app.test').pathname);
    if (isAway(path)) return Promise.resolve(new Response(null, { status: 503 }));
    return Promise.resolve(Response.json(answers[path] ?? { 'fieldimagery:dates': [] }));
  });
}

describe('a field whose days could not be read', () => {
  afterEach(() => {
    jest.restoreAllMocks();
  });

  test('stays a failure, which is tried again, until its days are read: also while others can be', async () => {
    fields.value = [NORTH, BACK].map((id) => ({ field_id: id, newest: {} }) as ListedField);
    serve((path) => path.includes(BACK));
    await loadDaysOf([NORTH, BACK], new AbortController().signal);
    await loadDays(NORTH, true);
    expect([[...days.value.keys()], storageError.value]).toEqual([[NORTH], expect.any(Error)]);

    serve(() => false);
    await retryStorage(NORTH);
    expect([[...days.value.keys()], storageError.value]).toEqual([[NORTH, BACK], undefined]);
  });
});
