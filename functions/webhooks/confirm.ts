import { Type } from 'typebox';
import { commonFaults } from '../../shared/kit/errors/catalogue.js';
import { route } from '../../shared/wiring/declare.js';
import { NOTICE_OWNER, type NoticeOwner } from '../../shared/notices/log/noticeOwner.js';
import { consentByKey } from '../../shared/notices/managing/manageWebhooks.js';
import { WEBHOOK_ID } from '../../shared/notices/webhooks/webhook.js';
import { requireNotices } from './noticeCaller.js';

const ConsentParameters = Type.Object({
  owner: Type.String({ pattern: NOTICE_OWNER.source, description: 'that of the address that the receiver was told' }),
  id: Type.String({ pattern: WEBHOOK_ID.source, description: 'that of the address that the receiver was told' }),
  key: Type.String({ maxLength: 64, description: 'Part of the address that the receiver was told' }),
});

const page = (text: string, button = ''): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>Webhook</title><body><p>${text}</p>${button}</body></html>`;
const html = { 'text/html': { schema: Type.String() } };
const answer = (data: string) => ({ status: 200, content: { type: 'text/html; charset=utf-8', data } });
const shared = { caller: 'nobody', path: 'v1/webhooks/confirm', tag: 'Notices', errors: 'enrollments' } as const;

/** GET /v1/webhooks/confirm — a page with a button: whatever follows links consents to nothing. */
export const webhooksConfirmPage = route({
  ...shared,
  name: 'webhooksConfirmPage',
  method: 'GET',
  summary: 'Page for the administrator of a receiver',
  query: ConsentParameters,
  success: { status: 200, description: 'A page.', content: html },
  faults: [],
  handle: () => {
    const button = '<form method="post"><button>Send the events there</button></form>';
    return Promise.resolve(answer(page('Somebody wants events of this service sent to your address.', button)));
  },
});

/** POST /v1/webhooks/confirm — the consent of a receiver that does not answer OPTIONS. */
export const webhooksConfirm = route({
  ...shared,
  name: 'webhooksConfirm',
  method: 'POST',
  summary: 'Consent for a receiver',
  description: 'At the address that the receiver was told in `WebHook-Request-Callback`.',
  query: ConsentParameters,
  success: { status: 200, description: 'A page.', content: html },
  faults: [commonFaults.notFound],
  handle: async ({ query: { owner, id, key } }, services) => {
    await consentByKey(requireNotices(services))({ owner: owner as NoticeOwner, id }, key);
    return answer(page('Your consent is noted.'));
  },
});
