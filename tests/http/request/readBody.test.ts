import { describe, expect, test } from '@jest/globals';
import { gddFaults } from '../../../shared/kit/errors/catalogue.js';
import { readJson } from '../../../shared/http/request/readBody.js';
import { UploadSlots } from '../../../shared/access/rates/uploadSlots.js';
import { ManualClock } from '../../support/manualClock.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const KB = 1024;
const received = (body: AsyncIterable<Uint8Array>, { clock = new ManualClock(), slots = new UploadSlots(1) } = {}) =>
  readJson({ headers: new Headers(), body }, { invalid: gddFaults.invalidBody, maxBytes: 512 * KB, clock, slots });
const read = async (body: AsyncIterable<Uint8Array>, clock = new ManualClock()): Promise<unknown> =>
  (await received(body, { clock })).value;

/** Pieces with so many milliseconds before each. */
async function* pieces(clock: ManualClock, everyMs: number, texts: readonly string[]): AsyncIterable<Uint8Array> {
  for (const text of texts) {
    await clock.sleep(everyMs);
    yield bytes(text);
  }
}

async function* whole(text: string): AsyncIterable<Uint8Array> {
  yield await Promise.resolve(bytes(text));
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
    await clock.advance(10_500);
    await expect(reading).resolves.toMatchObject({ fault: { status: 408 }, headers: { connection: 'close' } });
  });

  test('above 256 KB needs a slot of uploads until it is released, and is 503 without one', async () => {
    const slots = new UploadSlots(1);
    const text = (kilobytes: number) => whole(JSON.stringify('x'.repeat(kilobytes * KB)));
    const large = await received(text(300), { slots });
    await expect(received(text(300), { slots })).rejects.toMatchObject({
      fault: { status: 503 },
      retryAfterSeconds: 10,
    });
    await expect(received(text(200), { slots })).resolves.toMatchObject({ value: expect.any(String) });
    large.release();
    const again = await received(text(300), { slots });
    again.release();
  });

  test('that is refused keeps no slot', async () => {
    const slots = new UploadSlots(1);
    const broken = whole('x'.repeat(300 * KB));
    await expect(received(broken, { slots })).rejects.toMatchObject({ fault: { status: 400 } });
    expect(slots.tryTake()).toBeDefined();
  });

  test('that breaks off is no JSON: a fault of the caller, not of ours', async () => {
    await expect(read(brokenAfter('{"a":'))).rejects.toMatchObject({
      fault: { status: 400 },
      cause: new Error('ECONNRESET'),
    });
  });
});
