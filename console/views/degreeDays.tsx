import type { JSX } from 'preact';

/** Degree-days. */
export const DegreeDays = (): JSX.Element => (
  <section class="page">
    <h1>Degree-days</h1>
  </section>
);
