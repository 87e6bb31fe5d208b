import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { DeliveryRecord } from '../../../shared/notices/managing/webhookSchemas.js';
import { listDeliveries, redeliver, type DeliveryPage, type NoticeSession } from '../../api/notices.js';
import { instantText } from '../../parts/dateText.js';
import { Fault } from '../../parts/fault.js';
import { Retry } from '../../parts/retry.js';
import { eventText } from './eventWords.js';
import { answerText, DELIVERY_STATUS } from './noticeWords.js';
import { useAction } from './useAction.js';

const FILTERS = [undefined, 'retrying', 'failed', 'delivered'] as const;
type Filter = (typeof FILTERS)[number];

interface DeliveriesProps {
  readonly as: NoticeSession;
  readonly id: string;
  /** Whether the webhook is sent anything now. */
  readonly isEnabled: boolean;
}

interface Listed extends DeliveryPage {
  readonly error?: unknown;
}

/** Deliveries of a webhook by their status, a page at a time. */
function useDeliveries(
  { as, id }: Pick<DeliveriesProps, 'as' | 'id'>,
  status: Filter,
): { readonly listed: Listed | undefined; readonly read: (cursor: string | null) => void } {
  const [listed, setListed] = useState<Listed>();
  const ended = useRef(new AbortController());
  const read = (cursor: string | null): void => {
    const { signal } = ended.current;
    listDeliveries({ as, id }, { status, cursor }, signal).then(
      (page) => {
        if (signal.aborted) return;
        setListed((before) => ({
          items: [...(cursor === null ? [] : (before?.items ?? [])), ...page.items],
          cursor: page.cursor,
        }));
      },
      (error: unknown) => {
        if (!signal.aborted) setListed((before) => ({ items: [], cursor: null, ...before, error }));
      },
    );
  };
  useEffect(() => {
    ended.current = new AbortController();
    setListed(undefined);
    read(null);
    return () => {
      ended.current.abort();
    };
  }, [as, id, status]);
  return { listed, read };
}

/** What became of events at a webhook. */
export function Deliveries({ as, id, isEnabled }: DeliveriesProps): JSX.Element {
  const [filter, setFilter] = useState<Filter>(undefined);
  const { listed, read } = useDeliveries({ as, id }, filter);
  const again = (): void => {
    read(null);
  };
  return (
    <div class="stack">
      <div class="filters" role="group" aria-label="Show deliveries by their status">
        {FILTERS.map((status) => (
          <button
            key={status ?? 'all'}
            type="button"
            class={filter === status ? 'on' : ''}
            aria-pressed={filter === status}
            onClick={() => {
              setFilter(status);
            }}
          >
            {status === undefined ? 'All' : DELIVERY_STATUS[status]}
          </button>
        ))}
        <button type="button" class="look-again" onClick={again}>
          Look again
        </button>
      </div>
      {listed?.error === undefined ? null : (
        <Retry title="The deliveries could not be listed" error={listed.error} again={again} />
      )}
      {listed === undefined ? (
        <p class="quiet" role="status">
          Reading the deliveries …
        </p>
      ) : null}
      {listed?.items.length === 0 && listed.error === undefined ? (
        <p class="quiet">{filter === undefined ? 'Nothing was delivered yet.' : 'No delivery has this status.'}</p>
      ) : null}
      {listed === undefined || listed.items.length === 0 ? null : (
        <ul class="delivery-rows">
          {listed.items.map((delivery) => (
            <Delivery
              key={delivery.sequence}
              as={as}
              id={id}
              isEnabled={isEnabled}
              delivery={delivery}
              onSent={again}
            />
          ))}
        </ul>
      )}
      {listed?.cursor == null ? null : (
        <button
          type="button"
          class="more"
          onClick={() => {
            read(listed.cursor);
          }}
        >
          Show older ones
        </button>
      )}
    </div>
  );
}

interface DeliveryProps extends DeliveriesProps {
  readonly delivery: DeliveryRecord;
  readonly onSent: () => void;
}

function Delivery({ as, id, isEnabled, delivery, onSent }: DeliveryProps): JSX.Element {
  const { type, sequence, status, attempts, next_attempt_date_time: next } = delivery;
  const { isBusy, error, said, run } = useAction();
  return (
    <li>
      <div class="delivery-head">
        <span>
          <b>{eventText({ type })}</b>
          <small>
            {DELIVERY_STATUS[status]}
            {next === null ? '' : `, ${isEnabled ? 'on' : 'not before'} ${instantText(next)}`}
          </small>
        </span>
        <button
          type="button"
          class="small"
          disabled={isBusy}
          aria-label={`Redeliver: ${eventText({ type })}, place ${sequence}`}
          onClick={() => {
            run(async () => {
              await redeliver(as, id, sequence);
              onSent();
              return isEnabled ? 'It is sent soon.' : 'It is sent once the webhook is enabled.';
            });
          }}
        >
          Redeliver
        </button>
      </div>
      <ol class="attempts" aria-label="Attempts">
        {attempts.map((attempt) => (
          <li key={attempt.at}>
            {instantText(attempt.at)}: {answerText(attempt)}
          </li>
        ))}
      </ol>
      <details>
        <summary>Details</summary>
        {type}, place {sequence}
      </details>
      <span class="quiet" role="status">
        {said}
      </span>
      {error === undefined ? null : <Fault error={error} />}
    </li>
  );
}
