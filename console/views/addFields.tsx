import type { JSX } from 'preact';

/** Add fields. */
export const AddFields = (): JSX.Element => (
  <section class="page">
    <h1>Add fields</h1>
  </section>
);
