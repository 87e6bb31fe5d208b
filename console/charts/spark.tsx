import type { JSX } from 'preact';
import { memo } from './memo.js';
import { dayNumber } from '../parts/dateText.js';
import { lineOf, linear } from './scales.js';

/** A value of a day. */
export interface SparkPoint {
  readonly date: string;
  readonly value: number;
}

const [WIDTH, HEIGHT, EDGE] = [64, 24, 3];

/** A curve the size of a word; the list beside it says the same in figures. */
export const Spark = memo(({ points }: { readonly points: readonly SparkPoint[] }): JSX.Element => {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined)
    return <svg class="spark" width={WIDTH} height={HEIGHT} aria-hidden="true" />;
  const x = linear([dayNumber(first.date), dayNumber(last.date)], [EDGE, WIDTH - EDGE]);
  const y = linear([0, 1], [HEIGHT - EDGE, EDGE]);
  const places = points.map(({ date, value }) => [x(dayNumber(date)), y(value)] as const);
  const end = places.at(-1) ?? [0, 0];
  return (
    <svg class="spark" width={WIDTH} height={HEIGHT} aria-hidden="true" focusable="false">
      <path d={lineOf(places)} />
      <circle cx={end[0]} cy={end[1]} r="2" />
    </svg>
  );
});
