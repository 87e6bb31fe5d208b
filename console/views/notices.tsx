import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { WebhookRecord } from '../../shared/notices/managing/webhookSchemas.js';
import { listWebhooks, type NoticeSession } from '../api/notices.js';
import { Icon } from '../parts/icons.js';
import { useNoticesOn } from '../parts/noticesOn.js';
import { NotThere } from '../parts/notThere.js';
import { Retry } from '../parts/retry.js';
import { useLoaded } from '../parts/useLoaded.js';
import { go, hrefOf, place } from '../router.js';
import { TokenWanted } from '../session/needsToken.js';
import { hasToken } from '../session/session.js';
import { EventLog } from './notices/eventLog.js';
import { NewWebhook } from './notices/newWebhook.js';
import { WebhookCard } from './notices/webhookCard.js';

/** What stands in the address for events of jobs. */
const JOBS = 'jobs';
const SESSIONS: readonly { readonly as: NoticeSession; readonly name: string }[] = [
  { as: 'key', name: 'Fields and pictures' },
  { as: 'token', name: 'Degree-days and boundaries' },
];

/** Notices: webhooks of either session, what became of what they were sent, and the log of events. */
export function Notices(): JSX.Element {
  const isOn = useNoticesOn();
  const [named] = place.value.parts;
  const as = named === JOBS ? 'token' : 'key';
  return (
    <section class="page">
      <h1>Notices</h1>
      {isOn === false ? (
        <p class="quiet">This service tells of no events: its operator has not switched notices on.</p>
      ) : null}
      {named === undefined || named === JOBS ? null : (
        <NotThere>There are no notices “{named}”: these are those of fields and pictures.</NotThere>
      )}
      {isOn === true ? <SessionChoice as={as} /> : null}
      {isOn === true && (as === 'key' || hasToken.value) ? <OwnNotices key={as} as={as} /> : null}
      {isOn === true && as === 'token' && !hasToken.value ? (
        <TokenWanted text="Events of degree-days and boundaries take an access token of your tenant beside the key." />
      ) : null}
    </section>
  );
}

const SessionChoice = ({ as }: { readonly as: NoticeSession }): JSX.Element => (
  <div class="filters" role="group" aria-label="Whose events">
    {SESSIONS.map(({ as: each, name }) => (
      <button
        key={each}
        type="button"
        class={each === as ? 'on' : ''}
        aria-pressed={each === as}
        onClick={() => {
          go(each === 'token' ? hrefOf('notices', JOBS) : hrefOf('notices'), 'replace');
        }}
      >
        {name}
      </button>
    ))}
  </div>
);

/** Seconds between looks while something is about to change by itself. */
const LOOK_SECONDS = 5;

const isMoving = ({ status, pending_events: pending }: WebhookRecord): boolean =>
  status === 'pending' || (status === 'enabled' && pending > 0);

function useWebhooks(as: NoticeSession) {
  const loaded = useLoaded(as, (signal) => listWebhooks(as, signal));
  const moves = loaded.value?.some(isMoving) ?? false;
  useEffect(() => {
    if (!moves) return undefined;
    const timer = setInterval(() => {
      if (!document.hidden) loaded.again();
    }, LOOK_SECONDS * 1000);
    return () => {
      clearInterval(timer);
    };
  }, [moves]);
  return loaded;
}

function OwnNotices({ as }: { readonly as: NoticeSession }): JSX.Element {
  const { value: webhooks, error, again } = useWebhooks(as);
  const [isAdding, setAdding] = useState(false);
  const [shown, setShown] = useState<{ readonly id: string; readonly secret: string }>();
  return (
    <>
      <div class="page-head">
        <h2>Webhooks</h2>
        <button
          type="button"
          class={isAdding ? 'on' : 'first'}
          aria-expanded={isAdding}
          onClick={() => {
            setAdding(!isAdding);
          }}
        >
          <Icon name="plus" /> New webhook
        </button>
      </div>
      {isAdding ? (
        <NewWebhook
          as={as}
          onCreated={(webhook) => {
            setAdding(false);
            setShown(webhook);
            again();
          }}
        />
      ) : null}
      {error === undefined ? null : <Retry title="The webhooks could not be listed" error={error} again={again} />}
      {webhooks === undefined && error === undefined ? (
        <p class="quiet" role="status">
          Reading the webhooks …
        </p>
      ) : null}
      {webhooks?.length === 0 ? (
        <p class="quiet">No webhook yet. One is sent events within seconds, signed, so that nobody has to ask.</p>
      ) : null}
      <ul class="cards">
        {webhooks?.map((webhook) => (
          <WebhookCard
            key={webhook.id}
            as={as}
            webhook={webhook}
            secret={shown?.id === webhook.id ? shown.secret : undefined}
            onSecret={(secret) => {
              setShown(secret === undefined ? undefined : { id: webhook.id, secret });
            }}
            onChanged={again}
          />
        ))}
      </ul>
      {webhooks === undefined ? null : <EventLog as={as} isKept={webhooks.length > 0} />}
    </>
  );
}
