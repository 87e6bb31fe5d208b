import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Fault } from '../../parts/fault.js';

interface NameFormProps {
  readonly label: string;
  /** @param id the same for each try, so that nothing is created twice when an answer was lost */
  readonly onName: (id: string, name: string) => Promise<void>;
  /** The name of something that is there and gets another one. */
  readonly before?: string;
}

/** Something is created by its name, or renamed. */
export function NameForm({ label, onName, before }: NameFormProps): JSX.Element {
  const [id] = useState(() => crypto.randomUUID());
  const [name, setName] = useState(before ?? '');
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const create = async (): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      await onName(id, name.trim());
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
          {before === undefined ? 'Create' : 'Rename'}
        </button>
      </div>
      {error === undefined ? null : (
        <Fault title={before === undefined ? 'Not created' : 'Not renamed'} error={error} />
      )}
    </form>
  );
}
