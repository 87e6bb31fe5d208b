import type { JSX } from 'preact';

/** The fields: list, map, dates. */
export const Fields = (): JSX.Element => (
  <section class="page">
    <h1>Fields</h1>
  </section>
);
