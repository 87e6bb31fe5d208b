import { beforeEach, describe, expect, test } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import type { Blobs } from '../../shared/storage/blobs.js';
import { bury, isBuried, readLiving, writeFenced } from '../../shared/storage/fencedBlobs.js';

const type = 'text/plain';
const [first, second] = [Buffer.from('first'), Buffer.from('the second')];

/**
 * What every implementation of `Blobs` does.
 *
 * @param meetings which fenced writers meet in every order of their requests: two have up to 20 orders, three some
 *   thousands, too many for storage behind a network
 */
export function describeBlobs(where: string, blobs: Blobs, meetings: 'all' | 'of two' = 'all'): void {
  describeFencedBlobs(where, blobs);
  describeFencedWriters(where, blobs, meetings === 'all' ? allMeetings : meetingsOfTwo);

  describe(`blobs ${where}`, () => {
    let folder = '';
    let name = '';
    beforeEach(() => {
      folder = randomUUID();
      name = `${folder}/ä b.txt`;
    });
    const textOf = async (): Promise<string | undefined> => (await blobs.read(name))?.bytes.toString();

    test('are read as they were written, with their metadata', async () => {
      const etag = await blobs.write(name, first, { type, metadata: { standing: 'a1' } });
      expect(await blobs.read(name)).toEqual({ bytes: first, etag, metadata: { standing: 'a1' } });
      expect(await blobs.head(name)).toEqual({ etag, metadata: { standing: 'a1' } });
    });

    test('that nobody wrote are undefined', async () => {
      expect(await blobs.read(name)).toBeUndefined();
      expect(await blobs.head(name)).toBeUndefined();
    });

    test('of no bytes, and of more than one request takes, come back whole', async () => {
      for (const bytes of [Buffer.alloc(0), randomBytes(9 * 1024 * 1024)]) {
        await blobs.write(name, bytes, { type });
        expect((await blobs.read(name))?.bytes.equals(bytes)).toBe(true);
      }
    });

    test('are written over when nothing is said of what is there', async () => {
      await blobs.write(name, first, { type, metadata: { standing: 'a1' } });
      await blobs.write(name, second, { type });
      expect(await blobs.read(name)).toMatchObject({ bytes: second, metadata: {} });
    });

    test('are written onto nothing only where there is nothing', async () => {
      expect(await blobs.write(name, first, { type, onto: null })).toEqual(expect.any(String));
      expect(await blobs.write(name, second, { type, onto: null })).toBeUndefined();
      expect(await textOf()).toBe('first');
    });

    test('are written onto what was read only where it is still there', async () => {
      const before = (await blobs.write(name, first, { type })) ?? '';
      expect(await blobs.write(name, second, { type, onto: before })).toEqual(expect.any(String));
      expect(await blobs.write(name, first, { type, onto: before })).toBeUndefined();
      expect(await textOf()).toBe('the second');
      await blobs.delete(name);
      expect(await blobs.write(name, first, { type, onto: before })).toBeUndefined();
      expect(await textOf()).toBeUndefined();
    });

    test('that are deleted are gone, and deleting them again is no fault', async () => {
      const etag = (await blobs.write(name, first, { type })) ?? '';
      expect(await blobs.delete(name)).toBe(true);
      expect(await blobs.read(name)).toBeUndefined();
      expect(await blobs.delete(name)).toBe(true);
      expect(await blobs.delete(name, { etag })).toBe(true);
    });

    test('are deleted by ETag only as they were read', async () => {
      const before = (await blobs.write(name, first, { type })) ?? '';
      const now = (await blobs.write(name, second, { type })) ?? '';
      expect(await blobs.delete(name, { etag: before })).toBe(false);
      expect(await textOf()).toBe('the second');
      expect(await blobs.delete(name, { etag: now })).toBe(true);
      expect(await textOf()).toBeUndefined();
    });

    test('are deleted by their age only where they were not written since', async () => {
      await blobs.write(name, first, { type });
      // Storage tells instants in whole seconds.
      expect(await blobs.delete(name, { writtenBefore: new Date(Date.now() - 60_000) })).toBe(false);
      expect(await blobs.delete(name, { writtenBefore: new Date(Date.now() + 60_000) })).toBe(true);
      expect(await textOf()).toBeUndefined();
    });

    test('are listed by what their names begin with, with the instant of their writing', async () => {
      for (const each of ['a/1', 'a/2', 'b/1']) await blobs.write(`${folder}/${each}`, first, { type });
      const listed = await blobs.list(`${folder}/a/`);
      expect(listed.map((blob) => blob.name)).toEqual([`${folder}/a/1`, `${folder}/a/2`]);
      for (const { writtenAt } of listed) expect(Math.abs(writtenAt - Date.now())).toBeLessThan(60_000);
      expect(await blobs.list(`${folder}/c`)).toEqual([]);
    });
  });
}

/** One use of the fence; what it writes names it. */
interface Use {
  readonly does: 'write' | 'bury';
  readonly epoch: number;
}

const writeOf = (epoch: number): Use => ({ does: 'write', epoch });
const burialOf = (epoch: number): Use => ({ does: 'bury', epoch });

function describeFencedBlobs(where: string, blobs: Blobs): void {
  describe(`fenced blobs ${where}`, () => {
    let name = '';
    beforeEach(() => {
      name = `${randomUUID()}/record.json`;
    });
    const write = (bytes: Buffer, epoch: number, by: Pick<Blobs, 'head' | 'write'> = blobs): Promise<boolean> =>
      writeFenced(by, name, bytes, { type, epoch });
    const textOf = async (): Promise<string | undefined> => (await readLiving(blobs, name))?.bytes.toString();

    test('are read as they were written, with their metadata', async () => {
      expect(await writeFenced(blobs, name, first, { type, epoch: 1, metadata: { standing: 'a1' } })).toBe(true);
      const found = { bytes: first, metadata: { standing: 'a1', epoch: '1' } };
      expect(await readLiving(blobs, name)).toMatchObject(found);
    });

    test('that nobody wrote are undefined', async () => {
      expect(await readLiving(blobs, name)).toBeUndefined();
    });

    test.each<{ readonly why: string; readonly uses: readonly Use[]; readonly refused: readonly number[] }>([
      { why: 'a higher epoch writes over', uses: [writeOf(1), writeOf(2)], refused: [] },
      { why: 'a lower epoch is refused', uses: [writeOf(2), writeOf(1)], refused: [1] },
      { why: 'the same epoch writes over itself', uses: [writeOf(1), writeOf(1)], refused: [] },
      { why: 'epochs are compared as numbers, upwards', uses: [writeOf(9), writeOf(10)], refused: [] },
      { why: 'epochs are compared as numbers, downwards', uses: [writeOf(10), writeOf(9)], refused: [1] },
      { why: 'an epoch that was refused stays refused', uses: [writeOf(3), writeOf(2), writeOf(2)], refused: [1, 2] },
      { why: 'a burial ends what was written', uses: [writeOf(1), burialOf(2)], refused: [] },
      { why: 'a burial of the same epoch, too', uses: [writeOf(1), burialOf(1)], refused: [] },
      { why: 'a burial below the writer is refused', uses: [writeOf(2), burialOf(1)], refused: [1] },
      { why: 'a writer that comes after a burial', uses: [writeOf(1), burialOf(2), writeOf(1)], refused: [2] },
      { why: 'a writer that comes first after a burial', uses: [burialOf(2), writeOf(1)], refused: [1] },
      { why: 'a burial below a burial is refused', uses: [burialOf(2), burialOf(1), writeOf(1)], refused: [1, 2] },
      { why: 'a burial is repeated', uses: [burialOf(2), burialOf(2), writeOf(1)], refused: [2] },
      { why: 'a redrive writes over the tombstone', uses: [writeOf(1), burialOf(2), writeOf(3)], refused: [] },
      { why: 'and keeps the fence', uses: [burialOf(2), writeOf(3), writeOf(2), burialOf(2)], refused: [2, 3] },
    ])('$why', async ({ uses, refused }) => {
      for (const [at, use] of uses.entries()) {
        const before = await blobs.read(name);
        const isDone = await usedBy(blobs, name, use, at);
        expect({ at, isDone }).toEqual({ at, isDone: !refused.includes(at) });
        // Refused means that nothing has changed, not even the ETag.
        if (!isDone) expect(await blobs.read(name)).toEqual(before);
        else expect(await textOf()).toBe(use.does === 'bury' ? undefined : textAt(at));
      }
    });

    test('that were written without a fence count as epoch 0', async () => {
      for (const epoch of [0, 1]) {
        await blobs.write(name, first, { type });
        expect(await write(second, epoch)).toBe(true);
        expect(await textOf()).toBe('the second');
      }
    });

    test('take the higher epoch though their bytes stay the same', async () => {
      for (const epoch of [1, 3]) expect(await write(first, epoch)).toBe(true);
      expect(await write(second, 2)).toBe(false);
      expect(await textOf()).toBe('first');
    });

    test('that are buried are empty, say so, and are read as absent', async () => {
      await write(first, 1);
      expect(isBuried((await blobs.head(name))!)).toBe(false);
      expect(await bury(blobs, name, 1)).toBe(true);
      expect(isBuried((await blobs.head(name))!)).toBe(true);
      expect((await blobs.read(name))?.bytes).toHaveLength(0);
      expect(await readLiving(blobs, name)).toBeUndefined();
    });

    test('of no bytes are no tombstones', async () => {
      await bury(blobs, name, 1);
      expect(await write(Buffer.alloc(0), 1)).toBe(true);
      expect(await textOf()).toBe('');
    });

    test('are written once where the answer was lost and the repetition refused', async () => {
      const log: string[] = [];
      expect(await write(first, 1, withoutAnswers(blobs, 1, log))).toBe(true);
      expect(log).toEqual(['write', 'head']);
      expect(await textOf()).toBe('first');
    });

    test('are written over in spite of answers that are lost again and again', async () => {
      await write(first, 1);
      expect(await write(second, 2, withoutAnswers(blobs, Infinity, []))).toBe(true);
      expect(await textOf()).toBe('the second');
      expect(await bury(withoutAnswers(blobs, Infinity, []), name, 2)).toBe(true);
      expect(await textOf()).toBeUndefined();
    });

    test('are written by the repetition of an attempt whose write ended in an error, though it was done', async () => {
      const lost = new Error('socket hang up');
      const breaking: Pick<Blobs, 'head' | 'write'> = {
        head: (each) => blobs.head(each),
        write: async (...each) => {
          await blobs.write(...each);
          throw lost;
        },
      };
      await expect(write(first, 1, breaking)).rejects.toBe(lost);
      expect(await textOf()).toBe('first');
      expect(await write(second, 1)).toBe(true);
      expect(await textOf()).toBe('the second');
    });

    test('that are deleted while a writer looks are written as if they had never been there', async () => {
      await write(first, 1);
      const deleting: Pick<Blobs, 'head' | 'write'> = {
        write: (...each) => blobs.write(...each),
        head: async (each) => {
          const there = await blobs.head(each);
          await blobs.delete(each);
          return there;
        },
      };
      expect(await write(second, 2, deleting)).toBe(true);
      expect(await textOf()).toBe('the second');
    });

    test('that are always changed before the write end as storage that is away', async () => {
      let writes = 0;
      const changing: Pick<Blobs, 'head' | 'write'> = {
        head: (each) => blobs.head(each),
        write: async (each, bytes, options) => {
          writes += 1;
          await blobs.write(each, first, { type });
          return blobs.write(each, bytes, options);
        },
      };
      await expect(write(second, 2, changing)).rejects.toMatchObject({ fault: { status: 503 } });
      expect(writes).toBeLessThanOrEqual(20);
      expect(await textOf()).toBe('first');
    });

    test.each([-1, 0.5, NaN, Infinity])('are not written under %p, which is no epoch', async (epoch) => {
      await expect(write(first, epoch)).rejects.toThrow(RangeError);
      await expect(bury(blobs, name, epoch)).rejects.toThrow(RangeError);
      expect(await blobs.head(name)).toBeUndefined();
    });
  });
}

const textAt = (at: number): string => `written by ${String(at)}`;

function usedBy(
  blobs: Pick<Blobs, 'head' | 'write'>,
  name: string,
  { does, epoch }: Use,
  at: number,
): Promise<boolean> {
  if (does === 'bury') return bury(blobs, name, epoch);
  return writeFenced(blobs, name, Buffer.from(textAt(at)), { type, epoch });
}

/** Writes are done, but the first of them look refused, as the repetition of a write whose answer was lost does. */
function withoutAnswers(blobs: Blobs, lost: number, log: string[]): Pick<Blobs, 'head' | 'write'> {
  let left = lost;
  return {
    head: (name) => {
      log.push('head');
      return blobs.head(name);
    },
    write: async (...each) => {
      log.push('write');
      const etag = await blobs.write(...each);
      left -= 1;
      return left >= 0 ? undefined : etag;
    },
  };
}

/** What lies there before the writers come. */
const beginnings = {
  nothing: () => Promise.resolve(),
  'a blob without a fence': (blobs: Blobs, name: string) => blobs.write(name, first, { type }),
  'a blob of epoch 1': (blobs: Blobs, name: string) => writeFenced(blobs, name, first, { type, epoch: 1 }),
  'a tombstone': (blobs: Blobs, name: string) => bury(blobs, name, 0),
};

interface Meeting {
  readonly uses: readonly Use[];
  readonly beginning: keyof typeof beginnings;
  /** Which writer loses the answer to the first write that storage takes. */
  readonly loses?: number;
}

const pairs: readonly (readonly Use[])[] = [
  [writeOf(1), writeOf(2)],
  [writeOf(1), burialOf(2)],
  [burialOf(1), writeOf(2)],
  [writeOf(1), writeOf(1)],
  [writeOf(1), burialOf(1)],
];
/** Each with nobody burying, and with each of the three. */
const triples: readonly (readonly Use[])[] = [
  [1, 2, 3],
  [1, 2, 2],
  [1, 1, 2],
  [1, 1, 1],
].flatMap((epochs) =>
  [-1, 0, 1, 2].map((burying) => epochs.map((epoch, at) => (at === burying ? burialOf(epoch) : writeOf(epoch)))),
);

const meetingsOfTwo: readonly Meeting[] = pairs.flatMap((uses) =>
  (Object.keys(beginnings) as Meeting['beginning'][]).map((beginning) => ({ uses, beginning })),
);
const allMeetings: readonly Meeting[] = [
  ...meetingsOfTwo,
  ...meetingsOfTwo.flatMap((meeting) => [0, 1].map((loses) => ({ ...meeting, loses }))),
  ...triples.flatMap((uses): Meeting[] => [
    { uses, beginning: 'nothing' },
    { uses, beginning: 'a blob without a fence' },
  ]),
];

function titleOf({ uses, beginning, loses }: Meeting): string {
  const who = uses.map(({ does, epoch }) => `${does} ${String(epoch)}`).join(', ');
  return `${who} onto ${beginning}${loses === undefined ? '' : `, writer ${String(loses + 1)} loses an answer`}`;
}

function describeFencedWriters(where: string, blobs: Blobs, meetings: readonly Meeting[]): void {
  describe(`fenced writers that meet ${where}, in every order of their requests`, () => {
    test.each(meetings.map((meeting) => ({ title: titleOf(meeting), meeting })))('$title', async ({ meeting }) => {
      const breaches = new Set<string>();
      const orders = await inEveryOrder(async (pick) => {
        for (const breach of await meet(blobs, meeting, pick)) breaches.add(breach);
      });
      expect([...breaches]).toEqual([]);
      expect(orders).toBeGreaterThanOrEqual(2);
    });
  });
}

/** Lets the writers of a meeting send their requests in one order. @returns what the fence promises and did not hold */
async function meet(blobs: Blobs, { uses, beginning, loses }: Meeting, pick: Choice): Promise<string[]> {
  const name = randomUUID();
  await beginnings[beginning](blobs, name);
  /** Writers in the order in which storage took their writes. */
  const taken: number[] = [];
  const writers = uses.map((use, at) => (turn: () => Promise<void>) => {
    let isToLose = at === loses;
    const watched: Pick<Blobs, 'head' | 'write'> = {
      head: async (each) => {
        await turn();
        return blobs.head(each);
      },
      write: async (...each) => {
        await turn();
        const etag = await blobs.write(...each);
        if (etag !== undefined) taken.push(at);
        if (etag === undefined || !isToLose) return etag;
        isToLose = false;
        return undefined;
      },
    };
    return usedBy(watched, name, use, at);
  });
  const answers = await inTurns(writers, pick);
  const left = (await readLiving(blobs, name))?.bytes.toString();
  return breachesOf(uses, { taken, answers, left, loses });
}

interface Met {
  readonly taken: readonly number[];
  readonly answers: readonly boolean[];
  readonly left: string | undefined;
  readonly loses: number | undefined;
}

function breachesOf(uses: readonly Use[], { taken, answers, left, loses }: Met): string[] {
  const epochs = taken.map((at) => uses[at]?.epoch ?? NaN);
  const highest = Math.max(...uses.map(({ epoch }) => epoch));
  const last = taken.at(-1) ?? -1;
  const isTold = (at: number): boolean => answers[at] === true;
  const promises = {
    'a lower epoch never writes over a higher one': epochs.every((epoch, at) => epoch >= (epochs[at - 1] ?? 0)),
    'the highest epoch is never refused': uses.every(({ epoch }, at) => epoch < highest || isTold(at)),
    'who is told of success has written': uses.every((_, at) => !isTold(at) || taken.includes(at)),
    // Who loses an answer may be written over before looking.
    'who is refused has written nothing': uses.every((_, at) => isTold(at) || at === loses || !taken.includes(at)),
    'the last write is what is read': left === (uses[last]?.does === 'bury' ? undefined : textAt(last)),
  };
  return Object.entries(promises).flatMap(([promise, isHeld]) => (isHeld ? [] : [promise]));
}

/** Chooses one of so many that wait. */
type Choice = (waiting: number) => number;

/** Runs something once for each way in which its choices can fall. @returns how many ways there are */
async function inEveryOrder(run: (pick: Choice) => Promise<void>): Promise<number> {
  const choices: { picked: number; readonly of: number }[] = [];
  for (let orders = 1; ; orders += 1) {
    let at = 0;
    await run((of) => {
      const choice = (choices[at] ??= { picked: 0, of });
      at += 1;
      return choice.picked;
    });
    while (choices.length > 0 && choices.at(-1)!.picked === choices.at(-1)!.of - 1) choices.pop();
    const last = choices.at(-1);
    if (last === undefined) return orders;
    last.picked += 1;
  }
}

/** Runs several at once, one request at a time: when all wait for their turn, or have ended, one of them gets it. */
function inTurns<T>(writers: readonly ((turn: () => Promise<void>) => Promise<T>)[], pick: Choice): Promise<T[]> {
  const waiting: (() => void)[] = [];
  let running = writers.length;
  const pause = (): void => {
    running -= 1;
    if (running > 0 || waiting.length === 0) return;
    running = 1;
    waiting.splice(pick(waiting.length), 1)[0]?.();
  };
  const turn = (): Promise<void> =>
    new Promise((go) => {
      waiting.push(go);
      pause();
    });
  return Promise.all(writers.map((writer) => writer(turn).finally(pause)));
}
