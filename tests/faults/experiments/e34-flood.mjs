import { livedThrough } from '../livedThrough.mjs';

export const experiment = {
  id: 'E34',
  restsOn: ['imagery', 'scenes'],
  title: 'a flood: tens of thousands of old items that are published at once',
  passLine: 'at most 4 pages a poll, and new scenes known within 20 minutes',
  run: async (context) => {
    const [days, count] = [context.size(2, 3), context.size(30_000, 100_000)];
    const flood = { at: '2026-06-02T16:00:00.000Z', count };
    const [{ counts, breaches }] = await livedThrough('feedDays', context, { days, cases: { flood } });
    // The night lists days, which has nothing to do with what changed.
    if (counts.mostPolled > 4) breaches.push(`I6: ${counts.mostPolled} pages in one poll`);
    return { counts, breaches };
  },
};
