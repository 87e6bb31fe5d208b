import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import { monthsBetween, monthLabels } from './timelinePlaces.js';
import { dayNumber } from '../parts/dateText.js';
import { apart, dayToRead, runsOf } from './lineReading.js';
import { linear, lineOf, ticksOf, type Scale } from './scales.js';
import { useWidth } from './useWidth.js';

/** A value of a day; `x` is where it lies, in days. */
export interface LinePoint {
  readonly x: number;
  readonly date: string;
  readonly value: number;
}

export interface ChartLine {
  readonly name: string;
  /** Its colour and dashes, a class of the style sheet. */
  readonly look: string;
  /** In order. */
  readonly points: readonly LinePoint[];
}

interface LineChartProps {
  readonly lines: readonly ChartLine[];
  /** The value that most lines stay below. */
  readonly top: number;
  /** Whether the axis names its years. */
  readonly hasYears: boolean;
  readonly label: string;
  /** The day that is read, and what is read there, in words. */
  readonly at: number;
  readonly atText: string;
  readonly onRead: (x: number) => void;
}

/** CSS pixels. */
const HEIGHT = { wide: 142, narrow: 108 } as const;
const TOP = 8;
/** Room for the months below the lines. */
const MONTHS = 24;
const LEFT = 40;
/** From this width on lines have their names at their ends. */
const WIDE = 640;
const NAMES = 132;
/** Between names that would else lie over each other. */
const NAME_GAP = 14;

/** Lines over time, read by pointer or keys; each has a colour, dashes and a name of its own. */
export function LineChart(props: LineChartProps): JSX.Element {
  const { lines, top, hasYears, label, at, atText, onRead } = props;
  const [element, width] = useWidth<HTMLDivElement>(900);
  const isWide = width >= WIDE;
  const right = width - (isWide ? NAMES : 14);
  const height = isWide ? HEIGHT.wide : HEIGHT.narrow;
  const bottom = height - MONTHS;
  const days = useMemo(() => daysOf(lines), [lines]);
  const [first = 0, last = 0] = [days[0], days.at(-1)];
  const x = linear(first === last ? [first - 1, last + 1] : [first, last], [LEFT, right]);
  const ticks = ticksOf(Math.min(0, ...valuesOf(lines)), Math.max(top / 10, ...valuesOf(lines)), 3);
  const y = linear([ticks[0] ?? 0, ticks.at(-1) ?? top], [bottom, TOP]);
  const read = ({ clientX, currentTarget }: { clientX: number; currentTarget: Element }): void => {
    const wanted = x.back(clientX - currentTarget.getBoundingClientRect().left);
    const [nearest] = days.toSorted((one, other) => Math.abs(one - wanted) - Math.abs(other - wanted));
    if (nearest !== undefined) onRead(nearest);
  };
  const walk = (event: KeyboardEvent): void => {
    const next = dayToRead(event.key, days, at);
    if (next === undefined) return;
    event.preventDefault();
    onRead(next);
  };
  return (
    <div class="line-chart" ref={element}>
      <svg
        width={width}
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        role="slider"
        tabindex={0}
        aria-label={`${label} Arrow keys read one day after another.`}
        aria-valuemin={first}
        aria-valuemax={last}
        aria-valuenow={at}
        aria-valuetext={atText}
        onKeyDown={walk}
        onPointerMove={read}
        onPointerDown={read}
      >
        <Axes x={x} y={y} ticks={ticks} ends={{ right, height }} span={[first, last]} hasYears={hasYears} />
        <line class="rule" x1={x(at)} x2={x(at)} y1="2" y2={bottom} />
        {lines.toReversed().map(({ name, look, points }) => (
          <g key={name} class={`line line-${look}`}>
            <path
              d={runsOf(points)
                .map((run) => lineOf(run.map((point) => [x(point.x), y(point.value)])))
                .join('')}
            />
            {points.map((point) => (
              <circle key={point.date} cx={x(point.x)} cy={y(point.value)} r={point.x === at ? 4 : 2} />
            ))}
          </g>
        ))}
        {isWide ? <Names lines={lines} y={y} left={right + 10} /> : null}
      </svg>
    </div>
  );
}

const daysOf = (lines: readonly ChartLine[]): readonly number[] =>
  [...new Set(lines.flatMap(({ points }) => points.map(({ x }) => x)))].sort((one, other) => one - other);

const valuesOf = (lines: readonly ChartLine[]): readonly number[] =>
  lines.flatMap(({ points }) => points.map(({ value }) => value));

interface AxesProps {
  readonly x: Scale;
  readonly y: Scale;
  readonly ticks: readonly number[];
  readonly ends: { readonly right: number; readonly height: number };
  readonly span: readonly [first: number, last: number];
  readonly hasYears: boolean;
}

function Axes({ x, y, ticks, ends: { right, height }, span: [first, last], hasYears }: AxesProps): JSX.Element {
  const months = monthsBetween(first, last).map((date) => ({ date, x: x(dayNumber(date)) }));
  return (
    <g>
      {ticks.map((value) => (
        <g key={value}>
          <line class="grid-line" x1={LEFT - 4} x2={right} y1={y(value)} y2={y(value)} />
          <text class="axis" x={LEFT - 12} y={y(value) + 4} text-anchor="end">
            {value}
          </text>
        </g>
      ))}
      {monthLabels(months, right).map(({ x: place, text, isAtEnd }) => (
        <text key={place} class="axis" x={place} y={height - 6} text-anchor={isAtEnd ? 'end' : 'start'}>
          {hasYears ? text : text.split(' ')[0]}
        </text>
      ))}
    </g>
  );
}

interface NamesProps {
  readonly lines: readonly ChartLine[];
  readonly y: Scale;
  readonly left: number;
}

/** As many letters as have room; the list below has the whole name. */
const MOST_LETTERS = 18;
const shortened = (name: string): string => (name.length > MOST_LETTERS ? `${name.slice(0, MOST_LETTERS - 1)}…` : name);

/** Names at the ends of the lines, apart from each other. */
function Names({ lines, y, left }: NamesProps): JSX.Element {
  const ends = lines.flatMap(({ name, look, points }) => {
    const last = points.at(-1);
    return last === undefined ? [] : [{ name, look, place: y(last.value) }];
  });
  const places = apart(
    ends.map(({ place }) => place),
    { gap: NAME_GAP, from: TOP, to: HEIGHT.wide - 8 },
  );
  return (
    <g>
      {ends.map(({ name, look }, index) => (
        <text key={name} class={`line-name line-${look}`} x={left} y={(places[index] ?? 0) + 4}>
          {shortened(name)}
        </text>
      ))}
    </g>
  );
}
