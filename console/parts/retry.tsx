import type { JSX } from 'preact';
import { Fault } from './fault.js';

interface RetryProps {
  readonly title: string;
  readonly error: unknown;
  readonly again: () => void;
}

/** A fault of something that may be tried once more. */
export const Retry = ({ title, error, again }: RetryProps): JSX.Element => (
  <Fault title={title} error={error}>
    <div class="row">
      <button type="button" class="small" onClick={again}>
        Try again
      </button>
    </div>
  </Fault>
);
