import type { Layout } from './layout.js';
import { barFrame, barLooks, narrowBar } from './look.js';
import { element } from '../../jobs/insight/svg.js';

/** One bar a day, drawn by what the day rests on. */
export function bars({ record, x, days }: Layout): string {
  const width = x(1) - x(0);
  const gap = Math.min(width * 0.2, 6);
  const isNarrow = width < narrowBar;
  return element(
    'g',
    { 'stroke-width': 0.8 },
    ...record.daily.map(({ gdd, source }, index) => {
      const { fill, stroke, narrow } = barLooks[source];
      const top = days.y(gdd);
      return element('rect', {
        x: x(index) + gap / 2,
        y: top,
        width: width - gap,
        height: Math.max(0, barFrame.bottom - top),
        fill: isNarrow ? narrow : fill,
        stroke: isNarrow ? undefined : stroke,
      });
    }),
  );
}
