import type { JSX } from 'preact';
import { Icon } from './icons.js';

/** One step of something that takes a while. */
export interface Step {
  readonly text: string;
  readonly state: 'done' | 'now' | 'open' | 'failed';
  /** Shown at the end of the line, such as a duration. */
  readonly note?: string | undefined;
}

const words: Readonly<Record<Step['state'], string>> = {
  done: 'done',
  now: 'under way',
  open: 'to come',
  failed: 'failed',
};

/** Steps below each other; what changes is told to screen readers. */
export const Steps = ({ steps }: { readonly steps: readonly Step[] }): JSX.Element => (
  <ol class="steps" aria-live="polite">
    {steps.map(({ text, state, note }) => (
      <li key={text} class={`step-${state}`} aria-current={state === 'now' ? 'step' : undefined}>
        <span class="step-mark">
          {state === 'done' ? <Icon name="check" /> : null}
          {state === 'failed' ? <Icon name="cross" /> : null}
        </span>
        <span>{text}</span>
        <span class="hidden">: {words[state]}</span>
        {note === undefined ? null : <span class="step-note">{note}</span>}
      </li>
    ))}
  </ol>
);
