import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { FeedWindow } from '../../../shared/scenes/stac/sceneCatalogue.js';
import { firstCursor, halvesOf, nextWindow, type FeedCursor } from '../../../shared/imagery/discovery/feedWindow.js';

const DAY_MS = 86_400_000;
const NOW = Date.parse('2026-06-17T12:00:00Z');
const iso = (instant: number): string => new Date(instant).toISOString();

const cursorAt = (instant: number): FeedCursor => ({ readTo: iso(instant), lastChangeAt: iso(instant) });

describe('what a poll has to read', () => {
  test('goes from ten minutes before the latest change that was shown to half a minute before now, however long that is', () => {
    const window = nextWindow(cursorAt(NOW - 300_000), NOW);
    expect(window).toEqual({ from: '2026-06-17T11:45:00.000Z', to: '2026-06-17T11:59:30.000Z' });
    expect(nextWindow(cursorAt(NOW - 12 * DAY_MS), NOW)).toMatchObject({ from: '2026-06-05T11:50:00.000Z' });
  });

  test('is thirty days at most', () => {
    expect(nextWindow(cursorAt(NOW - 40 * DAY_MS), NOW)).toMatchObject({ from: iso(NOW - 30 * DAY_MS) });
  });

  test('goes on where the last poll had to stop', () => {
    const window = nextWindow({ ...cursorAt(NOW - 7_200_000), resumeAt: iso(NOW - 3_600_000) }, NOW);
    expect(window).toEqual({ from: '2026-06-17T11:00:00.000Z', to: '2026-06-17T11:59:30.000Z' });
  });

  test('is nothing when the cursor is ahead of this clock', () => {
    expect(nextWindow(cursorAt(NOW + 11 * 60_000), NOW)).toBeUndefined();
  });

  test('begins a day back in a new feed', () => {
    expect(firstCursor(NOW).readTo).toBe('2026-06-16T12:00:00.000Z');
  });

  test('holds every instant since the latest change that was shown, however it is halved', () => {
    const halved = fc.array(fc.boolean(), { minLength: 12, maxLength: 12 });
    fc.assert(
      fc.property(fc.integer({ min: 60_000, max: 30 * DAY_MS }), halved, (ago, isHalved) => {
        const parts: FeedWindow[] = [];
        const take = (window: FeedWindow, depth: number): void => {
          const halves = isHalved[depth] === true ? halvesOf(window) : undefined;
          if (halves === undefined) parts.push(window);
          else for (const half of halves) take(half, depth + 1);
        };
        take(nextWindow(cursorAt(NOW - ago), NOW)!, 0);
        expect(parts[0]!.from <= iso(NOW - ago)).toBe(true);
        expect(parts.at(-1)!.to).toBe(iso(NOW - 30_000));
        parts.slice(1).forEach((part, index) => {
          expect(part.from).toBe(parts[index]!.to);
        });
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
