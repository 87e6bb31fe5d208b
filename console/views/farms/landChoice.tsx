import type { JSX } from 'preact';
import type { Farm, Listed, Party } from '../../api/farm.js';
import { Combobox } from '../../parts/combobox.js';
import { ALL_FARMS, notAmong, optionsOf } from '../../parts/landOptions.js';
import type { PickedLand } from '../../parts/landPicker.js';
import { Retry } from '../../parts/retry.js';
import type { Loaded } from '../../parts/useLoaded.js';

interface LandChoiceProps {
  readonly parties: Listed<Party>;
  readonly farms: Loaded<Listed<Farm>>;
  readonly shown: PickedLand;
  readonly onShow: (change: Partial<PickedLand>) => void;
}

/** Whose land is shown: a party, and all or one of its farms. */
export function LandChoice({ parties, farms, shown, onShow }: LandChoiceProps): JSX.Element {
  if (parties.items.length === 0) {
    return (
      <p class="note">No party yet. A party is whose land it is: create one, then its farms, and import fields.</p>
    );
  }
  return (
    <div class="stack">
      <Combobox
        name="Party"
        options={optionsOf(parties)}
        chosen={shown.partyId}
        placeholder="Type a name"
        fault={notAmong(parties, shown.partyId, 'party')}
        onChoose={(partyId) => {
          onShow({ partyId, farmId: '' });
        }}
      />
      {parties.isCut ? <p class="quiet">Only the first {parties.items.length} parties are listed.</p> : null}
      {farms.error === undefined ? (
        <Combobox
          name="Farm"
          options={[ALL_FARMS, ...(farms.value === undefined ? [] : optionsOf(farms.value))]}
          chosen={shown.farmId}
          placeholder={shown.partyId === '' ? 'Choose a party first' : 'Loading …'}
          isDisabled={farms.value === undefined}
          fault={notAmong(farms.value, shown.farmId, 'farm')}
          onChoose={(farmId) => {
            onShow({ farmId });
          }}
        />
      ) : (
        <Retry title="The farms could not be listed" error={farms.error} again={farms.again} />
      )}
    </div>
  );
}
