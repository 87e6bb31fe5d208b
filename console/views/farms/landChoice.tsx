import type { JSX } from 'preact';
import type { Farm, Listed, Party } from '../../api/farm.js';
import { Combobox } from '../../parts/combobox.js';
import { ALL_FARMS, optionsOf } from '../../parts/landOptions.js';
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
  const isNamed = shown.partyId === '' || parties.items.some(({ id }) => id === shown.partyId);
  return (
    <div class="stack">
      <Combobox
        name="Party"
        options={optionsOf(parties)}
        chosen={shown.partyId}
        placeholder="Type a name"
        fault={isNamed ? undefined : `You have no party ${shown.partyId}. Choose another one.`}
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
