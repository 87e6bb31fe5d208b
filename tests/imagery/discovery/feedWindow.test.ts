import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { firstCursor, halvesOf, nextWindow, type FeedWindow } from '../../../shared/imagery/discovery/feedWindow.js';

const NOW = Date.parse('2026-06-17T12:00:00Z');
const iso = (instant: number): string => new Date(instant).toISOString();

describe('the next window of a feed', () => {
  test('goes from ten minutes before the cursor to half a minute before now', () => {
    const window = nextWindow({ readTo: iso(NOW - 300_000) }, NOW);
    expect(window).toEqual({ from: '2026-06-17T11:45:00.000Z', to: '2026-06-17T11:59:30.000Z' });
  });

  test('holds an hour beyond the cursor at most, so that a feed that was away catches up in pieces', () => {
    const window = nextWindow({ readTo: '2026-06-15T00:00:00.000Z' }, NOW);
    expect(window).toEqual({ from: '2026-06-14T23:50:00.000Z', to: '2026-06-15T01:00:00.000Z' });
  });

  test('is none when all is read to there, and when the cursor is ahead of this clock', () => {
    expect(nextWindow({ readTo: iso(NOW - 30_000) }, NOW)).toBeUndefined();
    expect(nextWindow({ readTo: iso(NOW + 60_000) }, NOW)).toBeUndefined();
  });

  test('begins a day back in a new feed', () => {
    expect(firstCursor(NOW).readTo).toBe('2026-06-16T12:00:00.000Z');
  });

  test('leaves no gap, whenever it is asked for and however windows are halved', () => {
    const steps = fc.array(fc.integer({ min: 0, max: 5 * 3_600_000 }), { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(steps, fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }), (waits, isHalved) => {
        let [now, cursor] = [NOW, firstCursor(NOW)];
        const from = cursor.readTo;
        const read: FeedWindow[] = [];
        const take = (window: FeedWindow, depth: number): void => {
          const halves = isHalved[depth] === true ? halvesOf(window) : undefined;
          if (halves === undefined) read.push(window);
          else for (const half of halves) take(half, depth + 1);
        };
        for (const wait of waits) {
          now += wait;
          const window = nextWindow(cursor, now);
          if (window === undefined) continue;
          take(window, 0);
          cursor = { ...cursor, readTo: window.to };
        }
        let covered = from;
        for (const window of read) {
          expect(window.from <= covered).toBe(true);
          if (window.to > covered) covered = window.to;
        }
        expect(covered).toBe(cursor.readTo);
        expect(covered <= iso(Math.max(now - 30_000, Date.parse(from)))).toBe(true);
      }),
    );
  });
});

describe('the halves of a window', () => {
  test('meet in its middle', () => {
    expect(halvesOf({ from: '2026-06-17T11:00:00.000Z', to: '2026-06-17T12:00:00.000Z' })).toEqual([
      { from: '2026-06-17T11:00:00.000Z', to: '2026-06-17T11:30:00.000Z' },
      { from: '2026-06-17T11:30:00.000Z', to: '2026-06-17T12:00:00.000Z' },
    ]);
  });
  test('are none of a window that is too short', () => {
    expect(halvesOf({ from: '2026-06-17T11:00:00.000Z', to: '2026-06-17T11:00:01.999Z' })).toBeUndefined();
  });
});
