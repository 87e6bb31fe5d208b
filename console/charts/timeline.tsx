import type { JSX } from 'preact';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { IndexDay } from '../api/fields.js';
import { dayNumber } from '../parts/dateText.js';
import { dayLabel, stateOf } from '../views/fields/dayState.js';
import type { Curve } from './curve.js';
import { memo } from './memo.js';
import { bandOf, linear, lineOf, type Scale } from './scales.js';
import {
  curveTicks,
  dayAfterKey,
  filledPart,
  monthLabels,
  timelinePlaces,
  type TimelinePlaces,
} from './timelinePlaces.js';
import { useWidth } from './useWidth.js';

interface TimelineProps {
  /** In order, at least one. */
  readonly days: readonly IndexDay[];
  readonly curve: Curve;
  readonly chosen: string;
  /** The other day of a comparison. */
  readonly compared?: string | undefined;
  readonly onChoose: (date: string) => void;
}

/** Heights, CSS pixels: the curve, then the discs, then the months. */
const CURVE = { top: 8, bottom: 92 } as const;
const DISCS = 106;
const HEIGHT = 138;

/** Curve and days of a field as one thing: every day is a button, and the arrow keys walk through them. */
export function Timeline({ days, curve, chosen, compared, onChoose }: TimelineProps): JSX.Element {
  const [element, width] = useWidth<HTMLDivElement>(640);
  const dates = useMemo(() => days.map(({ date }) => date), [days]);
  const places = useMemo(() => timelinePlaces(dates, width), [dates, width]);
  const ticks = useMemo(() => curveTicks(days, curve), [days, curve]);
  const y = useMemo(() => linear([ticks[0] ?? 0, ticks.at(-1) ?? curve.top], [CURVE.bottom, CURVE.top]), [ticks]);
  return (
    <div class="timeline" ref={element}>
      <svg width={width} height={HEIGHT} viewBox={`0 0 ${width} ${HEIGHT}`} aria-hidden="true" focusable="false">
        <Axes places={places} y={y} ticks={ticks} width={width} />
        <Lines days={days} curve={curve} places={places} y={y} />
        {compared === undefined ? null : <Rule x={places.x(dayNumber(compared))} kind="compared" />}
        <Rule x={places.x(dayNumber(chosen))} kind="chosen" />
        <ChosenValue day={days.find(({ date }) => date === chosen)} curve={curve} places={places} y={y} />
        {days.map((day) => (
          <Disc key={day.date} day={day} places={places} isChosen={day.date === chosen} />
        ))}
      </svg>
      <DayButtons days={days} places={places} chosen={chosen} onChoose={onChoose} />
    </div>
  );
}

interface AxesProps {
  readonly places: TimelinePlaces;
  readonly y: Scale;
  readonly ticks: readonly number[];
  readonly width: number;
}

const Axes = memo(({ places, y, ticks, width }: AxesProps): JSX.Element => (
  <g>
    {ticks.map((value) => (
      <g key={value}>
        <line class="grid-line" x1="36" x2={width} y1={y(value)} y2={y(value)} />
        <text class="axis" x="28" y={y(value) + 4} text-anchor="end">
          {value}
        </text>
      </g>
    ))}
    {places.months.map(({ date, x }) => (
      <line key={date} class="month-line" x1={x} x2={x} y1={CURVE.top} y2={DISCS + 8} />
    ))}
    {monthLabels(places.months, width).map(({ x, text, isAtEnd }) => (
      <text key={x} class="axis" x={x} y={HEIGHT - 6} text-anchor={isAtEnd ? 'end' : 'start'}>
        {text}
      </text>
    ))}
  </g>
));

interface DrawnDays {
  readonly days: readonly IndexDay[];
  readonly curve: Curve;
  readonly places: TimelinePlaces;
  readonly y: Scale;
}

const Lines = memo(({ days, curve, places, y }: DrawnDays): JSX.Element => {
  const known = days.flatMap((day) => {
    const figures = curve.of(day);
    return figures === undefined ? [] : [{ date: day.date, x: places.x(dayNumber(day.date)), figures }];
  });
  return (
    <g>
      <path
        class="band"
        d={bandOf(
          known.map(({ x, figures }) => [x, y(figures.p98)]),
          known.map(({ x, figures }) => [x, y(figures.p2)]),
        )}
      />
      <path class="curve" d={lineOf(known.map(({ x, figures }) => [x, y(figures.mean)]))} />
      {known.map(({ date, x, figures }) => (
        <circle key={date} class="curve-point" cx={x} cy={y(figures.mean)} r={Math.min(3.2, places.radius)} />
      ))}
    </g>
  );
});

const Rule = ({ x, kind }: { readonly x: number; readonly kind: 'chosen' | 'compared' }): JSX.Element => (
  <line class={`rule rule-${kind}`} x1={x} x2={x} y1="2" y2={DISCS + 10} />
);

function ChosenValue({
  day,
  curve,
  places,
  y,
}: Omit<DrawnDays, 'days'> & { readonly day: IndexDay | undefined }): JSX.Element | null {
  const figures = day === undefined ? undefined : curve.of(day);
  if (day === undefined || figures === undefined) return null;
  return <circle class="curve-chosen" cx={places.x(dayNumber(day.date))} cy={y(figures.mean)} r="5" />;
}

interface DiscProps {
  readonly day: IndexDay;
  readonly places: TimelinePlaces;
  readonly isChosen: boolean;
}

const Disc = memo(({ day, places: { x, radius }, isChosen }: DiscProps): JSX.Element => {
  const place = [x(dayNumber(day.date)), DISCS] as const;
  const [cx, cy] = place;
  const state = stateOf(day.outcome);
  const share = state === 'picture' ? (day.clear_percent ?? 100) / 100 : 0;
  const arm = radius * 0.7;
  return (
    <g class={`disc disc-${state}${isChosen ? ' disc-chosen' : ''}`}>
      {state === 'failed' ? (
        <path d={`M${cx - arm} ${cy - arm}L${cx + arm} ${cy + arm}M${cx + arm} ${cy - arm}L${cx - arm} ${cy + arm}`} />
      ) : (
        <circle cx={cx} cy={cy} r={radius} />
      )}
      {share > 0 && share < 1 ? <path class="disc-share" d={filledPart(place, radius, share)} /> : null}
      {share === 1 ? <circle class="disc-share" cx={cx} cy={cy} r={radius} /> : null}
    </g>
  );
});

interface DayButtonsProps {
  readonly days: readonly IndexDay[];
  readonly places: TimelinePlaces;
  readonly chosen: string;
  readonly onChoose: (date: string) => void;
}

/** Real buttons above the drawing: one of them is reached by Tab, the others by the arrow keys. */
function DayButtons({ days, places, chosen, onChoose }: DayButtonsProps): JSX.Element {
  const list = useRef<HTMLDivElement>(null);
  const isWalking = useRef(false);
  const at = days.findIndex(({ date }) => date === chosen);
  useEffect(() => {
    if (isWalking.current) list.current?.querySelector<HTMLElement>('[aria-pressed="true"]')?.focus();
    isWalking.current = false;
  }, [chosen]);
  const walk = (event: KeyboardEvent): void => {
    const next = dayAfterKey(event.key, Math.max(0, at), days.length);
    const date = next === undefined ? undefined : days[next]?.date;
    if (date === undefined) return;
    event.preventDefault();
    isWalking.current = true;
    onChoose(date);
  };
  const size = Math.max(10, places.radius * 2 + 4);
  return (
    <div class="timeline-days" role="group" aria-label="Days" ref={list} onKeyDown={walk}>
      {days.map((day, index) => (
        <DayButton
          key={day.date}
          day={day}
          left={places.x(dayNumber(day.date)) - size / 2}
          width={size}
          isChosen={index === at}
          isInTabOrder={index === Math.max(0, at)}
          onChoose={onChoose}
        />
      ))}
    </div>
  );
}

interface DayButtonProps {
  readonly day: IndexDay;
  readonly left: number;
  readonly width: number;
  readonly isChosen: boolean;
  readonly isInTabOrder: boolean;
  readonly onChoose: (date: string) => void;
}

const DayButton = memo(({ day, left, width, isChosen, isInTabOrder, onChoose }: DayButtonProps): JSX.Element => (
  <button
    type="button"
    aria-pressed={isChosen}
    aria-label={dayLabel(day)}
    title={dayLabel(day)}
    tabIndex={isInTabOrder ? 0 : -1}
    style={{ left: `${left}px`, top: `${DISCS - 12}px`, width: `${width}px` }}
    onClick={() => {
      onChoose(day.date);
    }}
  />
));
