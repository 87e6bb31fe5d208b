import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { NewWebhook as Wanted } from '../../../shared/notices/managing/webhookSchemas.js';
import { createWebhook, type NoticeSession, type ShownWebhook } from '../../api/notices.js';
import { Fault } from '../../parts/fault.js';
import { KINDS } from './noticeWords.js';
import { useAction } from './useAction.js';

interface NewWebhookProps {
  readonly as: NoticeSession;
  readonly onCreated: (webhook: ShownWebhook) => void;
}

interface Typed {
  readonly url: string;
  readonly description: string;
  readonly types: readonly string[];
  /** Another one for another content: a repetition of the same makes no second webhook. */
  readonly key: string;
}

const nothing = (): Typed => ({ url: '', description: '', types: [], key: crypto.randomUUID() });

const wantedOf = ({ url, description, types }: Typed): Wanted => ({
  url: url.trim(),
  ...(description.trim() === '' ? {} : { description: description.trim() }),
  ...(types.length === 0 ? {} : { types: [...types] }),
});

/** A receiver, what it is to be told, and a text to know it by. */
export function NewWebhook({ as, onCreated }: NewWebhookProps): JSX.Element {
  const [typed, setTyped] = useState(nothing);
  const { isBusy, error, run } = useAction();
  const set = (change: Partial<Typed>): void => {
    setTyped({ ...typed, ...change, key: crypto.randomUUID() });
  };
  const create = async (): Promise<string> => {
    const webhook = await createWebhook(as, wantedOf(typed), typed.key);
    setTyped(nothing());
    onCreated(webhook);
    return '';
  };
  return (
    <form
      class="card stack"
      aria-label="New webhook"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) run(create);
      }}
    >
      <label>
        <span>Address of your receiver</span>
        <input
          type="text"
          inputMode="url"
          required
          autocomplete="off"
          spellcheck={false}
          maxLength={2048}
          placeholder="https://farm.example.com/hooks/fields"
          value={typed.url}
          onInput={({ currentTarget }) => {
            set({ url: currentTarget.value });
          }}
        />
        <small>https on port 443 of the public internet</small>
      </label>
      <label>
        <span>Description</span>
        <input
          type="text"
          autocomplete="off"
          maxLength={200}
          value={typed.description}
          onInput={({ currentTarget }) => {
            set({ description: currentTarget.value });
          }}
        />
      </label>
      <TypeChoice
        as={as}
        chosen={typed.types}
        onChosen={(types) => {
          set({ types });
        }}
      />
      {error === undefined ? null : <Fault title="Not created" error={error} />}
      <div class="row">
        <button type="submit" class="first" disabled={isBusy || typed.url.trim() === ''}>
          Create
        </button>
      </div>
    </form>
  );
}

interface TypeChoiceProps {
  readonly as: NoticeSession;
  readonly chosen: readonly string[];
  readonly onChosen: (types: readonly string[]) => void;
}

const TypeChoice = ({ as, chosen, onChosen }: TypeChoiceProps): JSX.Element => (
  <fieldset>
    <legend>Only these events; all when none is chosen</legend>
    {KINDS[as].map(({ types, name }) => (
      <label key={types} class="choice">
        <input
          type="checkbox"
          checked={chosen.includes(types)}
          onChange={({ currentTarget }) => {
            onChosen(currentTarget.checked ? [...chosen, types] : chosen.filter((each) => each !== types));
          }}
        />
        <span>{name}</span>
      </label>
    ))}
  </fieldset>
);
