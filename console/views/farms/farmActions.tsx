import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { putFarm, putParty } from '../../api/farm.js';
import { askFarmAccess } from '../../parts/farmAccess.js';
import { Fault } from '../../parts/fault.js';
import type { PickedLand } from '../../parts/landPicker.js';
import { Icon } from '../../parts/icons.js';
import { ImportFile } from './importFile.js';

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
          onCreate={async (id, name) => {
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
          onCreate={async (id, name) => {
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

interface NameFormProps {
  readonly label: string;
  /** @param id the same for each try, so that nothing is created twice when an answer was lost */
  readonly onCreate: (id: string, name: string) => Promise<void>;
}

/** Something is created by its name. */
function NameForm({ label, onCreate }: NameFormProps): JSX.Element {
  const [id] = useState(() => crypto.randomUUID());
  const [name, setName] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const create = async (): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      await onCreate(id, name.trim());
    } catch (fault) {
      setError(fault);
    }
    setBusy(false);
  };
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void create();
      }}
    >
      <div class="row-end">
        <label class="grow">
          <span>{label}</span>
          <input
            type="text"
            value={name}
            maxLength={100}
            required
            autocomplete="off"
            onInput={({ currentTarget }) => {
              setName(currentTarget.value);
            }}
          />
        </label>
        <button type="submit" class="first" disabled={isBusy || name.trim() === ''}>
          Create
        </button>
      </div>
      {error === undefined ? null : <Fault title="Not created" error={error} />}
    </form>
  );
}
