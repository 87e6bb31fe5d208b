import type { JSX } from 'preact';
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { LayerName } from '../../../shared/scenes/layers/layers.js';
import type { ListedField } from '../../api/fields.js';
import { memo } from '../../charts/memo.js';
import { Spark, type SparkPoint } from '../../charts/spark.js';
import type { Curve } from '../../charts/curve.js';
import { areaText } from '../../parts/units.js';
import { stateText, type DayState, type KnownDays } from './dayState.js';
import { rowAfterKey } from './rowKeys.js';
import { curveOf, look, type Selection } from './selection.js';

/** A field of the list on the chosen day. */
export interface Row {
  readonly field: ListedField;
  readonly state: DayState;
  readonly known: KnownDays | undefined;
}

interface RowsProps {
  readonly rows: readonly Row[];
  readonly selection: Selection;
  readonly total: number;
  /** Of what each row shows a figure at its end. */
  readonly figureText: (row: Row) => string;
  readonly figureName: string;
  readonly onChosen: (field: ListedField) => void;
}

/** The rows of the list: one of them is reached by Tab, the others by the arrow keys. */
export function Rows({ rows, selection, total, figureText, figureName, onChosen }: RowsProps): JSX.Element {
  const list = useRef<HTMLUListElement>(null);
  const chosen = selection.field?.field_id;
  useEffect(() => {
    // On a phone rows lie beside each other and get wider as their days come: in the middle, none of it is cut.
    list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [chosen]);
  const newest = useRef(selection);
  newest.current = selection;
  const chosenBy = useRef(onChosen);
  chosenBy.current = onChosen;
  const [reached, setReached] = useState<string>();
  useEffect(() => {
    setReached(chosen);
  }, [chosen]);
  const choose = useCallback((field: ListedField) => {
    look({ ...newest.current, field });
    chosenBy.current(field);
  }, []);
  if (rows.length === 0) {
    return (
      <p class="field-none quiet">
        {total === 0 ? 'No fields yet.' : 'No field matches. Clear the search, or choose All.'}
      </p>
    );
  }
  // The row that was left last; the first one where that is not shown.
  const at = Math.max(
    0,
    rows.findIndex(({ field }) => field.field_id === reached),
  );
  const walk = (event: KeyboardEvent): void => {
    const next = rowAfterKey(event.key, at, rows.length);
    const id = next === undefined ? undefined : rows[next]?.field.field_id;
    if (next === undefined || id === undefined) return;
    event.preventDefault();
    setReached(id);
    list.current?.querySelectorAll('button')[next]?.focus();
  };
  return (
    <ul class="field-rows" ref={list} onKeyDown={walk}>
      {rows.map((row, index) => {
        const { field, state, known } = row;
        return (
          <FieldRow
            key={field.field_id}
            field={field}
            known={known}
            dot={field.errors === null ? state.state : 'failed'}
            text={field.errors === null ? stateText(state) : 'not monitored'}
            figure={figureText(row)}
            figureName={figureName}
            layer={selection.layer}
            isChosen={field.field_id === chosen}
            isInTabOrder={index === at}
            onChoose={choose}
          />
        );
      })}
    </ul>
  );
}

interface FieldRowProps {
  readonly field: ListedField;
  readonly known: KnownDays | undefined;
  readonly dot: string;
  readonly text: string;
  readonly figure: string;
  readonly figureName: string;
  readonly layer: LayerName;
  readonly isChosen: boolean;
  readonly isInTabOrder: boolean;
  readonly onChoose: (field: ListedField) => void;
}

const FieldRow = memo((props: FieldRowProps): JSX.Element => {
  const { field, known, dot, text, figure, figureName, layer, isChosen, isInTabOrder, onChoose } = props;
  const { field_id: id, area_ha: areaHa } = field;
  return (
    <li>
      <button
        type="button"
        tabIndex={isInTabOrder ? 0 : -1}
        aria-current={isChosen ? 'true' : undefined}
        onClick={() => {
          onChoose(field);
        }}
      >
        <span class={`dot dot-${dot}`} aria-hidden="true" />
        <span class="field-name">
          <b>{id}</b>
          <small>
            {areaText(areaHa)} · {text}
          </small>
        </span>
        <Spark points={useSpark(known, layer)} />
        <span class="field-mean figure">
          <span class="hidden">{figureName} </span>
          {figure}
        </span>
      </button>
    </li>
  );
});

const pointsOf = (known: KnownDays | undefined, curve: Curve): readonly SparkPoint[] =>
  known?.days.flatMap((day) => {
    const figures = curve.of(day);
    return figures === undefined ? [] : [{ date: day.date, value: figures.mean / curve.top }];
  }) ?? [];

const useSpark = (known: KnownDays | undefined, layer: LayerName): readonly SparkPoint[] =>
  useMemo(() => pointsOf(known, curveOf(layer)), [known, layer]);
