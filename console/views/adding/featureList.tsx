import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '../../parts/icons.js';
import { plainWords } from '../../parts/plainWords.js';
import { landAreaText } from '../../parts/units.js';
import type { Position } from '../../../shared/geo/geoJson.js';
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
  readonly isOffered: boolean;
  readonly hasOutline: boolean;
  readonly index: number;
  readonly areaHa: number | undefined;
  readonly faults: readonly FieldFault[];
  readonly isMarked: boolean;
  readonly onShow: FeatureListProps['onShow'];
  readonly onRename: (feature: number, name: string) => void;
}

function Row({
  name,
  isOffered,
  hasOutline,
  index,
  areaHa,
  faults,
  isMarked,
  onShow,
  onRename,
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
              if (typed !== '' && typed !== name) onRename(index, typed);
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
              {faults.length > 0 ? <Icon name="warning" /> : <Icon name="check" />}
            </span>
            <span class="grow">
              {name}
              {isOffered ? <small> · offered name</small> : null}
            </span>
            <span class="quiet figure">{areaHa === undefined ? '' : landAreaText(areaHa)}</span>
          </button>
        )}
        {isRenaming ? null : (
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

/** The fields of a file, each with what is wrong with it; those with faults first. */
export function FeatureList({ features, submission, marked, onShow }: FeatureListProps): JSX.Element {
  const { kept, faults, areas, typed, rename } = submission;
  const rows = kept.flatMap((index) => {
    const feature = features[index];
    if (feature === undefined) return [];
    return [{ index, feature, faults: faults.fields.filter((fault) => fault.feature === index) }];
  });
  const sorted = rows.toSorted((a, b) => Number(b.faults.length > 0) - Number(a.faults.length > 0));
  const unseen = kept.length - rows.length;
  return (
    <>
      <ul class="features" aria-label="Fields of the file">
        {sorted.map((row) => (
          <Row
            key={row.index}
            name={typed.get(row.index) ?? row.feature.fieldId}
            isOffered={row.feature.isOffered && !typed.has(row.index)}
            hasOutline={row.feature.geometry !== undefined}
            index={row.index}
            faults={row.faults}
            areaHa={areas.get(row.index)}
            isMarked={row.index === marked}
            onShow={onShow}
            onRename={rename}
          />
        ))}
      </ul>
      {unseen > 0 ? <p class="quiet">and {unseen} more, which are not shown</p> : null}
    </>
  );
}
