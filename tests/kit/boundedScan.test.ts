import { describe, expect, test } from '@jest/globals';
import { boundedScan, type Scan } from '../../shared/kit/boundedScan.js';

/** Numbers from 0 on as a list of storage, and what of it was read. */
function numbers(count: number) {
  const reads: number[] = [];
  const scan: Scan<number, number> = {
    read: (after = -1, most) => {
      reads.push(most);
      const first = after + 1;
      const items = Array.from({ length: Math.min(most, Math.max(0, count - first)) }, (_, index) => first + index);
      return Promise.resolve(items.map((item) => ({ item, at: item })));
    },
    ...{ most: 10, isWanted: () => true, isFiltered: false, after: undefined, size: 5 },
  };
  return { scan, reads };
}

describe('a page of a list', () => {
  test('reads one row more than it shows, and says that another page follows', async () => {
    const { scan, reads } = numbers(6);
    expect(await boundedScan(scan)).toEqual({ items: [0, 1, 2, 3, 4], next: 4 });
    expect(reads).toEqual([6]);
    expect(await boundedScan({ ...scan, after: 4 })).toEqual({ items: [5] });
  });

  test('reads no more rows at once than it may, however long it is', async () => {
    const { scan, reads } = numbers(25);
    expect((await boundedScan({ ...scan, size: 25 })).items).toHaveLength(25);
    expect(reads).toEqual([10, 10, 6]);
  });

  test('reads few wide rows at once', async () => {
    const { scan, reads } = numbers(1_000);
    const read: Scan<string, number>['read'] = async (after, most) =>
      (await scan.read(after, most)).map(({ at }) => ({ item: `${at}`.padEnd(20_000), at }));
    const rare = { ...scan, read, isWanted: () => false, judge: undefined, isFiltered: true };
    await boundedScan({ ...rare, most: 200 });
    expect(reads).toEqual([64, ...Array<number>(20).fill(49)]);
  });

  test('of a rare filter ends after 30 reads, empty, with a successor', async () => {
    const { scan, reads } = numbers(1_000);
    expect(await boundedScan({ ...scan, isWanted: () => false, isFiltered: true })).toEqual({ items: [], next: 299 });
    expect(reads).toHaveLength(30);
  });

  test('ends behind two million characters', async () => {
    const { read, ...scan } = numbers(50).scan;
    const wide = async (...given: Parameters<typeof read>) =>
      (await read(...given)).map(({ at }) => ({ item: `${at}`.padEnd(750_000), at }));
    const page = await boundedScan<string, number>({
      ...scan,
      read: wide,
      isWanted: () => true,
      judge: undefined,
      size: 50,
    });
    expect(page.items).toHaveLength(3);
    expect(page.next).toBe(2);
  });

  test('ends where the request has judged as much as it may, and the next page judges the rest', async () => {
    const { scan } = numbers(30);
    const judged: number[] = [];
    const pageBehind = (after: number | undefined) => {
      let left = 11;
      const judge = (items: readonly number[]) => {
        const some = items.slice(0, left);
        left -= some.length;
        judged.push(...some);
        return Promise.resolve(some.map((item) => item % 10 === 0));
      };
      return boundedScan({ ...scan, isFiltered: true, after, judge });
    };
    expect(await pageBehind(undefined)).toEqual({ items: [0, 10], next: 10 });
    expect(await pageBehind(10)).toEqual({ items: [20], next: 21 });
    expect(await pageBehind(21)).toEqual({ items: [] });
    expect(judged).toEqual(Array.from({ length: 30 }, (_, index) => index));
  });
});
