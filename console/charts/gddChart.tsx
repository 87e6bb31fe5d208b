import type { JSX } from 'preact';
import type { GddRecord } from '../../shared/gdd/form/gddRecord.js';
import { dayNumber, shortMonth } from '../parts/dateText.js';
import { bandOf, linear, lineOf, ticksOf, type Scale } from './scales.js';
import { monthsBetween } from './timelinePlaces.js';
import { useWidth } from './useWidth.js';

interface GddChartProps {
  readonly record: GddRecord;
  /** Index of the day that is read. */
  readonly at: number;
  readonly onRead: (at: number) => void;
}

/** Heights, CSS pixels: names of stages, sums, bars of days, months. */
const SUMS = { top: 44, bottom: 348 } as const;
const BARS = { top: 366, bottom: 412 } as const;
const HEIGHT = 440;
const LEFT = 60;
const WIDE = 640;
const PAGE_DAYS = 30;

interface Drawing {
  readonly record: GddRecord;
  readonly x: Scale;
  readonly y: Scale;
  readonly right: number;
}

type Place = readonly [x: number, y: number];
const placesOf = ({ x, y }: Drawing, values: readonly number[], from = 0): readonly Place[] =>
  values.map((value, index) => [x(from + index), y(value)]);

/** The sum of a season, against its normal: read by pointer or keys, drawn so that every mark has a form of its own. */
export function GddChart({ record, at, onRead }: GddChartProps): JSX.Element {
  const [element, width] = useWidth<HTMLDivElement>(900);
  const right = width - (width < WIDE ? 12 : 118);
  const last = record.daily.length - 1;
  const top = Math.max(
    ...record.daily.map(({ cumulative }) => cumulative),
    ...(record.normal?.cumulative.p90 ?? []),
    ...(record.range.cumulative?.p90 ?? []),
    1,
  );
  const ticks = ticksOf(0, top, 4);
  const x = linear([0, Math.max(1, last)], [LEFT, right]);
  const y = linear([0, ticks.at(-1) ?? top], [SUMS.bottom, SUMS.top]);
  const drawing: Drawing = { record, x, y, right };
  const read = ({ clientX, currentTarget }: { clientX: number; currentTarget: Element }): void => {
    const place = x.back(clientX - currentTarget.getBoundingClientRect().left);
    onRead(Math.max(0, Math.min(last, Math.round(place))));
  };
  const walk = (event: KeyboardEvent): void => {
    const next = dayAfter(event.key, at, last);
    if (next === undefined) return;
    event.preventDefault();
    onRead(next);
  };
  return (
    <div class="gdd-chart" ref={element}>
      <svg
        width={width}
        height={HEIGHT}
        viewBox={`0 0 ${width} ${HEIGHT}`}
        role="slider"
        tabindex={0}
        aria-label={`${record.description} Arrow keys read one day after another.`}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={at}
        aria-valuetext={record.daily[at]?.date}
        onKeyDown={walk}
        onPointerMove={read}
        onPointerDown={read}
      >
        <SumAxes ticks={ticks} {...drawing} />
        <Sums {...drawing} />
        <Stages {...drawing} />
        <Bars {...drawing} />
        <Reader {...drawing} at={at} />
        {width < WIDE ? null : <Ends {...drawing} />}
      </svg>
    </div>
  );
}

function dayAfter(key: string, at: number, last: number): number | undefined {
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: -1,
    ArrowRight: 1,
    PageUp: -PAGE_DAYS,
    PageDown: PAGE_DAYS,
  };
  if (key === 'Home') return 0;
  if (key === 'End') return last;
  const step = Object.hasOwn(steps, key) ? steps[key] : undefined;
  return step === undefined ? undefined : Math.max(0, Math.min(last, at + step));
}

function SumAxes({ record, x, y, right, ticks }: Drawing & { readonly ticks: readonly number[] }): JSX.Element {
  const [first, last] = [dayNumber(record.gddStartDate), dayNumber(record.gddEndDate)];
  const months = monthsBetween(first, last);
  const every = months.length > 8 && right < WIDE ? 2 : 1;
  return (
    <g>
      {ticks.map((value) => (
        <g key={value}>
          <line class="grid-line" x1={LEFT} x2={right} y1={y(value)} y2={y(value)} />
          <text class="axis" x={LEFT - 8} y={y(value) + 4} text-anchor="end">
            {value.toLocaleString('en-US')}
          </text>
        </g>
      ))}
      <text class="axis" x={LEFT - 8} y={BARS.top + 8} text-anchor="end">
        a day
      </text>
      {months
        .filter((_, index) => index % every === 0)
        .map((date) => (
          <text key={date} class="axis" x={Math.min(x(dayNumber(date) - first), right - 22)} y={HEIGHT - 8}>
            {shortMonth(Number(date.slice(5, 7)))}
          </text>
        ))}
    </g>
  );
}

/** Index of the first day that isn't known for good; the season's length when all are. */
const certainUntil = ({ daily }: GddRecord): number => {
  const at = daily.findIndex(({ source }) => source === 'FORECAST' || source === 'NORMAL');
  return at === -1 ? daily.length : at;
};

function Sums(drawing: Drawing): JSX.Element {
  const { record } = drawing;
  const { normal, range } = record;
  const sums = record.daily.map(({ cumulative }) => cumulative);
  const certain = certainUntil(record);
  const from = Math.max(0, certain - 1);
  const rangeFrom = range.from === undefined ? undefined : dayNumber(range.from) - dayNumber(record.gddStartDate);
  return (
    <g>
      {normal === undefined ? null : (
        <>
          <path
            class="gdd-band"
            d={bandOf(placesOf(drawing, normal.cumulative.p90), placesOf(drawing, normal.cumulative.p10))}
          />
          <path class="gdd-normal" d={lineOf(placesOf(drawing, normal.cumulative.mean))} />
        </>
      )}
      {rangeFrom === undefined || range.cumulative === undefined ? null : (
        <path
          class="gdd-range"
          d={bandOf(
            placesOf(drawing, range.cumulative.p90, rangeFrom),
            placesOf(drawing, range.cumulative.p10, rangeFrom),
          )}
        />
      )}
      <path class="gdd-season" d={lineOf(placesOf(drawing, sums.slice(0, certain)))} />
      {certain === sums.length ? null : (
        <path class="gdd-season gdd-season-to-come" d={lineOf(placesOf(drawing, sums.slice(from), from))} />
      )}
    </g>
  );
}

/** Stages that are closer than this share the height of their names. */
const NAME_WIDTH = 34;

function Stages({ record, x, y }: Drawing): JSX.Element {
  const first = dayNumber(record.gddStartDate);
  let [lastX, isRaised] = [-Infinity, false];
  const marks = record.stages.flatMap(({ code, date }) => {
    const at = date === null ? -1 : dayNumber(date) - first;
    const day = record.daily[at];
    if (day === undefined) return [];
    const place = x(at);
    isRaised = place - lastX < NAME_WIDTH && !isRaised;
    lastX = place;
    return [{ code, x: place, y: y(day.cumulative), top: isRaised ? 14 : 28 }];
  });
  return (
    <g>
      {marks.map(({ code, x: place, y: height, top }) => (
        <g key={code}>
          <line class="stage-line" x1={place} x2={place} y1={top + 5} y2={height} />
          <circle class="stage-mark" cx={place} cy={height} r="4.5" />
          <text class="stage-name" x={place} y={top} text-anchor="middle">
            {code}
          </text>
        </g>
      ))}
    </g>
  );
}

function Bars({ record: { daily }, x }: Drawing): JSX.Element {
  const most = Math.max(...daily.map(({ gdd }) => gdd), 1);
  const height = linear([0, most], [0, BARS.bottom - BARS.top]);
  const width = Math.max(0.8, (x(1) - x(0)) * 0.72);
  const bars = (isToCome: boolean): string =>
    daily
      .map(({ gdd, source }, index) => {
        const comes = source === 'FORECAST' || source === 'NORMAL';
        if (comes !== isToCome || gdd <= 0) return '';
        return `M${(x(index) - width / 2).toFixed(1)} ${BARS.bottom}v${(-height(gdd)).toFixed(1)}h${width.toFixed(1)}V${BARS.bottom}Z`;
      })
      .join('');
  return (
    <g>
      <path class="day-bars" d={bars(false)} />
      <path class="day-bars day-bars-to-come" d={bars(true)} />
    </g>
  );
}

function Reader({ record, x, y, at }: Drawing & { readonly at: number }): JSX.Element | null {
  const day = record.daily[at];
  if (day === undefined) return null;
  return (
    <g>
      <line class="rule" x1={x(at)} x2={x(at)} y1={SUMS.top - 6} y2={BARS.bottom} />
      <circle class="reader-mark" cx={x(at)} cy={y(day.cumulative)} r="5" />
    </g>
  );
}

/** Names at the ends of the lines, apart from each other. */
function Ends({ record, y, right }: Drawing): JSX.Element | null {
  const { normal, total } = record;
  const season = y(total) + 4;
  const mean = normal === undefined ? undefined : y(normal.totalMean) + 4;
  const isAbove = mean !== undefined && mean < season;
  const gap = mean === undefined ? 0 : Math.max(0, 17 - Math.abs(mean - season)) / 2;
  return (
    <g>
      <text class="end-season" x={right + 8} y={season + (isAbove ? gap : -gap)}>
        {Math.round(total).toLocaleString('en-US')} this season
      </text>
      {mean === undefined || normal === undefined ? null : (
        <text class="axis" x={right + 8} y={mean + (isAbove ? -gap : gap)}>
          {Math.round(normal.totalMean).toLocaleString('en-US')} normal
        </text>
      )}
    </g>
  );
}
