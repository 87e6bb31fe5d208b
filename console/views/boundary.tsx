import type { JSX } from 'preact';

/** Boundary of a field. */
export const Boundary = (): JSX.Element => (
  <section class="page">
    <h1>Boundary of a field</h1>
  </section>
);
