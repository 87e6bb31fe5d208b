import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useFarmAccess } from '../../parts/farmAccess.js';
import { hectaresText } from '../../parts/farmLand.js';
import { Icon } from '../../parts/icons.js';
import { go, hrefOf } from '../../router.js';
import { handedOver } from '../handOver.js';
import { confidenceWord, readingWord, type Candidate } from './boundarySearch.js';
import { saveText } from '../../parts/download.js';
import { geoJsonOf } from './fieldGeoJson.js';
import { SaveAsField } from './saveAsField.js';
import type { BoundarySearch } from './useBoundarySearch.js';

interface FoundPanelProps {
  readonly candidate: Candidate;
  readonly search: BoundarySearch;
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
function Readings({ search }: { readonly search: BoundarySearch }): JSX.Element | null {
  if (search.candidates.length < 2) return null;
  return (
    <fieldset class="readings">
      <legend>Readings of this place</legend>
      {search.candidates.map(({ id, reading, areaHa, confidence }) => (
        <label key={id}>
          <input
            type="radio"
            name="reading"
            checked={id === search.chosen}
            disabled={search.isAdjusting}
            onChange={() => {
              search.choose(id);
            }}
          />
          <span class={`reading reading-${reading}`}>
            <b>{readingWord(reading)}</b>
            <span class="figure">{hectaresText(areaHa)} ha</span>
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
export function FoundPanel({ candidate, search }: FoundPanelProps): JSX.Element {
  const [name, setName] = useState('New field');
  const { isAdjusting, found } = search;
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
            <b>{hectaresText(candidate.areaHa)}</b> <span class="quiet">ha</span>
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
      <Readings search={search} />
      <label>
        <span>Name it, to enrol it{canSave ? ' or save it' : ''}</span>
        <input
          type="text"
          value={name}
          maxLength={128}
          required
          onInput={({ currentTarget }) => {
            setName(currentTarget.value);
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
            search.setAdjusting(!isAdjusting);
          }}
        >
          {isAdjusting ? 'Edge is right' : 'Adjust edge'}
        </button>
      </div>
      {isAdjusting ? <small>Drag a corner, or the edge between two. Alt and a click take a corner away.</small> : null}
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
