import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { FieldMap } from '../map/mapScene.js';
import { askFarmAccess, useFarmAccess, type FarmAccess } from '../parts/farmAccess.js';
import { useFarms, useLandFields } from '../parts/farmLand.js';
import { notAmong } from '../parts/landOptions.js';
import type { PickedLand } from '../parts/landPicker.js';
import { Retry } from '../parts/retry.js';
import { LandMap } from '../parts/landMap.js';
import { farmHref, farmPlaceOf, go, place } from '../router.js';
import { NeedsToken } from '../session/needsToken.js';
import { hasToken } from '../session/session.js';
import { ChosenLand } from './farms/chosenLand.js';
import { useOutlineEdit } from './farms/editOutline.js';
import { FarmActions } from './farms/farmActions.js';
import { LandChoice } from './farms/landChoice.js';
import { LandList } from './farms/landList.js';

/** Farms: the tenant's own parties, farms and fields, and how they come here. */
export function Farms(): JSX.Element {
  const access = useFarmAccess();
  if (!hasToken.value) return <NeedsToken view="Farms" />;
  return access.state === 'own' ? <OwnFarms access={access} /> : <NoFarms access={access} />;
}

/** Why no farms are shown. */
const NoFarms = ({ access }: { readonly access: Exclude<FarmAccess, { readonly state: 'own' }> }): JSX.Element => (
  <section class="page" aria-busy={access.state === 'asking'}>
    <h1>Farms</h1>
    {access.state === 'asking' ? <p class="quiet">Looking for your farms …</p> : null}
    {access.state === 'none' ? (
      <p class="quiet">
        Your token has no role for farm data. Ask the administrator of your tenant for Farm.Read, or for Farm.ReadWrite
        to create farms and fields, then sign in with a new token.
      </p>
    ) : null}
    {access.state === 'failed' ? (
      <Retry title="Your farms could not be listed" error={access.error} again={() => void askFarmAccess()} />
    ) : null}
  </section>
);

type OwnAccess = Extract<FarmAccess, { readonly state: 'own' }>;

/** What the address names; the only party when it names none. */
function shownPlace({ parties }: OwnAccess): PickedLand {
  const named = farmPlaceOf(place.value.parts);
  const [only] = parties.items.length === 1 ? parties.items : [];
  return named.partyId === '' && only !== undefined ? { ...named, partyId: only.id } : named;
}

function OwnFarms({ access }: { readonly access: OwnAccess }): JSX.Element {
  const { parties, canWrite } = access;
  const shown = shownPlace(access);
  // Nothing is read of a party that there is not: its choice says so.
  const isThere = notAmong(parties, shown.partyId, 'party') === undefined;
  const farms = useFarms(isThere ? shown.partyId : '');
  const land = useLandFields(isThere ? shown : undefined);
  const show = (change: Partial<PickedLand>, how: 'push' | 'replace' = 'push'): void => {
    go(farmHref('farms', { ...shown, fieldId: '', ...change }), how);
  };
  const showField = (fieldId: string): void => {
    show({ fieldId }, 'replace');
  };
  const [map, setMap] = useState<FieldMap>();
  const edit = useOutlineEdit(map, shown.fieldId);
  const change = canWrite
    ? {
        edit,
        onChanged: land.again,
        onGone: () => {
          show({}, 'replace');
          land.again();
        },
      }
    : undefined;
  return (
    <section class={`split-view${parties.items.length === 0 ? ' split-view-empty' : ''}`}>
      <div class="split-panel">
        <h1>Farms</h1>
        <LandChoice parties={parties} farms={farms} shown={shown} onShow={show} />
        {canWrite && isThere ? (
          <>
            <FarmActions
              key={shown.partyId}
              shown={shown}
              onCreated={(created) => {
                farms.again();
                show(created);
              }}
              onImported={land.again}
            />
            <ChosenLand
              party={parties.items.find(({ id }) => id === shown.partyId)}
              farm={farms.value?.items.find(({ id }) => id === shown.farmId)}
              onShow={show}
              onFarms={farms.again}
            />
          </>
        ) : null}
        {isThere ? (
          <LandList land={land} farms={farms.value?.items ?? []} shown={shown} onShow={showField} change={change} />
        ) : null}
      </div>
      <LandMap
        label="Map of the fields: click one to choose it"
        fields={land.value?.fields ?? NO_FIELDS}
        chosen={shown.fieldId}
        onChoose={showField}
        onMap={setMap}
        events={edit}
      />
    </section>
  );
}

const NO_FIELDS = [] as const;
