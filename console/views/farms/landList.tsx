import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { landName, type Farm } from '../../api/farm.js';
import type { LandField, LandFields } from '../../parts/farmLand.js';
import { landAreaText } from '../../parts/units.js';
import { notAmong } from '../../parts/landOptions.js';
import { NotThere } from '../../parts/notThere.js';
import type { PickedLand } from '../../parts/landPicker.js';
import { Retry } from '../../parts/retry.js';
import { folded } from '../../parts/folded.js';
import { Icon } from '../../parts/icons.js';
import type { Loaded } from '../../parts/useLoaded.js';
import { FieldCard, type FieldChange } from './fieldCard.js';

interface LandListProps {
  readonly land: Loaded<LandFields>;
  readonly farms: readonly Farm[];
  readonly shown: PickedLand;
  readonly onShow: (fieldId: string) => void;
  /** Undefined for people who may only read. */
  readonly change: FieldChange | undefined;
}

/** With fewer fields nobody has to search. */
const SEARCHED_FROM = 8;
/** Rows that are drawn; who wants another one searches. */
const MOST_ROWS = 300;

/** The fields of a party or farm, by name; the chosen one with what can be done with it. */
export function LandList({ land, farms, shown, onShow, change }: LandListProps): JSX.Element | null {
  const [wanted, setWanted] = useState('');
  const { value, error, again } = land;
  if (shown.partyId === '') return null;
  if (error !== undefined && value === undefined) {
    return <Retry title="The fields could not be listed" error={error} again={again} />;
  }
  if (value === undefined) return <GreyRows />;
  if (value.fields.length === 0) {
    return <p class="quiet">No field here yet: import a file, or find a boundary and save it as a field.</p>;
  }
  const missing = notAmong({ items: value.fields, isCut: value.isCut }, shown.fieldId, 'field here');
  const asked = folded(wanted.trim());
  const found = value.fields.filter(({ id, name }) => folded(`${name}\n${id}`).includes(asked));
  return (
    <div class="stack">
      {value.mapError === undefined ? null : (
        <Retry title="The map could not be filled" error={value.mapError} again={again} />
      )}
      {missing === undefined ? null : <NotThere>{missing}</NotThere>}
      {value.note === undefined ? null : <p class="quiet">{value.note}</p>}
      {value.fields.length < SEARCHED_FROM ? null : (
        <div class="field-search land-search">
          <label>
            <span class="hidden">Find a field</span>
            <Icon name="search" />
            <input
              type="search"
              placeholder={`Find in ${value.fields.length} fields`}
              value={wanted}
              onInput={({ currentTarget }) => {
                setWanted(currentTarget.value);
              }}
            />
          </label>
        </div>
      )}
      <ul class="features" aria-label="Fields">
        {found.slice(0, MOST_ROWS).map((field) => (
          <Row key={field.id} field={field} farms={farms} shown={shown} onShow={onShow} change={change} />
        ))}
      </ul>
      {found.length === 0 ? <p class="quiet">No field matches. Clear the search.</p> : null}
      {found.length > MOST_ROWS ? <p class="quiet">and {found.length - MOST_ROWS} more: search for them</p> : null}
    </div>
  );
}

const GreyRows = (): JSX.Element => (
  <ul class="features" aria-hidden="true">
    {Array.from({ length: 6 }, (_, row) => (
      <li key={row} class="feature land-grey" />
    ))}
  </ul>
);

interface RowProps extends Omit<LandListProps, 'land'> {
  readonly field: LandField;
}

function Row({ field, farms, shown, onShow, change }: RowProps): JSX.Element {
  const { id, name, farmId, areaHa } = field;
  const isChosen = id === shown.fieldId;
  const farm = farms.find((each) => each.id === farmId);
  return (
    <li class={`feature${isChosen ? ' feature-on' : ''}`}>
      <button
        type="button"
        class="feature-name"
        aria-current={isChosen ? 'true' : undefined}
        onClick={() => {
          onShow(id);
        }}
      >
        <span class="grow">{name}</span>
        {farm === undefined || shown.farmId !== '' ? null : <span class="quiet">{landName(farm)}</span>}
        <span class="quiet figure">{areaHa === undefined ? '' : landAreaText(areaHa)}</span>
      </button>
      {isChosen ? <FieldCard field={field} farmName={farm?.name} shown={shown} change={change} /> : null}
    </li>
  );
}
