import type { JSX } from 'preact';
import { refused } from './session.js';

/** What stands in a view of jobs for somebody who has signed in with a key alone. */
export const NeedsToken = ({ view }: { readonly view: string }): JSX.Element => (
  <section class="page">
    <h1>{view}</h1>
    <p class="quiet">This takes an access token of your tenant beside the key.</p>
    <div class="row">
      <button
        type="button"
        class="first"
        onClick={() => {
          refused.value = { what: 'missing' };
        }}
      >
        Add a token
      </button>
    </div>
  </section>
);
