import type { JSX } from 'preact';
import { refused } from './session.js';

/** What is there only for whoever has an access token too, and a button that asks for one. */
export const TokenWanted = ({ text }: { readonly text: string }): JSX.Element => (
  <>
    <p class="quiet">{text}</p>
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
  </>
);

/** What stands in a view of jobs for somebody who has signed in with a key alone. */
export const NeedsToken = ({ view }: { readonly view: string }): JSX.Element => (
  <section class="page">
    <h1>{view}</h1>
    <TokenWanted text="This takes an access token of your tenant beside the key." />
  </section>
);
