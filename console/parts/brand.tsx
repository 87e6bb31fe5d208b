import type { JSX } from 'preact';

/** Mark and name of the console. */
export const Brand = (): JSX.Element => (
  <>
    <svg class="mark" viewBox="0 0 32 32" width="24" height="24" aria-hidden="true" focusable="false">
      <path class="mark-left" d="M4 9l10-5v24L4 23z" />
      <path class="mark-right" d="M17 4l11 4v16l-11 4z" />
    </svg>
    <span>Field console</span>
  </>
);
