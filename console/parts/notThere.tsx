import type { ComponentChildren, JSX } from 'preact';

/** Something that an address names and that is not there: nothing else is shown in its place without a word. */
export const NotThere = ({ children }: { readonly children: ComponentChildren }): JSX.Element => (
  <p class="note" role="alert">
    {children}
  </p>
);
