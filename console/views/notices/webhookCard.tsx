import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { WebhookRecord } from '../../../shared/notices/managing/webhookSchemas.js';
import {
  changeWebhook,
  pingWebhook,
  removeWebhook,
  rotateWebhook,
  verifyWebhook,
  type NoticeSession,
} from '../../api/notices.js';
import { Confirmation } from '../../parts/confirmation.js';
import { Fault } from '../../parts/fault.js';
import { Deliveries } from './deliveries.js';
import { answerText, bannerOf, healthText, nameOf, pendingText, STATUS, typesText } from './noticeWords.js';
import { ShownOnce } from './shownOnce.js';
import { useAction, type Action } from './useAction.js';

interface WebhookCardProps {
  readonly as: NoticeSession;
  readonly webhook: WebhookRecord;
  /** Its secret, while it may be shown. */
  readonly secret: string | undefined;
  readonly onSecret: (secret: string | undefined) => void;
  /** Told of whatever may have changed. */
  readonly onChanged: () => void;
}

/** A webhook: how it stands, what can be done with it, and what became of events. */
export function WebhookCard(props: WebhookCardProps): JSX.Element {
  const { as, webhook, secret, onSecret } = props;
  const action = useAction();
  const [isOpen, setOpen] = useState(false);
  const banner = bannerOf(webhook);
  return (
    <li class="card">
      <div class="card-head">
        <h2>{nameOf(webhook)}</h2>
        <span class={`status status-${webhook.status}`}>{STATUS[webhook.status]}</span>
      </div>
      {banner === undefined ? null : <p class={webhook.status === 'disabled' ? 'fault' : 'note'}>{banner}</p>}
      <p>
        <code>{webhook.url}</code>
      </p>
      <p class="quiet">{typesText(webhook)}</p>
      <p class="quiet">
        {pendingText(webhook)}; {healthText(webhook)}
      </p>
      {secret === undefined ? null : (
        <ShownOnce
          secret={secret}
          onStored={() => {
            onSecret(undefined);
          }}
        />
      )}
      <Buttons {...props} action={action} />
      <p class="quiet webhook-said" role="status">
        {action.said}
      </p>
      {action.error === undefined ? null : <Fault title="That did not work" error={action.error} />}
      <details
        class="deliveries"
        onToggle={({ currentTarget }) => {
          setOpen(currentTarget.open);
        }}
      >
        <summary>Deliveries</summary>
        {isOpen ? <Deliveries as={as} id={webhook.id} isEnabled={webhook.status === 'enabled'} /> : null}
      </details>
    </li>
  );
}

/** What can be done with a webhook, by its status. */
function Buttons({ action, ...props }: WebhookCardProps & { readonly action: Action }): JSX.Element {
  const { as, webhook, onSecret, onChanged } = props;
  const { id, status } = webhook;
  const [isAsking, setAsking] = useState(false);
  const button = (text: string, ask: () => Promise<string>): JSX.Element => (
    <button
      type="button"
      class="small"
      disabled={action.isBusy}
      onClick={() => {
        action.run(ask);
      }}
    >
      {text}
    </button>
  );
  const turn = async (wanted: 'enabled' | 'paused'): Promise<string> => {
    const { status: now } = await changeWebhook(as, id, { status: wanted });
    onChanged();
    return now === 'pending' ? 'The receiver is asked for its consent.' : `${STATUS[now]}.`;
  };
  const verify = async (): Promise<string> => {
    await verifyWebhook(as, id);
    onChanged();
    return 'The receiver is asked for its consent.';
  };
  const ping = async (): Promise<string> =>
    `The receiver’s answer to a ping: ${answerText(await pingWebhook(as, id))}.`;
  const rotate = async (): Promise<string> => {
    const { secret } = await rotateWebhook(as, id);
    onSecret(secret);
    onChanged();
    return 'There is a new secret; the former signs too for 24 hours.';
  };
  if (isAsking) {
    return (
      <Confirmation
        label="Delete this webhook?"
        isBusy={action.isBusy}
        onKeep={() => {
          setAsking(false);
        }}
        onDelete={() => {
          action.run(async () => {
            await removeWebhook(as, id);
            onChanged();
            return 'Deleted.';
          });
        }}
      >
        Delete {nameOf(webhook)}, with its deliveries and its secret? Events stay in the log; nothing is sent there any
        more.
      </Confirmation>
    );
  }
  return (
    <div class="row" role="group" aria-label={`What to do with ${nameOf(webhook)}`}>
      {status === 'enabled' ? button('Pause', () => turn('paused')) : null}
      {status === 'paused' || status === 'disabled' ? button('Enable', () => turn('enabled')) : null}
      {status === 'pending' ? button('Verify', verify) : null}
      {status === 'pending' || status === 'disabled' ? null : button('Ping', ping)}
      {button('Rotate the secret', rotate)}
      <button
        type="button"
        class="small"
        onClick={() => {
          setAsking(true);
        }}
      >
        Delete
      </button>
    </div>
  );
}
