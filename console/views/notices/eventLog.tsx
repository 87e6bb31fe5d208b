import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { serviceNow } from '../../api/clock.js';
import { latestEvents, type LatestEvents, type NoticeSession } from '../../api/notices.js';
import { instantText } from '../../parts/dateText.js';
import { Retry } from '../../parts/retry.js';
import { useLoaded } from '../../parts/useLoaded.js';
import { eventText } from './eventWords.js';

interface EventLogProps {
  readonly as: NoticeSession;
  /** Whether a log is kept already, as for whoever has a webhook: else reading it begins one. */
  readonly isKept: boolean;
}

/** The latest events of the log. */
export function EventLog({ as, isKept }: EventLogProps): JSX.Element {
  const [isWanted, setWanted] = useState(isKept);
  const { value, error, again } = useLoaded(isWanted || isKept ? as : undefined, (signal) =>
    latestEvents(as, serviceNow(), signal),
  );
  return (
    <section class="stack" aria-label="Latest events">
      <div class="page-head">
        <h2>Latest events</h2>
        {isWanted || isKept ? (
          <button type="button" onClick={again}>
            Look again
          </button>
        ) : null}
      </div>
      {isWanted || isKept ? (
        <Events value={value} error={error} again={again} />
      ) : (
        <>
          <p class="quiet">No log is kept for you yet. From its first reading on it holds what happens.</p>
          <div class="row">
            <button
              type="button"
              onClick={() => {
                setWanted(true);
              }}
            >
              Keep a log
            </button>
          </div>
        </>
      )}
    </section>
  );
}

interface EventsProps {
  readonly value: LatestEvents | undefined;
  readonly error: unknown;
  readonly again: () => void;
}

function Events({ value, error, again }: EventsProps): JSX.Element {
  if (error !== undefined) return <Retry title="The events could not be read" error={error} again={again} />;
  if (value === undefined) {
    return (
      <p class="quiet" role="status">
        Reading the events …
      </p>
    );
  }
  if (value.events.length === 0) {
    return <p class="quiet">Nothing has happened since the log began, or not within a month.</p>;
  }
  return (
    <>
      {value.isCut ? <p class="quiet">More has happened than is read here; the latest may be missing.</p> : null}
      <div class="table-box" tabIndex={0} role="region" aria-label="Latest events, as a table">
        <table class="table table-days">
          <thead>
            <tr>
              <th scope="col">What</th>
              <th scope="col">When</th>
              <th scope="col">In the API</th>
            </tr>
          </thead>
          <tbody>
            {value.events.map((event) => (
              <tr key={event.id}>
                <th scope="row">{eventText(event)}</th>
                <td>{instantText(event.time)}</td>
                <td>
                  <details>
                    <summary>Details</summary>
                    {event.type}, {event.subject}, place {event.sequence}
                  </details>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
