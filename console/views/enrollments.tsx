import type { JSX } from 'preact';

/** Enrollments. */
export const Enrollments = (): JSX.Element => (
  <section class="page">
    <h1>Enrollments</h1>
  </section>
);
