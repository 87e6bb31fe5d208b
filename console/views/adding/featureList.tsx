import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../../parts/icons.js';
import { plainWords } from '../../parts/plainWords.js';
import { landAreaText } from '../../parts/units.js';
import type { Position } from '../../../shared/geo/shapes/geoJson.js';
import type { ReadFeature } from './readFeatures.js';
import type { FieldFault } from './submissionFaults.js';
import type { Submission } from './useSubmission.js';

interface FeatureListProps {
  readonly features: readonly ReadFeature[];
  readonly submission: Submission;
  /** Index of the feature that was clicked on the map. */
  readonly marked: number | undefined;
  readonly onShow: (feature: number, place: Position | undefined) => void;
}

interface RowProps {
  readonly name: string;
  readonly group: string | undefined;
  readonly isOffered: boolean;
  readonly hasOutline: boolean;
  readonly index: number;
  readonly areaHa: number | undefined;
  readonly faults: readonly FieldFault[];
  /** Whether all fields were checked, this one with them. */
  readonly isChecked: boolean;
  readonly isMarked: boolean;
  readonly onShow: FeatureListProps['onShow'];
  readonly submission: Submission;
}

function Row({
  name,
  group,
  isOffered,
  hasOutline,
  index,
  areaHa,
  faults,
  isChecked,
  isMarked,
  onShow,
  submission,
}: RowProps): JSX.Element {
  const [isRenaming, setRenaming] = useState(false);
  return (
    <li class={isMarked ? 'feature feature-on' : 'feature'}>
      <div class="feature-line">
        {isRenaming ? (
          <NameInput
            name={name}
            onDone={(typed) => {
              setRenaming(false);
              if (typed !== '' && typed !== name) submission.rename(new Map([[index, typed]]));
            }}
          />
        ) : (
          <button
            type="button"
            class="feature-name"
            disabled={!hasOutline}
            onClick={() => {
              onShow(index, faults[0]?.place);
            }}
          >
            <span class={`feature-sign ${faults.length > 0 ? 'feature-bad' : ''}`}>
              {faults.length > 0 ? <Icon name="warning" /> : isChecked ? <Icon name="check" /> : null}
            </span>
            <span class="grow">
              {name}
              {isOffered ? <small> · offered name</small> : null}
              {group === undefined ? null : <small> · {group}</small>}
            </span>
            <span class="quiet figure">{areaHa === undefined ? '' : landAreaText(areaHa)}</span>
          </button>
        )}
        {isRenaming ? null : (
          <>
            <button
              type="button"
              class="plain feature-rename"
              aria-label={`Rename ${name}`}
              title="Rename"
              onClick={() => {
                setRenaming(true);
              }}
            >
              <Icon name="pencil" />
            </button>
            <button
              type="button"
              class="plain feature-rename"
              aria-label={`Leave out ${name}`}
              title="Leave out"
              onClick={() => {
                submission.leaveOut([index]);
              }}
            >
              <Icon name="cross" />
            </button>
          </>
        )}
      </div>
      {faults.map(({ code, message }) => (
        <p key={`${code}${message}`} class="feature-fault">
          {plainWords(message)} <code>{code}</code>
        </p>
      ))}
    </li>
  );
}

/** A name that is typed: Enter takes it, as leaving it does; Escape leaves it as it was. */
function NameInput({ name, onDone }: { readonly name: string; readonly onDone: (typed: string) => void }): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    input.current?.select();
  }, []);
  return (
    <input
      ref={input}
      type="text"
      class="feature-input"
      aria-label={`New name of ${name}`}
      value={name}
      maxLength={128}
      onBlur={({ currentTarget }) => {
        onDone(currentTarget.value.trim());
      }}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Enter') currentTarget.blur();
        if (key === 'Escape') onDone(name);
      }}
    />
  );
}

/** Rows that are drawn: more would only make the page slow. */
const MOST_ROWS = 250;

/** The fields of a file, each with what is wrong with it; those with faults first. */
export function FeatureList({ features, submission, marked, onShow }: FeatureListProps): JSX.Element {
  const { state, kept, faults, areas, typed } = submission;
  const faultsOf = new Map<number, FieldFault[]>();
  for (const fault of faults.fields) faultsOf.set(fault.feature, [...(faultsOf.get(fault.feature) ?? []), fault]);
  const rows = kept.flatMap((index) => {
    const feature = features[index];
    return feature === undefined ? [] : [{ index, feature, faults: faultsOf.get(index) ?? [] }];
  });
  const sorted = rows.toSorted((a, b) => Number(b.faults.length > 0) - Number(a.faults.length > 0));
  const unseen = rows.length - MOST_ROWS;
  return (
    <>
      <ul class="features" aria-label="Fields of the file">
        {sorted.slice(0, MOST_ROWS).map((row) => (
          <Row
            key={row.index}
            name={typed.get(row.index) ?? row.feature.fieldId}
            group={row.feature.group}
            isOffered={row.feature.isOffered && !typed.has(row.index)}
            hasOutline={row.feature.geometry !== undefined}
            index={row.index}
            faults={row.faults}
            areaHa={areas.get(row.index)}
            isChecked={state !== 'checking' && areas.has(row.index)}
            isMarked={row.index === marked}
            onShow={onShow}
            submission={submission}
          />
        ))}
      </ul>
      {unseen > 0 ? <p class="quiet">and {unseen} more, which are not shown</p> : null}
    </>
  );
}
