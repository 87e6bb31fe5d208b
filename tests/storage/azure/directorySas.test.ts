import { beforeEach, describe, expect, test } from '@jest/globals';
import { accountNameOf, directorySas } from '../../../shared/storage/azure/directorySas.js';
import { ManualClock } from '../../support/manualClock.js';

const HOUR_MS = 3_600_000;
let clock: ManualClock;
let asked: [Date, Date][];
let isAway: boolean;
beforeEach(() => {
  clock = new ManualClock('2026-06-15T12:00:00Z');
  asked = [];
  isAway = false;
});

const grantor = () =>
  directorySas({
    clock,
    accountName: 'fieldimagery',
    fileSystem: 'imagery',
    getUserDelegationKey: async (startsOn, expiresOn) => {
      asked.push([startsOn, expiresOn]);
      await Promise.resolve();
      if (isAway) throw Object.assign(new Error('away'), { name: 'RestError', statusCode: 503 });
      return {
        signedObjectId: 'oid',
        signedTenantId: 'tid',
        signedStartsOn: startsOn,
        signedExpiresOn: expiresOn,
        signedService: 'b',
        signedVersion: '2025-07-05',
        value: Buffer.from(`key ${asked.length}`).toString('base64'),
      };
    },
  });

const fieldsOf = (sas: string): Record<string, string> => Object.fromEntries(new URLSearchParams(sas));

describe('storage access', () => {
  test('is a directory SAS to read and list by https, from a quarter of an hour ago for eight hours', async () => {
    const { sas_token, ...record } = await grantor()('contoso', 'field-imagery');
    expect(record).toEqual({ account_name: 'fieldimagery', file_system: 'imagery', path: 'contoso/field-imagery' });
    expect(fieldsOf(sas_token)).toMatchObject({
      sr: 'd',
      sdd: '2',
      sp: 'rl',
      spr: 'https',
      sv: '2025-07-05',
      st: '2026-06-15T11:45:00Z',
      se: '2026-06-15T20:00:00Z',
    });
  });

  test('is signed for its own directory', async () => {
    const grant = grantor();
    const [one, other] = [await grant('contoso', 'field-imagery'), await grant('contos0', 'field-imagery')];
    expect(fieldsOf(one.sas_token)['sig']).not.toBe(fieldsOf(other.sas_token)['sig']);
  });

  test.each([
    '',
    '.',
    '..',
    'a/b',
    'a//b',
    '/',
    'a/',
    ' ',
    'a b',
    'a..b',
    '%2e',
    'a\\b',
    'a\n',
    'ä',
    'x'.repeat(200),
    '.a',
    'a.',
  ])('is never granted for the segment %j', async (segment) => {
    await expect(grantor()(segment, 'field-imagery')).rejects.toThrow(/bad path segment/);
    await expect(grantor()('contoso', segment)).rejects.toThrow(/bad path segment/);
    expect(asked).toEqual([]);
  });

  test('asked for 200 times at once fetches one key', async () => {
    const grant = grantor();
    await Promise.all(Array.from({ length: 200 }, () => grant('contoso', 'field-imagery')));
    expect(asked).toEqual([[new Date('2026-06-15T11:45:00Z'), new Date('2026-06-16T12:00:00Z')]]);
  });

  test('uses a key only while it outlives the SAS by half an hour', async () => {
    const grant = grantor();
    await grant('contoso', 'field-imagery');
    clock.jump(15.5 * HOUR_MS - 1);
    await grant('contoso', 'field-imagery');
    expect(asked).toHaveLength(1);
    clock.jump(1);
    await grant('contoso', 'field-imagery');
    expect(asked).toHaveLength(2);
  });

  test('that could not be signed is 503 once, not for ever', async () => {
    const grant = grantor();
    isAway = true;
    await expect(grant('contoso', 'field-imagery')).rejects.toMatchObject({ fault: { status: 503 } });
    isAway = false;
    await expect(grant('contoso', 'field-imagery')).resolves.toBeDefined();
  });
});

test.each([
  ['https://fieldimagery.blob.core.windows.net', 'fieldimagery'],
  ['https://127.0.0.1:10000/fieldimagery', 'fieldimagery'],
])('the account of %s is %s', (uri, account) => {
  expect(accountNameOf(uri)).toBe(account);
});
