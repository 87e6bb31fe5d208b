import { describe, expect, test } from '@jest/globals';
import { LONGEST_DELAY_SECONDS, MOST_MESSAGE_BYTES, type Messages } from '../../shared/storage/messages.js';

/** What every implementation of `Messages` does. @param open a queue of its own for each test, which is empty */
export function describeMessages(where: string, open: () => Promise<Messages>): void {
  describe(`messages ${where}`, () => {
    test('wait in the order in which they became visible, and looking takes none away', async () => {
      const messages = await open();
      expect(await messages.head()).toBeUndefined();
      await messages.send('first ä😀', 0);
      await messages.send('second', 0);
      for (let look = 0; look < 2; look += 1) expect((await messages.head())?.text).toBe('first ä😀');
      expect(Math.abs(((await messages.head())?.insertedAt ?? 0) - Date.now())).toBeLessThan(60_000);
    });

    test('that are hidden are not at the head', async () => {
      const messages = await open();
      await messages.send('hidden', LONGEST_DELAY_SECONDS);
      expect(await messages.head()).toBeUndefined();
      await messages.send('visible', 0);
      expect((await messages.head())?.text).toBe('visible');
    });

    test('that are taken are hidden from others, and gone once they are deleted, twice too', async () => {
      const messages = await open();
      for (const text of ['first', 'second']) await messages.send(text, 0);
      const taken = await messages.receive();
      expect(taken.map(({ text }) => text)).toEqual(['first', 'second']);
      expect([await messages.head(), await messages.receive()]).toEqual([undefined, []]);
      for (const message of [...taken, ...taken]) await messages.delete(message);
      expect(await messages.receive()).toEqual([]);
    });

    test('are counted, hidden ones too', async () => {
      const messages = await open();
      expect(await messages.approximateCount()).toBe(0);
      for (const delay of [0, 60]) await messages.send('one', delay);
      expect(await messages.approximateCount()).toBe(2);
    });

    test('come 32 at a time at most', async () => {
      const messages = await open();
      await Promise.all(Array.from({ length: 40 }, (_, index) => messages.send(String(index), 0)));
      expect([(await messages.receive()).length, (await messages.receive()).length]).toEqual([32, 8]);
    });

    test('of 48 KiB come back whole', async () => {
      const messages = await open();
      const text = 'x'.repeat(MOST_MESSAGE_BYTES);
      await messages.send(text, 0);
      expect((await messages.head())?.text === text).toBe(true);
    });

    test.each([
      { why: 'above 48 KiB', text: 'ä'.repeat(MOST_MESSAGE_BYTES / 2 + 1), delay: 0, told: 'at most 49152' },
      { why: 'hidden for more than seven days', text: 'a', delay: LONGEST_DELAY_SECONDS + 1, told: '0 to 604800' },
      { why: 'hidden for less than nothing', text: 'a', delay: -1, told: '0 to 604800' },
      { why: 'hidden for no number of seconds', text: 'a', delay: NaN, told: '0 to 604800' },
    ])('$why are refused before they are sent', async ({ text, delay, told }) => {
      const messages = await open();
      await expect((async () => messages.send(text, delay))()).rejects.toThrow(told);
      expect(await messages.head()).toBeUndefined();
    });
  });
}
