// The local environment as a newcomer has it, synthetic scenes included. Callers reach it by TLS, through `tlsProxy.ts`, and
// it reaches receivers of webhooks by TLS, through `receiverFront.ts`.
import { freePort } from '../../infra/local/freePort.mjs';
import { startWith } from '../contract/startService.mjs';

export default async function startService() {
  process.env.PUBLIC_URL = `https://127.0.0.1:${await freePort()}`;
  process.env.WEBHOOK_LOCAL_HOSTS = `127.0.0.1:${await freePort()}`;
  await startWith(() => ({}));
}
