import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { EnrollmentRecord } from '../../shared/enrollments/record/enrollmentSchemas.js';
import { callJson } from '../api/client.js';
import { readEnrollments } from '../api/enrollments.js';
import { ApiError } from '../api/errors.js';
import { keepLooking } from '../api/pause.js';
import { dayText } from '../parts/dateText.js';
import { Fault } from '../parts/fault.js';
import { Icon } from '../parts/icons.js';
import { NotThere } from '../parts/notThere.js';
import { Retry } from '../parts/retry.js';
import { useLoaded, type Loaded } from '../parts/useLoaded.js';
import { go, hrefOf, place } from '../router.js';
import { titleOf } from './fields/enrollmentNames.js';
import { filteredHref } from './fields/fieldsFilter.js';
import { useBackfills } from './enrollments/backfills.js';
import { EnrollmentProgress, usePictureProgress } from './enrollments/pictureProgress.js';
import { isOpen, layerNames, remedyOf } from './enrollments/words.js';

const PAGE = 20;
/** Seconds between looks while one is under way. */
const LOOK_SECONDS = 2;

interface Listed {
  readonly items: readonly EnrollmentRecord[];
  readonly cursor: string | null;
  readonly error?: unknown;
}

const readEnrollment = (id: string, signal: AbortSignal): Promise<EnrollmentRecord> =>
  callJson<EnrollmentRecord>({ path: `/v1/enrollments/${encodeURIComponent(id)}`, as: 'key', signal });

/** The enrollments, newest first; those under way are looked at again and again. */
function useEnrollments(): { readonly listed: Listed | undefined; readonly more: () => void } {
  const [listed, setListed] = useState<Listed>();
  const ended = useRef(new AbortController());
  const read = async (cursor: string | null): Promise<void> => {
    const { signal } = ended.current;
    try {
      const page = await readEnrollments(PAGE, cursor, signal);
      setListed((before) => ({
        items: [...(cursor === null ? [] : (before?.items ?? [])), ...page.items],
        cursor: page.cursor,
      }));
    } catch (error) {
      if (!signal.aborted) setListed((before) => ({ items: [], cursor: null, ...before, error }));
    }
  };
  useEffect(() => {
    void read(null);
    return () => {
      ended.current.abort();
    };
  }, []);
  // A text, so that the next looks don't begin anew with every answer.
  const open = (listed?.items ?? [])
    .filter(isOpen)
    .map(({ enrollment_id: id }) => id)
    .join(' ');
  useEffect(() => {
    if (open === '') return undefined;
    const left = new AbortController();
    const look = async (id: string): Promise<void> => {
      const newer = await readEnrollment(id, left.signal);
      setListed((before) =>
        before === undefined
          ? before
          : { ...before, items: before.items.map((each) => (each.enrollment_id === id ? newer : each)) },
      );
    };
    void keepLooking(LOOK_SECONDS, () => Promise.allSettled(open.split(' ').map(look)), left.signal);
    return () => {
      left.abort();
    };
  }, [open]);
  return { listed, more: () => void read(listed?.cursor ?? null) };
}

const isAmong = (listed: Listed, id: string): boolean => listed.items.some(({ enrollment_id: each }) => each === id);

/** The enrollment that the address names, where it is none of those that are listed. */
function useNamed(listed: Listed | undefined): Loaded<EnrollmentRecord> & { readonly id: string } {
  const [id = ''] = place.value.parts;
  const isElsewhere = id !== '' && listed !== undefined && !isAmong(listed, id);
  const loaded = useLoaded(isElsewhere ? id : undefined, (signal) => readEnrollment(id, signal));
  const { again } = loaded;
  const goesOn = loaded.value !== undefined && isOpen(loaded.value);
  useEffect(() => {
    if (!goesOn) return undefined;
    const left = new AbortController();
    const look = (): Promise<void> => {
      again();
      return Promise.resolve();
    };
    void keepLooking(LOOK_SECONDS, look, left.signal);
    return () => {
      left.abort();
    };
  }, [id, goesOn]);
  return { ...loaded, id };
}

/** Answers that say that there is no such enrollment, and that there can be none. */
const NO_SUCH: readonly number[] = [404, 422];

function NamedFault({ error, again, id }: ReturnType<typeof useNamed>): JSX.Element | null {
  if (error === undefined) return null;
  return error instanceof ApiError && NO_SUCH.includes(error.status) ? (
    <NotThere>You have no enrollment {id}, or none any more.</NotThere>
  ) : (
    <Retry title="The enrollment of this address could not be read" error={error} again={again} />
  );
}

/** Enrollments: what was submitted, how far it is, which fields failed and what to do about them. */
export function Enrollments(): JSX.Element {
  const { listed, more } = useEnrollments();
  const named = useNamed(listed);
  const items = listed && [...(named.value === undefined ? [] : [named.value]), ...listed.items];
  usePictureProgress(items ?? []);
  useBackfills(items ?? []);
  return (
    <section class="page" aria-busy={listed === undefined}>
      <div class="page-head">
        <h1>Enrollments</h1>
        <a class="button first" href={hrefOf('add')}>
          <Icon name="plus" /> Add fields
        </a>
      </div>
      {listed?.error === undefined ? null : (
        <Fault title="The enrollments could not be listed" error={listed.error}>
          <div class="row">
            <button type="button" onClick={more}>
              Try again
            </button>
          </div>
        </Fault>
      )}
      <NamedFault {...named} />
      <EnrollmentCards items={items} />
      {items?.length === 0 && listed?.error === undefined ? <NoEnrollments /> : null}
      {listed?.cursor == null ? null : (
        <button type="button" class="more" onClick={more}>
          Show older ones
        </button>
      )}
    </section>
  );
}

const NoEnrollments = (): JSX.Element => (
  <p class="quiet">Nothing was enrolled yet. Add fields, or find a boundary and enrol it.</p>
);

function EnrollmentCards({ items }: { readonly items: readonly EnrollmentRecord[] | undefined }): JSX.Element {
  if (items === undefined) {
    return (
      <ul class="cards" aria-hidden="true">
        {Array.from({ length: 4 }, (_, row) => (
          <li key={row} class="card card-grey" />
        ))}
      </ul>
    );
  }
  return (
    <ul class="cards">
      {items.map((item) => (
        <EnrollmentCard key={item.enrollment_id} item={item} />
      ))}
    </ul>
  );
}

/** What is said of the work on its fields; once they are taken in, how far their pictures are says more. */
const STATUS: Readonly<Partial<Record<EnrollmentRecord['status'], string>>> = {
  received: 'Received',
  in_progress: 'Under way',
  failed: 'Failed',
};

function EnrollmentCard({ item }: { readonly item: EnrollmentRecord }): JSX.Element {
  const { request_metadata: asked, processed_fields: done } = item;
  const isChosen = place.value.parts[0] === item.enrollment_id;
  const card = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isChosen) card.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  return (
    <li class={`card${isChosen ? ' card-chosen' : ''}`} ref={card}>
      <div class="card-head">
        <h2>{titleOf(item)}</h2>
        {STATUS[item.status] === undefined ? null : (
          <span class={`status status-${item.status}`}>{STATUS[item.status]}</span>
        )}
      </div>
      <p class="quiet">
        {dayText(asked.start_date)} to {dayText(asked.end_date)} · {layerNames(asked.layers.map(({ layer }) => layer))}
      </p>
      <EnrollmentProgress item={item} />
      <p class="quiet">
        Submitted on {dayText(item.created_date_time.slice(0, 10))} at {item.created_date_time.slice(11, 16)} UTC.
      </p>
      <Failures item={item} />
      {done === 0 ? null : (
        <div class="row">
          <a class="button" href={filteredHref({ enrollment: item.enrollment_id })}>
            Show the fields
          </a>
        </div>
      )}
    </li>
  );
}

function Failures({ item: { errors, enrollment_id: id } }: { readonly item: EnrollmentRecord }): JSX.Element | null {
  const [isOpened, setOpened] = useState(place.value.parts[0] === id);
  if (errors === null) return null;
  return (
    <details
      class="failures"
      open={isOpened}
      onToggle={({ currentTarget }) => {
        setOpened(currentTarget.open);
        if (currentTarget.open) go(hrefOf('enrollments', id), 'replace');
      }}
    >
      <summary>
        {errors.length} {errors.length === 1 ? 'field is' : 'fields are'} not monitored
      </summary>
      <table class="table">
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">What is wrong</th>
            <th scope="col">What to do</th>
          </tr>
        </thead>
        <tbody>
          {errors.map(({ field_id: field, code, message }) => (
            <tr key={`${field ?? ''} ${code}`}>
              <th scope="row">{field ?? 'All'}</th>
              <td>
                {message} <small>Code {code}</small>
              </td>
              <td>{remedyOf(code)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
