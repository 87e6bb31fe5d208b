import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Position } from '../../../shared/geo/shapes/geoJson.js';
import { useFarmAccess } from '../../parts/farmAccess.js';
import { FieldPicker } from '../../parts/fieldPicker.js';
import { placeOfText, typedPlace } from '../../parts/placeText.js';
import { change, type SearchSettings, type SearchState } from './boundaryStore.js';

interface SearchFormProps {
  readonly place: Position | undefined;
  readonly search: SearchState;
  readonly onAsk: (place: Position, isTyped: boolean) => void;
}

interface Input {
  readonly name: keyof SearchSettings;
  readonly text: string;
  readonly type: 'text' | 'date';
}

const PERIOD: readonly Input[] = [
  { name: 'from', text: 'Imagery from', type: 'date' },
  { name: 'to', text: 'to', type: 'date' },
];
const IDS: readonly Input[] = [
  { name: 'partyId', text: 'Party id', type: 'text' },
  { name: 'farmId', text: 'Farm id', type: 'text' },
];

/** Inputs side by side. */
function Inputs({ inputs, search }: { readonly inputs: readonly Input[]; readonly search: SearchState }): JSX.Element {
  const { settings } = search;
  const set =
    (name: keyof SearchSettings) =>
    ({ currentTarget }: { readonly currentTarget: HTMLInputElement }): void => {
      change({ settings: { ...settings, [name]: currentTarget.value } });
    };
  return (
    <div class="pairs">
      {inputs.map(({ name, text, type }) => (
        <label key={name}>
          <span>{text}</span>
          {type === 'date' ? (
            <input type="date" value={settings[name]} onInput={set(name)} />
          ) : (
            <input type="text" value={settings[name]} onInput={set(name)} />
          )}
        </label>
      ))}
    </div>
  );
}

/** Where to look, on which days and for whose farm. */
export function SearchForm({ place, search, onAsk }: SearchFormProps): JSX.Element {
  const [text, setText] = useState('');
  const [fault, setFault] = useState<string>();
  const { settings } = search;
  const access = useFarmAccess();
  const [needsFarm] = useState(settings.partyId === '' || settings.farmId === '');
  useEffect(() => {
    if (place !== undefined) setText(typedPlace(place));
  }, [place]);
  const submit = (event: Event): void => {
    event.preventDefault();
    const typed = placeOfText(text);
    setFault(typeof typed === 'string' ? typed : undefined);
    if (typeof typed !== 'string') onAsk(typed, true);
  };
  return (
    <form class="stack" onSubmit={submit} noValidate>
      <div class="row-end">
        <label class="grow">
          <span>Place, latitude and longitude</span>
          <input
            type="text"
            value={text}
            inputMode="text"
            autocomplete="off"
            placeholder="Click the map, or 41.5142, -92.9600"
            aria-invalid={fault !== undefined}
            aria-describedby={fault === undefined ? undefined : 'place-fault'}
            onInput={({ currentTarget }) => {
              setText(currentTarget.value);
            }}
          />
        </label>
        <button type="submit" disabled={search.isBusy}>
          Find
        </button>
      </div>
      {fault === undefined ? null : (
        <p class="input-fault" id="place-fault" role="alert">
          {fault}
        </p>
      )}
      <details open={needsFarm}>
        <summary>Period and farm</summary>
        <Inputs inputs={PERIOD} search={search} />
        <FieldPicker
          access={access}
          picked={settings}
          wants="farm"
          onPick={({ fieldId: _field, ...picked }) => {
            change({ settings: { ...settings, ...picked } });
          }}
          otherwise={<Inputs inputs={IDS} search={search} />}
        />
        <small>At most 14 days. The farm is one of your farm data.</small>
      </details>
    </form>
  );
}
