import type { GddRecord } from '../gddRecord.js';
import { barFrame, curveFrame } from './look.js';
import { showsFrost } from './frostMarks.js';
import { shownDate } from './stages.js';
import { valueScale } from './scale.js';
import type { Layout } from './layout.js';

/** Scales that hold everything the record has to show, with room for the names of stages and the marks of frost. */
export function layoutOf(record: GddRecord): Layout {
  const { daily, normal, range, total } = record;
  const width = (curveFrame.right - curveFrame.left) / daily.length;
  const indexes = new Map(daily.map(({ date }, index) => [date, index]));
  const highestSum = Math.max(total, range.p90, ...(normal?.cumulative.p90.slice(-1) ?? []));
  const highestDay = daily.reduce((highest, { gdd }) => Math.max(highest, gdd), 0);
  const hasStages = record.stages.some((stage) => shownDate(stage) !== null);
  return {
    record,
    x: (index) => curveFrame.left + index * width,
    indexOf: (day) => indexes.get(day),
    sums: valueScale(highestSum, curveFrame, { headroom: hasStages ? 0.22 : 0.06, ticks: 6 }),
    days: valueScale(highestDay, barFrame, { headroom: showsFrost(record) ? 0.26 : 0.05, ticks: 3 }),
  };
}
