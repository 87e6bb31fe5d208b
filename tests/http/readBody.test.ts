import { describe, expect, test } from '@jest/globals';
import { gddFaults } from '../../shared/errors/catalogue.js';
import { readJson } from '../../shared/http/readBody.js';
import { ManualClock } from '../support/manualClock.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const read = (body: AsyncIterable<Uint8Array>, clock = new ManualClock()): Promise<unknown> =>
  readJson({ headers: new Headers(), body }, { invalid: gddFaults.invalidBody, maxBytes: 64 * 1024, clock });

/** Pieces with so many milliseconds before each. */
async function* pieces(clock: ManualClock, everyMs: number, texts: readonly string[]): AsyncIterable<Uint8Array> {
  for (const text of texts) {
    await clock.sleep(everyMs);
    yield bytes(text);
  }
}

async function* brokenAfter(text: string): AsyncIterable<Uint8Array> {
  yield bytes(text);
  await Promise.reject(new Error('ECONNRESET'));
}

describe('a JSON body', () => {
  test('may come in pieces', async () => {
    const clock = new ManualClock();
    const reading = read(pieces(clock, 3_000, ['{"a"', ':', '1}']), clock);
    await clock.advance(9_000);
    await expect(reading).resolves.toEqual({ a: 1 });
  });

  test('that drips is 408 after ten seconds, and its connection ends', async () => {
    const clock = new ManualClock();
    const reading = read(pieces(clock, 1_000, Array<string>(100).fill(' ')), clock).catch((error: unknown) => error);
    // It is looked at four times a second.
    await clock.advance(10_250);
    await expect(reading).resolves.toMatchObject({ fault: { status: 408 }, headers: { connection: 'close' } });
  });

  test('that breaks off is no JSON: a fault of the caller, not of ours', async () => {
    await expect(read(brokenAfter('{"a":'))).rejects.toMatchObject({
      fault: { status: 400 },
      cause: new Error('ECONNRESET'),
    });
  });
});
