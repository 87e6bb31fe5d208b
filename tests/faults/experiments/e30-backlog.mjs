import { livedThrough } from '../livedThrough.mjs';

/** Another's archive may cost a new scene so many times what it takes alone. */
const MOST_TIMES = 3;
/** Fields of the large customer while nothing is behind: the same units are cut then. */
const FIELDS = 100_000;

export const experiment = {
  id: 'E30',
  restsOn: ['imagery', 'work'],
  title:
    "another's backlog of 100,000 fields beside the new scenes of a small customer; messages are lost, a tile is refused",
  passLine:
    'new images as early as without the backlog, three times as long at most; what nobody refuses is done in time, all in the end',
  run: async (context) => {
    const days = context.size(8, 20);
    const [idle, beside] = await livedThrough(
      'laneDays',
      context,
      { backlogFields: FIELDS, backlogDays: 0 },
      { backlogFields: FIELDS, backlogDays: days },
    );
    const breaches = [...beside.breaches];
    if (beside.unserved > 0) breaches.push(`I19: ${beside.unserved} new scenes have no images yet`);
    if (beside.slowestSeconds > MOST_TIMES * idle.slowestSeconds)
      breaches.push(`I19: new images after ${beside.slowestSeconds} s, ${idle.slowestSeconds} s without the backlog`);
    if (beside.unitsLeft === 0) breaches.push('The backlog was done before the new scenes came: nothing was shown.');
    const counts = { fields: FIELDS, days, idleSeconds: idle.slowestSeconds, besideSeconds: beside.slowestSeconds };
    return { counts: { ...counts, unitsDone: beside.unitsDone, unitsLeft: beside.unitsLeft }, breaches };
  },
};
