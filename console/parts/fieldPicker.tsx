import type { JSX } from 'preact';
import { Chunk } from './chunk.js';
import { askFarmAccess, type FarmAccess } from './farmAccess.js';
import type { PickerProps } from './landPicker.js';
import { Retry } from './retry.js';

interface FieldPickerProps extends PickerProps {
  readonly access: FarmAccess;
  /** What stands here while nobody knows, and for whoever may not read farm data. */
  readonly otherwise: JSX.Element;
}

/** A field, or a farm, of the tenant's own data: party, farm and field by name, and on a map. */
export function FieldPicker({ access, otherwise, ...pick }: FieldPickerProps): JSX.Element {
  switch (access.state) {
    case 'asking':
      return (
        <p class="quiet" role="status">
          Looking for your farms …
        </p>
      );
    case 'failed':
      return (
        <>
          <Retry title="Your farms could not be listed" error={access.error} again={() => void askFarmAccess()} />
          {otherwise}
        </>
      );
    case 'own':
      return (
        <Chunk part="landPicker" load={() => import('./landPicker.js')}>
          {({ LandPicker }) => <LandPicker parties={access.parties} {...pick} />}
        </Chunk>
      );
    default:
      return otherwise;
  }
}
