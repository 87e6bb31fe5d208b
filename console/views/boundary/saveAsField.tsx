import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useFarmAccess } from '../../parts/farmAccess.js';
import { Fault } from '../../parts/fault.js';
import { farmHref } from '../../router.js';
import type { Candidate } from './boundarySearch.js';
import { saveBoundary } from './fieldOfBoundary.js';
import type { SearchState } from './boundaryStore.js';

interface SaveAsFieldProps {
  readonly candidate: Candidate;
  readonly name: string;
  readonly search: SearchState;
}

type Saving =
  | { readonly state: 'open' | 'saving' }
  | { readonly state: 'saved'; readonly fieldId: string }
  | { readonly state: 'failed'; readonly error: unknown };

/** Saves what was found as a field of the farm that it was looked for at; nothing for whoever may not read farm data. */
export function SaveAsField({ candidate, name, search }: SaveAsFieldProps): JSX.Element | null {
  const access = useFarmAccess();
  const [saving, setSaving] = useState<Saving>({ state: 'open' });
  const { isAdjusting, job, asked } = search;
  useEffect(() => {
    // Another outline or name isn't saved yet.
    setSaving({ state: 'open' });
  }, [candidate, name]);
  const insightId = job?.insightId;
  if (access.state !== 'own' || insightId === undefined || asked === undefined) return null;
  if (!access.canWrite) {
    return <p class="quiet">To save it as a field, your token needs the role Farm.ReadWrite.</p>;
  }
  const save = async (): Promise<void> => {
    setSaving({ state: 'saving' });
    try {
      const { id } = await saveBoundary({ ...asked, insightId, name, candidate });
      setSaving({ state: 'saved', fieldId: id });
    } catch (error) {
      setSaving({ state: 'failed', error });
    }
  };
  return (
    <>
      <button
        type="button"
        disabled={isAdjusting || name === '' || saving.state === 'saving' || saving.state === 'saved'}
        onClick={() => void save()}
      >
        {{ open: 'Save as field', saving: 'Saving …', saved: 'Saved as field', failed: 'Save as field' }[saving.state]}
      </button>
      <p class="saved-field" role="status">
        {saving.state === 'saved' ? (
          <>
            It is a field of your farm now.{' '}
            <a href={farmHref('farms', { ...asked, fieldId: saving.fieldId })}>Show it in Farms</a>
          </>
        ) : null}
      </p>
      {saving.state === 'failed' ? <Fault title="The field was not saved" error={saving.error} /> : null}
    </>
  );
}
