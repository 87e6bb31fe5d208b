import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { putFarm, putParty } from '../../api/farm.js';
import { askFarmAccess } from '../../parts/farmAccess.js';
import type { PickedLand } from '../../parts/landPicker.js';
import { Icon } from '../../parts/icons.js';
import { ImportFile } from './importFile.js';
import { NameForm } from './nameForm.js';

interface FarmActionsProps {
  readonly shown: PickedLand;
  readonly onCreated: (created: Partial<PickedLand>) => void;
  readonly onImported: () => void;
}

const ACTIONS = [
  { name: 'party', text: 'New party' },
  { name: 'farm', text: 'New farm' },
  { name: 'import', text: 'Import' },
] as const;

type Action = (typeof ACTIONS)[number]['name'];

/** What can be created, one at a time; farms and fields need a party. */
export function FarmActions({ shown, onCreated, onImported }: FarmActionsProps): JSX.Element {
  const [open, setOpen] = useState<Action>();
  const { partyId } = shown;
  return (
    <>
      <div class="row land-actions" role="group" aria-label="Create">
        {ACTIONS.filter(({ name }) => name === 'party' || partyId !== '').map(({ name, text }) => (
          <button
            key={name}
            type="button"
            class={open === name ? 'on' : ''}
            aria-expanded={open === name}
            onClick={() => {
              setOpen(open === name ? undefined : name);
            }}
          >
            <Icon name="plus" /> {text}
          </button>
        ))}
      </div>
      {open === 'party' ? (
        <NameForm
          key="party"
          label="Name of the party"
          onName={async (id, name) => {
            await putParty(id, name);
            await askFarmAccess();
            onCreated({ partyId: id, farmId: '' });
          }}
        />
      ) : null}
      {open === 'farm' ? (
        <NameForm
          key="farm"
          label="Name of the farm"
          onName={async (id, name) => {
            await putFarm({ partyId, farmId: id }, name);
            setOpen(undefined);
            onCreated({ farmId: id });
          }}
        />
      ) : null}
      {open === 'import' ? <ImportFile shown={shown} onImported={onImported} /> : null}
    </>
  );
}
