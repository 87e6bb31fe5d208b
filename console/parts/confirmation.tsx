import type { ComponentChildren, JSX } from 'preact';

interface ConfirmationProps {
  /** What is asked, for screen readers. */
  readonly label: string;
  readonly isBusy: boolean;
  readonly onKeep: () => void;
  readonly onDelete: () => void;
  readonly children: ComponentChildren;
}

/** Asks once more before something is deleted. */
export const Confirmation = ({ label, isBusy, onKeep, onDelete, children }: ConfirmationProps): JSX.Element => (
  <div class="note stack" role="group" aria-label={label}>
    <p>{children}</p>
    <div class="row">
      <button type="button" class="small" disabled={isBusy} onClick={onDelete}>
        Delete it
      </button>
      <button type="button" class="small" disabled={isBusy} ref={focusOnce} onClick={onKeep}>
        Keep it
      </button>
    </div>
  </div>
);

/** Whoever asks by keys stays where they are: on the answer that changes nothing. */
const focusOnce = (button: HTMLButtonElement | null): void => {
  button?.focus();
};
