import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { IndexDay, ListedField } from '../../api/fields.js';
import { memo } from '../../charts/memo.js';
import { Timeline } from '../../charts/timeline.js';
import { Chunk } from '../../parts/chunk.js';
import { dayText } from '../../parts/dateText.js';
import { Icon } from '../../parts/icons.js';
import { areaText } from '../../parts/units.js';
import { percentText, reasonFor, stateText, type DayState, type KnownDays } from './dayState.js';
import { chartKind, type ChartKind } from './chartChoice.js';
import { ChartSelect } from './chartSelect.js';
import { Downloads } from './downloads.js';
import { hasEarlierYears, pointsOf } from './lineData.js';
import { Play } from './play.js';
import { storageError } from './fieldsStore.js';
import { curveOf, type Selection } from './selection.js';

interface DockProps {
  readonly field: ListedField;
  readonly selection: Selection;
  readonly known: KnownDays | undefined;
  readonly state: DayState;
  readonly onDate: (date: string) => void;
  /** Saves what the map shows. */
  readonly picture: () => Promise<void>;
  /** Whether the chosen day is drawn. */
  readonly isDrawn: () => boolean;
}

/** A field through its days: name, day, the sentence of a day without a picture, and the curve with the days below. */
export const Dock = memo(({ field, selection, known, state, onDate, picture, isDrawn }: DockProps): JSX.Element => {
  const days = known?.days ?? [];
  const pictures = days.filter(({ outcome }) => outcome === 'done').length;
  const curve = curveOf(selection.layer);
  const hasYears = useMemo(() => hasEarlierYears(pointsOf(known, curve)), [known, curve]);
  const kind = chartKind.value === 'years' && !hasYears ? 'days' : chartKind.value;
  return (
    <section class="dock" aria-label={`Days of ${field.field_id}`}>
      <div class="dock-head">
        <div class="dock-field">
          <h2>{field.field_id}</h2>
          {field.group === null ? null : <p class="quiet dock-group">{field.group}</p>}
          <p class="quiet">
            {areaText(field.area_ha, 1)}
            {known === undefined ? '' : ` · ${pictures} of ${days.length} days with a picture`}
          </p>
        </div>
        <DayWalk days={days} selection={selection} state={state} onDate={onDate} isDrawn={isDrawn} />
        <div class="dock-tools">
          <ChartSelect hasYears={hasYears} />
          <Downloads field={field} date={selection.date} layer={selection.layer} state={state} picture={picture} />
        </div>
      </div>
      <DockChart field={field} selection={selection} known={known} kind={kind} onDate={onDate} />
    </section>
  );
});

interface DockChartProps extends Pick<DockProps, 'field' | 'selection' | 'known' | 'onDate'> {
  readonly kind: ChartKind;
}

/** The days of the field with their curve, or the lines of several fields or years. */
function DockChart({ field, selection, known, kind, onDate }: DockChartProps): JSX.Element {
  const days = known?.days ?? [];
  const curve = curveOf(selection.layer);
  if (days.length > 0 && kind !== 'days') {
    return (
      <Chunk part="fieldLines" load={async () => (await import('./fieldLines.js')).FieldLines}>
        {(Lines) => <Lines key={kind} field={field} selection={selection} kind={kind} />}
      </Chunk>
    );
  }
  return (
    <>
      {days.length === 0 ? (
        <p class="dock-none quiet" role="status">
          {known === undefined && field.newest !== null && field.errors === null ? daysToCome() : nothingYet(field)}
        </p>
      ) : (
        <Timeline
          days={days}
          curve={curve}
          chosen={selection.date}
          compared={selection.compared?.date}
          onChoose={onDate}
        />
      )}
      <DockLegend curveName={curve.name} hasFailed={days.some(({ outcome }) => outcome === 'failed')} />
    </>
  );
}

/** Why there are no days is said on the map. */
const daysToCome = (): string =>
  storageError.value === undefined ? 'Reading the days …' : 'The days can’t be read while the storage is away.';

function nothingYet({ errors, newest }: ListedField): string {
  const [error] = errors ?? [];
  if (error !== undefined) return `This field is not monitored: ${error.message}`;
  return newest === null ? 'Searching; the first picture comes within minutes.' : 'No day has been looked at yet.';
}

interface DayWalkProps {
  readonly days: readonly IndexDay[];
  readonly selection: Selection;
  readonly state: DayState;
  readonly onDate: (date: string) => void;
  readonly isDrawn: () => boolean;
}

function DayWalk({ days: all, selection: { date, layer }, state, onDate, isDrawn }: DayWalkProps): JSX.Element {
  const days = useMemo(() => all.map((day) => day.date), [all]);
  const before = days.findLast((day) => day < date);
  const after = days.find((day) => day > date);
  const step = (name: string, icon: 'left' | 'right', to: string | undefined): JSX.Element => (
    <button
      type="button"
      class="plain"
      aria-label={name}
      disabled={to === undefined}
      onClick={() => {
        if (to !== undefined) onDate(to);
      }}
    >
      <Icon name={icon} />
    </button>
  );
  return (
    <div class="day-walk">
      {step('Day before', 'left', before)}
      <div class="day-now" aria-live="polite">
        <b class="figure">{date === '' ? 'No day yet' : dayText(date)}</b>
        <DaySentence key={date} state={state} layer={layer} />
      </div>
      {step('Day after', 'right', after)}
      <Play all={all} date={date} onDate={onDate} isDrawn={isDrawn} />
    </div>
  );
}

/** What the day has, or why it has no picture: the first clause, the rest on demand. */
function DaySentence({ state, layer }: { readonly state: DayState; readonly layer: Selection['layer'] }): JSX.Element {
  const [isWhole, setWhole] = useState(false);
  const { day } = state;
  const reason = day === undefined ? null : reasonFor(day, layer);
  if (reason === null) return <span class="quiet">{shortSentence(state, layer)}</span>;
  const [clause = '', ...rest] = reason.split('; ');
  return (
    <span class="quiet">
      {isWhole || rest.length === 0 ? reason : `${clause}.`}{' '}
      {rest.length === 0 || isWhole ? null : (
        <button
          type="button"
          class="link"
          onClick={() => {
            setWhole(true);
          }}
        >
          More
        </button>
      )}
    </span>
  );
}

const WHY_NONE: Readonly<Partial<Record<DayState['state'], string>>> = {
  none: 'No scene shows this field on that day.',
  searching: 'The first scenes of this field are searched for.',
};

function shortSentence(state: DayState, layer: Selection['layer']): string {
  const { day, clearPercent } = state;
  if (state.state !== 'picture') return WHY_NONE[state.state] ?? stateText(state);
  const curve = curveOf(layer);
  const figures = day === undefined ? undefined : curve.of(day);
  const clear = clearPercent === null ? [] : [`${percentText(clearPercent)} clear`];
  return [...clear, ...(figures === undefined ? [] : [`mean ${curve.name} ${curve.text(figures.mean)}`])].join(' · ');
}

const DockLegend = ({
  curveName,
  hasFailed,
}: {
  readonly curveName: string;
  readonly hasFailed: boolean;
}): JSX.Element => (
  <ul class="dock-legend" aria-hidden="true">
    <li>
      <span class="dot dot-picture" /> picture, filled by its clear share
    </li>
    <li>
      <span class="dot dot-dashed" /> hidden by cloud
    </li>
    {hasFailed ? (
      <li>
        <span class="dot dot-failed" /> failed
      </li>
    ) : null}
    <li>
      <span class="dash" /> mean {curveName}, band: 2nd to 98th percentile
    </li>
  </ul>
);
