import { describe, expect, test } from '@jest/globals';
import { overpassesOver } from '../../../infra/local/standIns/stac/sceneCalendar.js';
import { addDays } from '../../../shared/kit/validation/calendar.js';

const now = new Date('2026-11-25T12:00:00Z');

describe('the calendar of synthetic scenes', () => {
  test.each(Array.from({ length: 60 }, (_, index) => index + 1))(
    'has two passes over zone %i in any ten days, at least one of them clear: enough for a boundary',
    (zone) => {
      for (let first = 0; first < 90; first += 1) {
        const from = addDays('2026-08-01', first);
        const passes = overpassesOver(zone, { from, to: addDays(from, 9), now });
        expect(passes).toHaveLength(2);
        expect(passes.some(({ cloudFraction }) => cloudFraction === 0)).toBe(true);
      }
    },
  );
});
