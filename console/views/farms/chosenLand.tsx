import type { JSX } from 'preact';
import { landName, putFarm, putParty, removeLand, type Farm, type Party } from '../../api/farm.js';
import { askFarmAccess } from '../../parts/farmAccess.js';
import type { PickedLand } from '../../parts/landPicker.js';
import { ChangeLand } from './changeLand.js';

interface ChosenLandProps {
  readonly party: Party | undefined;
  /** Undefined while all farms are shown. */
  readonly farm: Farm | undefined;
  readonly onShow: (shown: Partial<PickedLand>) => void;
  readonly onFarms: () => void;
}

/** Changes the farm that is shown, or the party while all of its farms are. */
export function ChosenLand({ party, farm, onShow, onFarms }: ChosenLandProps): JSX.Element | null {
  if (party === undefined) return null;
  const partyId = party.id;
  if (farm !== undefined) {
    const ids = { partyId, farmId: farm.id };
    return (
      <ChangeLand
        key={farm.id}
        what="farm"
        name={landName(farm)}
        below="its fields and their seasons"
        onRename={async (name) => {
          await putFarm(ids, name);
          onFarms();
        }}
        onDelete={async () => {
          await removeLand('farms', ids);
          onFarms();
          onShow({ farmId: '' });
        }}
      />
    );
  }
  return (
    <ChangeLand
      key={partyId}
      what="party"
      name={landName(party)}
      below="its farms, their fields and seasons"
      onRename={async (name) => {
        await putParty(partyId, name);
        await askFarmAccess();
      }}
      onDelete={async () => {
        await removeLand('parties', { partyId });
        await askFarmAccess();
        onShow({ partyId: '', farmId: '' });
      }}
    />
  );
}
