import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { serviceNow, serviceToday } from '../../console/api/clock.js';
import { customerFolder, storage } from '../../console/api/storage.js';
import { signIn, signOut } from '../../console/session/session.js';

const HOUR_MS = 3_600_000;
const NOON = Date.parse('2026-07-16T12:00:00Z');
/** A SAS is good for so long. */
const LIFE_MS = 8 * HOUR_MS;

describe.each([
  { clock: 'right', offHours: 0 },
  { clock: '8 hours ahead', offHours: 8 },
  { clock: 'three days ahead', offHours: 72 },
  { clock: '8 hours behind', offHours: -8 },
])('on a computer whose clock is $clock', ({ offHours }) => {
  const { fetch } = globalThis;
  let granted = 0;
  let atService = NOON;

  beforeEach(() => {
    atService = NOON;
    jest.spyOn(Date, 'now').mockImplementation(() => atService + offHours * HOUR_MS);
    granted = 0;
    globalThis.fetch = () => {
      granted += 1;
      const end = new Date(atService + LIFE_MS).toISOString();
      return Promise.resolve(
        Response.json(
          { account_name: 'a', file_system: 'imagery', path: 'customer', sas_token: `se=${end}&sig=x` },
          { headers: { date: new Date(atService).toUTCString() } },
        ),
      );
    };
    signIn({ apiKey: 'key' }, false);
  });
  afterEach(() => {
    jest.restoreAllMocks();
    globalThis.fetch = fetch;
    signOut();
  });

  test('access to storage is asked for once while it is good, and in time before it is over', async () => {
    await customerFolder();
    atService += LIFE_MS - 2 * 60_000;
    await customerFolder();
    await customerFolder();
    expect(granted).toBe(1);
    atService += 90_000;
    await customerFolder();
    await customerFolder();
    expect(granted).toBe(2);
  });

  test('what is said of its life, and today, are by the clock of the service', async () => {
    await customerFolder();
    expect([(storage.value?.endsAt ?? 0) - serviceNow(), serviceToday()]).toEqual([LIFE_MS, '2026-07-16']);
  });
});
