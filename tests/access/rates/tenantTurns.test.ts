import { describe, expect, test } from '@jest/globals';
import { TenantTurns } from '../../../shared/access/rates/tenantTurns.js';

/** Work that ends when it is told to. */
function someWork() {
  const running: string[] = [];
  const ends: (() => void)[] = [];
  const of = (name: string) => (): Promise<string> => {
    running.push(name);
    return new Promise((resolve) => {
      ends.push(() => {
        resolve(name);
      });
    });
  };
  const endFirst = async (): Promise<void> => {
    ends.shift()?.();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { running, of, endFirst };
}

describe('dear work of tenants', () => {
  test('runs one piece of each tenant at a time', async () => {
    const turns = new TenantTurns({ most: 16 });
    const { running, of, endFirst } = someWork();
    const all = ['a1', 'a2', 'a3'].map((name) => turns.run('a', of(name)));
    all.push(turns.run('b', of('b1')));
    expect(running).toEqual(['a1', 'b1']);
    await endFirst();
    expect(running).toEqual(['a1', 'b1', 'a2']);
    for (let left = 0; left < 3; left += 1) await endFirst();
    expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'b1']);
  });

  test('is refused with 429 and Retry-After when too much of one tenant waits; other tenants go on', async () => {
    const turns = new TenantTurns({ most: 2 });
    const { of, endFirst } = someWork();
    const [first, second] = [turns.run('a', of('a1')), turns.run('a', of('a2'))];
    await expect(turns.run('a', of('a3'))).rejects.toMatchObject({ fault: { status: 429 }, retryAfterSeconds: 2 });
    const other = turns.run('b', of('b1'));
    await endFirst();
    expect(await first).toBe('a1');
    const third = turns.run('a', of('a3'));
    for (let left = 0; left < 3; left += 1) await endFirst();
    expect(await Promise.all([second, other, third])).toEqual(['a2', 'b1', 'a3']);
  });

  test('that waited too long behind a piece that hung is refused in its turn, and what comes later runs', async () => {
    let now = 0;
    const turns = new TenantTurns({ most: 16, waitMs: 5_000 }, () => now);
    const { running, of, endFirst } = someWork();
    const hung = turns.run('a', of('a1'));
    const behind = ['a2', 'a3'].map((name) => turns.run('a', of(name)));
    now = 4_000;
    const later = turns.run('a', of('a4'));
    now = 9_000;
    await endFirst();
    for (const each of behind) await expect(each).rejects.toMatchObject({ fault: { status: 503 } });
    expect(running).toEqual(['a1', 'a4']);
    await endFirst();
    expect(await Promise.all([hung, later])).toEqual(['a1', 'a4']);
  });

  test('that fails leaves its turn to the next', async () => {
    const turns = new TenantTurns({ most: 1 });
    await expect(turns.run('a', () => Promise.reject(new Error('The task was ended.')))).rejects.toThrow('ended');
    expect(await turns.run('a', () => Promise.resolve('done'))).toBe('done');
  });
});
