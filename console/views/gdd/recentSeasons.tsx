import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { jobIdOf, listJobs, type ListedJob } from '../../api/jobList.js';
import type { JobState } from '../../api/jobs.js';
import { dayText } from '../../parts/dateText.js';
import { fieldNameOf, useFieldNames } from '../../parts/fieldNames.js';
import { Fault } from '../../parts/fault.js';
import { hrefOf, place } from '../../router.js';
import { cropName } from './season.js';

const PAGE = 8;
const STATES: Readonly<Record<JobState['status'], string>> = {
  WAITING: 'queued',
  RUNNING: 'calculating',
  SUCCEEDED: 'done',
  FAILED: 'failed',
  CANCELLED: 'cancelled',
};

interface Listed {
  readonly jobs: readonly ListedJob[];
  readonly cursor: string | null;
  readonly error?: unknown;
}

const NONE: Listed = { jobs: [], cursor: null };

/** The tenant's seasons, newest first. @param ended the list is read anew when it changes */
function useSeasons(ended: string | undefined): readonly [listed: Listed, more: () => void] {
  const [listed, setListed] = useState(NONE);
  const left = useRef(new AbortController());
  const read = async (cursor: string | null): Promise<void> => {
    const { signal } = left.current;
    try {
      const page = await listJobs({ kind: 'gdd', limit: PAGE, cursor }, signal);
      setListed((before) => ({ jobs: [...(cursor === null ? [] : before.jobs), ...page.items], cursor: page.cursor }));
    } catch (error) {
      if (!signal.aborted) setListed((before) => ({ ...before, error }));
    }
  };
  useEffect(() => {
    left.current = new AbortController();
    void read(null);
    return () => {
      left.current.abort();
    };
  }, [ended]);
  return [listed, () => void read(listed.cursor)];
}

/** The tenant's last seasons, to be opened again. @param ended told when one has ended, for a newer list */
export function RecentSeasons({ ended }: { readonly ended: string | undefined }): JSX.Element | null {
  const [{ jobs, cursor, error }, more] = useSeasons(ended);
  useFieldNames(jobs.flatMap((job) => fieldOfJob(job) ?? []));
  if (jobs.length === 0 && error === undefined) return null;
  return (
    <section class="recent">
      <h2>Calculated before</h2>
      {error === undefined ? null : <Fault title="The seasons could not be listed" error={error} />}
      <ul>
        {jobs.map((job) => (
          <Season key={job.requestPath} job={job} />
        ))}
      </ul>
      {cursor === null ? null : (
        <button type="button" onClick={more}>
          Show older ones
        </button>
      )}
    </section>
  );
}

const fieldOfJob = ({ partyId, resourceId: fieldId }: ListedJob) =>
  partyId === undefined || fieldId === undefined ? undefined : { partyId, fieldId };

function Season({ job }: { readonly job: ListedJob }): JSX.Element {
  const { crop, jobCreatedDateTime: created, status } = job;
  const id = jobIdOf(job);
  const field = fieldOfJob(job);
  return (
    <li>
      <a href={hrefOf('degree-days', id)} aria-current={place.value.parts[0] === id ? 'true' : undefined}>
        <b>
          {field === undefined ? '' : `${fieldNameOf(field)}, `}
          {crop === undefined ? 'Season' : cropName(crop)}
        </b>
        <small class="figure">
          {dayText(created.slice(0, 10))}, {created.slice(11, 16)} UTC · {STATES[status]}
        </small>
      </a>
    </li>
  );
}
