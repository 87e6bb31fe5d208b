import { beforeEach, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { randomBytes } from 'node:crypto';
import { MemoryRows } from '../../support/memoryRows.js';
import { ApiKeyRefusal, checkApiKey } from '../../../shared/access/auth/apiKeyCheck.js';
import { apiKeyDigest, newestPepper } from '../../../shared/access/auth/apiKeyDigest.js';
import { keySource, newApiKey, parseApiKey } from '../../../shared/access/auth/apiKeyFormat.js';
import { createCustomer, revokeKey, rotateKeys } from '../../../shared/access/customers/manageCustomers.js';
import { ManualClock } from '../../support/manualClock.js';
import { CustomerStore } from '../../../shared/access/customers/customerStore.js';

describe('a new key', () => {
  test('has a prefix, a public id, 238 bits of secret and check digits', () => {
    const { keyId, text } = newApiKey();
    expect(text).toMatch(/^pfs_[0-9A-Za-z]{12}_[0-9A-Za-z]{46}$/);
    expect(text.split('_')[1]).toBe(keyId);
    expect(parseApiKey(text)).toEqual({ keyId, text });
  });

  test('is drawn evenly: a byte that would favour some digits is left out', () => {
    const bytes = [248, 255, ...Array.from({ length: 62 }, (_, index) => index)];
    const key = newApiKey((length) => Uint8Array.from({ length }, (_, index) => bytes[index % bytes.length]!));
    // Ten good bytes of the first twelve, two of the next.
    expect(key.keyId).toBe('012345678901');
  });
});

/**
 * 40 digits drawn each for itself, each of the 62 as likely: log2(62^40) = 238 bits. The tests take that sentence apart:
 * the source, one digit, all digits, and what a key shows of it.
 */
describe('the 238 bits of a key', () => {
  const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  const [ID, SECRET] = [12, 40];
  const secretOf = (text: string): string => text.slice(-46, -6);

  /** A source that gives these bytes, then zeros; it counts what it gave. */
  function sourceOf(bytes: readonly number[]) {
    const source = {
      given: 0,
      random: (length: number) => Uint8Array.from({ length }, () => bytes[source.given++] ?? 0),
    };
    return source;
  }

  test('come from the generator of the system', () => {
    expect(keySource).toBe(randomBytes);
  });

  test('are one digit for one byte: each digit has four of the 248 bytes that count, and no byte has two', () => {
    const bytesOfDigit = new Map<string, number>();
    for (let byte = 0; byte < 256; byte += 1) {
      // The byte decides the first digit of the secret, unless it is left out: then the next byte, 61, does.
      const { text } = newApiKey(sourceOf([...Array<number>(ID).fill(0), byte, 61]).random);
      const digit = secretOf(text).charAt(0);
      if (byte < 248) bytesOfDigit.set(digit, (bytesOfDigit.get(digit) ?? 0) + 1);
      else expect(digit).toBe('z');
    }
    expect(Object.fromEntries(bytesOfDigit)).toEqual(Object.fromEntries(Array.from(DIGITS, (digit) => [digit, 4])));
  });

  test('lie in all 40 digits: each is decided by a byte of its own, and by that alone', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 247 }), { minLength: ID + SECRET, maxLength: ID + SECRET }),
        fc.integer({ min: 0, max: SECRET - 1 }),
        fc.integer({ min: 1, max: 61 }),
        (bytes, place, shift) => {
          const secret = secretOf(newApiKey(sourceOf(bytes).random).text);
          expect(secret).toBe(
            bytes
              .slice(ID)
              .map((byte) => DIGITS.charAt(byte % 62))
              .join(''),
          );
          const changed = bytes.with(ID + place, ((bytes[ID + place] ?? 0) + shift) % 248);
          const other = secretOf(newApiKey(sourceOf(changed).random).text);
          const differing = Array.from(secret).flatMap((digit, index) =>
            other.charAt(index) === digit ? [] : [index],
          );
          expect(differing).toEqual([place]);
        },
      ),
    );
  });

  test('are drawn anew for each key: no key takes fewer than 52 bytes, none is used twice', () => {
    const source = sourceOf(Array.from({ length: 1_000 }, (_, index) => index % 248));
    const texts = [newApiKey(source.random).text, newApiKey(source.random).text];
    expect(source.given).toBeGreaterThanOrEqual(2 * (ID + SECRET));
    expect(secretOf(texts[0]!)).not.toBe(secretOf(texts[1]!));
  });

  test('are not to be seen in the id or in the check digits: what is not secret follows from the rest', () => {
    const zeros = Array<number>(SECRET).fill(0);
    const ids = [
      newApiKey(sourceOf([...Array<number>(ID).fill(7), ...zeros]).random),
      newApiKey(sourceOf([...Array<number>(ID).fill(7), ...zeros.with(0, 9)]).random),
    ];
    expect(new Set(ids.map(({ keyId }) => keyId)).size).toBe(1);
    expect(new Set(ids.map(({ text }) => text)).size).toBe(2);
  });

  test('show in keys as they are handed out: at every place every digit, evenly, and no digit tells the next', () => {
    const KEYS = 12_400;
    const secrets = Array.from({ length: KEYS }, () => secretOf(newApiKey().text));
    expect(new Set(secrets).size).toBe(KEYS);
    for (let place = 0; place < SECRET; place += 1) {
      const counts = countOf(secrets.map((secret) => secret.charAt(place)));
      // 61 degrees of freedom: 150 is exceeded by chance in fewer than one of 10^8 runs over all places.
      expect(chiSquare(counts, 62, KEYS / 62)).toBeLessThan(150);
    }
    const pairs = secrets.flatMap((secret) =>
      Array.from({ length: SECRET - 1 }, (_, place) => secret.slice(place, place + 2)),
    );
    // 3,843 degrees of freedom: their standard deviation is 88, so this is six of them.
    expect(chiSquare(countOf(pairs), 62 * 62, pairs.length / (62 * 62))).toBeLessThan(3_843 + 6 * 88);
  });

  const countOf = (values: readonly string[]): readonly number[] => {
    const counts = new Map<string, number>();
    for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
    return [...counts.values()];
  };
  /** How far counts are from the same for all kinds; a kind that never came counts too. */
  const chiSquare = (counts: readonly number[], kinds: number, expected: number): number =>
    counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, (kinds - counts.length) * expected);
});

describe('a text is no key', () => {
  const { text } = newApiKey();
  test.each([
    ['empty', ''],
    ['of another prefix', text.replace('pfs', 'sk')],
    ['with a space behind', `${text} `],
    ['twice, as joined headers are', `${text},${text}`],
    ['in lower case', text.toLowerCase()],
    ['of 10 KB', text.repeat(150)],
  ])('when it is %s', (_what, given) => {
    expect(parseApiKey(given)).toBeUndefined();
  });

  test('when one character was mistyped', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 17, max: text.length - 1 }),
        fc.constantFrom('a', 'Z', '0', '9'),
        (place, digit) => {
          fc.pre(text[place] !== digit);
          expect(parseApiKey(`${text.slice(0, place)}${digit}${text.slice(place + 1)}`)).toBeUndefined();
        },
      ),
    );
  });
});

describe('a digest', () => {
  const peppers = new Map([
    ['1', Buffer.alloc(32, 1)],
    ['2', Buffer.alloc(32, 2)],
    ['10', Buffer.alloc(32, 3)],
  ]);
  test('depends on the pepper and on the key', () => {
    const digests = ['1', '2'].flatMap((version) => ['a', 'b'].map((key) => apiKeyDigest(key, version, peppers)));
    expect(new Set(digests.map(String)).size).toBe(4);
  });

  test('of new keys is made with the highest version, by number', () => {
    expect(newestPepper(peppers)).toBe('10');
  });

  test('of a version that is not configured cannot be made', () => {
    expect(() => apiKeyDigest('a', '3', peppers)).toThrow('no version 3');
  });
});

describe('the Api-Key header', () => {
  let clock: ManualClock;
  let customers: CustomerStore;
  let reads: string[];
  let check: (header: string | null) => Promise<string>;
  const peppers = new Map([['1', Buffer.alloc(32, 1)]]);
  const manage = () => ({ customers, peppers, clock });

  beforeEach(() => {
    clock = new ManualClock();
    customers = new CustomerStore(new MemoryRows());
    reads = [];
    const findKey = (keyId: string) => {
      reads.push(keyId);
      return customers.findKey(keyId);
    };
    check = checkApiKey({ findKey, peppers, clock });
  });

  const reasonOf = async (header: string | null): Promise<string> => {
    const refusal: unknown = await check(header).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ApiKeyRefusal);
    expect(refusal).toMatchObject({ fault: { status: 401 }, headers: { 'www-authenticate': 'ApiKey' } });
    return (refusal as ApiKeyRefusal).reason;
  };

  test('speaks for the customer of the key, without a look into storage for each request', async () => {
    const { apiKey } = await createCustomer(manage())('contoso', 250);
    await expect(check(apiKey)).resolves.toBe('contoso');
    await expect(check(apiKey)).resolves.toBe('contoso');
    expect(reads).toHaveLength(1);
  });

  test('is refused in the same words whatever is wrong, the reason going to the log alone', async () => {
    const { apiKey } = await createCustomer(manage())('contoso', 250);
    const { keyId } = parseApiKey(apiKey)!;
    const forged = Array.from({ length: 1 }, () => newApiKey((length) => new Uint8Array(length)))[0]!;
    const stored = (await customers.findKey(keyId))!;
    await customers.insertKey({ ...stored, keyId: forged.keyId });
    const unknown = newApiKey().text;
    const messages = new Set<string>();
    for (const [header, reason] of [
      [null, 'missing'],
      ['Bearer x', 'malformed'],
      [unknown, 'unknown key'],
      [forged.text, 'wrong secret'],
    ] as const) {
      await expect(reasonOf(header)).resolves.toBe(reason);
      messages.add(await check(header).catch((error: unknown) => (error as Error).message));
    }
    expect(messages.size).toBe(1);
  });

  test('that is malformed costs no look into storage, one that is unknown exactly one', async () => {
    await reasonOf('pfs_000000000000_0000000000000000000000000000000000000000000000');
    expect(reads).toEqual([]);
    const { text } = newApiKey();
    await reasonOf(text);
    await reasonOf(text);
    expect(reads).toHaveLength(1);
  });

  test('is refused within a minute of its revocation', async () => {
    const { apiKey } = await createCustomer(manage())('contoso', 250);
    await check(apiKey);
    await revokeKey(manage())(parseApiKey(apiKey)!.keyId);
    clock.jump(60_000);
    await expect(reasonOf(apiKey)).resolves.toBe('expired or revoked');
  });

  test('is refused from its end on, even if it was remembered', async () => {
    const { apiKey } = await createCustomer(manage())('contoso', 250);
    const second = await rotateKeys(manage())('contoso', 10_000);
    await check(apiKey);
    clock.jump(9_999);
    await check(apiKey);
    clock.jump(1);
    await expect(reasonOf(apiKey)).resolves.toBe('expired or revoked');
    await expect(check(second.apiKey)).resolves.toBe('contoso');
  });

  test('made with an older pepper goes on while that one is configured', async () => {
    const { apiKey } = await createCustomer(manage())('contoso', 250);
    const both = new Map([...peppers, ['2', Buffer.alloc(32, 2)]]);
    const findKey = (keyId: string) => customers.findKey(keyId);
    await expect(checkApiKey({ findKey, peppers: both, clock })(apiKey)).resolves.toBe('contoso');
    const newest = await rotateKeys({ ...manage(), peppers: both })('contoso', undefined);
    expect((await customers.findKey(parseApiKey(newest.apiKey)!.keyId))?.pepper).toBe('2');
    await expect(checkApiKey({ findKey, peppers: both, clock })(newest.apiKey)).resolves.toBe('contoso');
  });

  test('of 20,000 made-up keys leaves room for the right one', async () => {
    const { apiKey } = await createCustomer(manage())('contoso', 250);
    for (let index = 0; index < 20_000; index += 1) await check(newApiKey().text).catch(() => undefined);
    await expect(check(apiKey)).resolves.toBe('contoso');
  });

  test('is stored as nothing that could be shown as a key again', async () => {
    const { apiKey } = await createCustomer(manage())('contoso', 250);
    const stored = JSON.stringify(await customers.listKeys('contoso'));
    expect(stored).not.toContain(apiKey.split('_')[2]!.slice(0, 20));
  });

  test('asked for while storage is away is an error of ours, not of the key, and not remembered', async () => {
    const { apiKey } = await createCustomer(manage())('contoso', 250);
    let isAway = true;
    const findKey = (keyId: string) => (isAway ? Promise.reject(new Error('away')) : customers.findKey(keyId));
    const checkAway = checkApiKey({ findKey, peppers, clock });
    await expect(checkAway(apiKey)).rejects.toThrow('away');
    isAway = false;
    await expect(checkAway(apiKey)).resolves.toBe('contoso');
  });
});
