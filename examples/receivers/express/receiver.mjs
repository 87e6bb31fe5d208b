// A receiver of webhooks: it consents, checks, stores each event once, answers, and works afterwards.
import { readFileSync } from 'node:fs';
import express from 'express';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { catchUpDaily } from './catchUp.mjs';
import { openInbox } from './inbox.mjs';

const { LOCAL_DIR = '.local', PORT = '9443', WEBHOOK_SECRETS = '' } = process.env;
const { SERVICE_FILE = `${LOCAL_DIR}/service.json` } = process.env;
const service = JSON.parse(readFileSync(SERVICE_FILE, 'utf8'));
// While the secret is rotated there are two, with a space between them: either may sign.
const secrets = WEBHOOK_SECRETS.split(' ').filter(Boolean);
const inbox = await openInbox('events', work);

/** What your program makes of an event. It may see one twice, after a death in its midst. */
async function work({ id, type, subject }) {
  console.log(`${id}: ${type} ${subject}`);
}

/** Whether one of the secrets signed these bytes within the last five minutes: the library looks at the time, too. */
function isSigned(bytes, headers) {
  return secrets.some((secret) => {
    try {
      return new Webhook(secret).verify(bytes, headers) !== undefined;
    } catch (error) {
      if (error instanceof WebhookVerificationError) return false;
      throw error;
    }
  });
}

const app = express();

app.options('/', (request, response) => {
  const { host } = new URL(service.baseUrl);
  // Consent is for this service alone; others send nothing where they are not named.
  if (request.get('webhook-request-origin') === host) response.set('WebHook-Allowed-Origin', host);
  response.sendStatus(204);
});

// The bytes as they came: parsed and written anew they would have another signature.
app.post('/', express.raw({ type: () => true, limit: '100kb' }), async (request, response) => {
  if (!Buffer.isBuffer(request.body) || !isSigned(request.body, request.headers)) {
    response.sendStatus(401);
    return;
  }
  await inbox.store(request.get('webhook-id'), request.body);
  response.sendStatus(204);
});

// TLS is ended before this port, by a gateway or a proxy.
app.listen(Number(PORT), '127.0.0.1', () => console.log(`Listens on port ${PORT}`));
catchUpDaily(service, inbox);
