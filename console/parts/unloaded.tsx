import type { JSX } from 'preact';
import { isKept } from '../session/session.js';
import { OldPageError } from './loadChunk.js';

/** Why a part of the page is not there, and the way to a new page, which nobody is led without being asked. */
export const Unloaded = ({ error }: { readonly error: unknown }): JSX.Element => (
  <div class="fault" role="alert">
    <p>
      {error instanceof OldPageError ? error.message : 'This part of the page could not be loaded. Reload the page.'}
    </p>
    <p>
      A file that you chose, or a boundary that you found, is gone then: finish that first.
      {isKept() ? '' : ' You will have to sign in again.'}
    </p>
    <div class="row">
      <button
        type="button"
        class="small"
        onClick={() => {
          location.reload();
        }}
      >
        Reload
      </button>
    </div>
  </div>
);
