import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { ListedField } from '../../api/fields.js';
import { LineChart, type ChartLine } from '../../charts/lineChart.js';
import { dayNumber, dayText } from '../../parts/dateText.js';
import { Icon } from '../../parts/icons.js';
import { addBeside, besideFields, MOST_BESIDE, removeBeside } from './chartChoice.js';
import { days as daysSignal, fields as fieldsSignal } from './fieldsStore.js';
import { medianPoints, pointsOf, yearLines } from './lineData.js';
import { LineTable } from './lineTable.js';
import { curveOf, type Selection } from './selection.js';

interface FieldLinesProps {
  readonly field: ListedField;
  readonly selection: Selection;
  readonly kind: 'fields' | 'years';
}

/** Years before the newest that are drawn, at most. */
const MOST_EARLIER_YEARS = MOST_BESIDE;
const MEDIAN = 'Median of the farm';

/** The field, those beside it, and the farm's median. */
function useFieldLines({ field, selection }: FieldLinesProps): readonly ChartLine[] {
  const [known, beside] = [daysSignal.value, besideFields.value];
  const curve = curveOf(selection.layer);
  const median = useMemo(() => medianPoints(known.values(), curve), [known, curve]);
  return useMemo(() => {
    const others = beside.filter((id) => id !== field.field_id);
    return [
      { name: field.field_id, look: 'chosen', points: pointsOf(known.get(field.field_id), curve) },
      ...others.map((id) => ({ name: id, look: String(beside.indexOf(id)), points: pointsOf(known.get(id), curve) })),
      { name: MEDIAN, look: 'median', points: median },
    ];
  }, [field, known, beside, curve, median]);
}

/** The field in its newest year and those before. */
function useYearLines({ field, selection }: FieldLinesProps): readonly ChartLine[] {
  const known = daysSignal.value.get(field.field_id);
  const curve = curveOf(selection.layer);
  return useMemo(
    () =>
      yearLines(pointsOf(known, curve))
        .slice(0, MOST_EARLIER_YEARS + 1)
        .map((line, index) => ({ ...line, look: index === 0 ? 'chosen' : String(index - 1) })),
    [known, curve],
  );
}

/** The value of a line on a day. */
const valueAt = ({ points }: ChartLine, at: number): number | undefined => points.find(({ x }) => x === at)?.value;

/** Several fields, or several years of one, in one drawing: as lines or as a table. */
export function FieldLines(props: FieldLinesProps): JSX.Element {
  const { field, selection, kind } = props;
  const fieldLines = useFieldLines(props);
  const years = useYearLines(props);
  const lines = kind === 'fields' ? fieldLines : years;
  const [readAt, setReadAt] = useState<number>();
  const [isTable, setTable] = useState(false);
  const curve = curveOf(selection.layer);
  const days = useMemo(() => new Set(lines.flatMap(({ points }) => points.map(({ x }) => x))), [lines]);
  const wanted = readAt ?? dayNumber(kind === 'fields' ? selection.date : `2000${selection.date.slice(4)}`);
  const at = days.has(wanted) ? wanted : Math.max(...days, 0);
  const dayName = kind === 'fields' ? dayText(dateAt(lines, at)) : dayText(dateAt(lines, at)).replace(/,? \d{4}$/, '');
  const textAt = (line: ChartLine): string => {
    const value = valueAt(line, at);
    return value === undefined ? 'no picture' : curve.text(value);
  };
  return (
    <div class="field-lines">
      {isTable ? (
        <LineTable lines={lines} text={curve.text} hasYears={kind === 'fields'} />
      ) : (
        <LineChart
          lines={lines}
          top={curve.top}
          hasYears={kind === 'fields'}
          label={
            kind === 'fields'
              ? `Mean ${curve.name} of ${lines.length - 1} fields and the median of the farm.`
              : `Mean ${curve.name} of ${field.field_id} in ${lines.length} years.`
          }
          at={at}
          atText={`${dayName}: ${lines.map((line) => `${line.name} ${textAt(line)}`).join(', ')}`}
          onRead={setReadAt}
        />
      )}
      <div class="line-keys">
        <b class="figure">{isTable ? '' : dayName}</b>
        <ul tabIndex={0} aria-label="Lines of the chart">
          {lines.map((line) => (
            <li key={line.name}>
              <Swatch look={line.look} />
              <span>{line.name}</span>
              {isTable ? null : <span class="figure">{textAt(line)}</span>}
              {kind === 'fields' && besideFields.value.includes(line.name) && line.look !== 'chosen' ? (
                <RemoveButton id={line.name} />
              ) : null}
            </li>
          ))}
        </ul>
        {kind === 'fields' ? <AddField field={field} /> : null}
        <button
          type="button"
          class={`small${isTable ? ' on' : ''}`}
          aria-pressed={isTable}
          onClick={() => {
            setTable(!isTable);
          }}
        >
          Table
        </button>
      </div>
    </div>
  );
}

const dateAt = (lines: readonly ChartLine[], at: number): string =>
  lines.flatMap(({ points }) => points).find(({ x }) => x === at)?.date ?? '';

const Swatch = ({ look }: { readonly look: string }): JSX.Element => (
  <svg class={`line line-${look}`} width="22" height="10" aria-hidden="true" focusable="false">
    <path d="M1 5H21" />
  </svg>
);

const RemoveButton = ({ id }: { readonly id: string }): JSX.Element => (
  <button
    type="button"
    class="plain small"
    aria-label={`Take ${id} out of the chart`}
    onClick={() => {
      removeBeside(id);
    }}
  >
    <Icon name="cross" />
  </button>
);

/** One more field, of those that have days. */
function AddField({ field }: { readonly field: ListedField }): JSX.Element {
  const [beside, known] = [besideFields.value, daysSignal.value];
  const left = (fieldsSignal.value ?? []).filter(
    ({ field_id: id }) => id !== field.field_id && !beside.includes(id) && known.has(id),
  );
  const isFull = beside.length >= MOST_BESIDE;
  return (
    <select
      aria-label="Add a field to the chart"
      value=""
      disabled={isFull || left.length === 0}
      onChange={({ currentTarget }) => {
        addBeside(currentTarget.value);
        currentTarget.value = '';
      }}
    >
      <option value="">{isFull ? `${MOST_BESIDE} at most` : 'Add a field'}</option>
      {left.map(({ field_id: id }) => (
        <option key={id} value={id}>
          {id}
        </option>
      ))}
    </select>
  );
}
