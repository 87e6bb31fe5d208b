import type { JSX } from 'preact';
import { useFarmAccess } from '../../parts/farmAccess.js';
import { Icon } from '../../parts/icons.js';
import { areaNumber, areaUnit, landAreaText } from '../../parts/units.js';
import { go, hrefOf } from '../../router.js';
import { handedOver } from '../handOver.js';
import { GroundChoice } from './groundChoice.js';
import { EdgeTools, type EdgeToolsProps } from './edgeTools.js';
import { confidenceWord, readingWord, type Candidate } from './boundarySearch.js';
import { saveText } from '../../parts/download.js';
import { geoJsonOf } from './fieldGeoJson.js';
import { SaveAsField } from './saveAsField.js';
import { change, type SearchState } from './boundaryStore.js';

interface FoundPanelProps {
  readonly candidate: Candidate;
  readonly search: SearchState;
  readonly edge: EdgeToolsProps;
  /** Day of the newest picture of the own field at the place. */
  readonly ownDate: string | undefined;
  /** The reading that is pointed at, in the list or on the map. */
  readonly compared: string | undefined;
  readonly onCompare: (id: string | undefined) => void;
}

const Confidence = ({ confidence }: Pick<Candidate, 'confidence'>): JSX.Element =>
  confidence === undefined ? (
    <dd>Adjusted by hand</dd>
  ) : (
    <dd>
      <b>{confidenceWord(confidence)}</b> <span class="quiet figure">{confidence.toFixed(2)}</span>
    </dd>
  );

/** What the place may be, as a choice: the same outlines can be clicked on the map. */
function Readings({
  search,
  compared,
  onCompare,
}: Pick<FoundPanelProps, 'search' | 'compared' | 'onCompare'>): JSX.Element | null {
  if (search.candidates.length < 2) return null;
  return (
    <fieldset class="readings">
      <legend>Readings of this place</legend>
      {search.candidates.map(({ id, reading, areaHa, confidence }) => (
        <label
          key={id}
          class={id === compared ? 'compared' : undefined}
          onPointerEnter={() => {
            onCompare(id);
          }}
          onPointerLeave={() => {
            onCompare(undefined);
          }}
        >
          <input
            type="radio"
            name="reading"
            checked={id === search.chosen}
            disabled={search.isAdjusting}
            onChange={() => {
              change({ chosen: id });
            }}
          />
          <span class={`reading reading-${reading}`}>
            <b>{readingWord(reading)}</b>
            <span class="figure">{landAreaText(areaHa)}</span>
            <span class="figure quiet">
              {confidence === undefined ? 'by hand' : `${confidenceWord(confidence)} ${confidence.toFixed(2)}`}
            </span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/** What was found, and what can be done with it. */
export function FoundPanel({ candidate, search, edge, ownDate, compared, onCompare }: FoundPanelProps): JSX.Element {
  const { isAdjusting, found, name } = search;
  const access = useFarmAccess();
  const canSave = access.state === 'own' && access.canWrite;
  const enrol = (event: Event): void => {
    event.preventDefault();
    handedOver.value = { fieldId: name.trim(), geometry: candidate.geometry };
    go(hrefOf('add'));
  };
  return (
    <form class="stack" onSubmit={enrol}>
      <dl class="figures" aria-live="polite">
        <div>
          <dt>Area</dt>
          <dd>
            <b>{areaNumber(candidate.areaHa, candidate.areaHa < 10 ? 2 : 1)}</b> <span class="quiet">{areaUnit()}</span>
          </dd>
        </div>
        <div>
          <dt>Confidence</dt>
          <Confidence confidence={candidate.confidence} />
        </div>
      </dl>
      {found?.touchesSearchRegion === true ? (
        <p class="note">The outline ends where the search ended: the field may go on beyond it.</p>
      ) : null}
      <GroundChoice search={search} ownDate={ownDate} />
      <Readings search={search} compared={compared} onCompare={onCompare} />
      <label>
        <span>Name it, to enrol it{canSave ? ' or save it' : ''}</span>
        <input
          type="text"
          value={name}
          maxLength={128}
          required
          onInput={({ currentTarget }) => {
            change({ name: currentTarget.value });
          }}
        />
      </label>
      <div class="halves">
        <button type="submit" class="first" disabled={isAdjusting || name.trim() === ''}>
          Enrol this field
        </button>
        <button
          type="button"
          class={isAdjusting ? 'on' : ''}
          aria-pressed={isAdjusting}
          onClick={() => {
            change({ isAdjusting: !isAdjusting });
          }}
        >
          {isAdjusting ? 'Edge is right' : 'Adjust edge'}
        </button>
      </div>
      <EdgeTools {...edge} />
      <SaveAsField candidate={candidate} name={name.trim()} search={search} />
      <button
        type="button"
        class="link"
        onClick={() => {
          saveText(
            `${name.trim() || 'field'}.geojson`,
            'application/geo+json',
            geoJsonOf(name.trim(), candidate.geometry),
          );
        }}
      >
        <Icon name="download" />
        Download GeoJSON
      </button>
    </form>
  );
}
