import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Confirmation } from '../../parts/confirmation.js';
import { Fault } from '../../parts/fault.js';
import { NameForm } from './nameForm.js';

interface ChangeLandProps {
  readonly what: 'party' | 'farm' | 'field';
  readonly name: string;
  /** What goes with it when it is deleted. */
  readonly below: string;
  readonly onRename: (name: string) => Promise<void>;
  readonly onDelete: () => Promise<void>;
}

/** A party, farm or field is renamed, or deleted with all that lies below it. */
export function ChangeLand({ what, name, below, onRename, onDelete }: ChangeLandProps): JSX.Element {
  const [open, setOpen] = useState<'rename' | 'delete'>();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const remove = async (): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      await onDelete();
    } catch (fault) {
      setError(fault);
      setOpen(undefined);
    }
    setBusy(false);
  };
  const button = (action: 'rename' | 'delete', text: string): JSX.Element => (
    <button
      type="button"
      class={`small${open === action ? ' on' : ''}`}
      aria-expanded={open === action}
      onClick={() => {
        setOpen(open === action ? undefined : action);
      }}
    >
      {text}
    </button>
  );
  return (
    <div class="stack">
      <div class="row" role="group" aria-label={`Change the ${what} ${name}`}>
        {button('rename', `Rename the ${what}`)}
        {button('delete', `Delete the ${what}`)}
      </div>
      {open === 'rename' ? (
        <NameForm
          label={`New name of the ${what}`}
          before={name}
          onName={async (_id, wanted) => {
            await onRename(wanted);
            setOpen(undefined);
          }}
        />
      ) : null}
      {open === 'delete' ? (
        <Confirmation
          label={`Delete this ${what}?`}
          isBusy={isBusy}
          onKeep={() => {
            setOpen(undefined);
          }}
          onDelete={() => void remove()}
        >
          {isBusy ? `Deleting ${name} …` : `Delete ${name}, with ${below}? Nobody can bring it back.`}
        </Confirmation>
      ) : null}
      {error === undefined ? null : <Fault title="Not deleted" error={error} />}
    </div>
  );
}
