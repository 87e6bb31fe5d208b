// The local environment as a newcomer has it, synthetic scenes included. Callers reach it by TLS, through `tlsProxy.ts`.
import { freePort } from '../../infra/local/freePort.mjs';
import { startWith } from '../contract/startService.mjs';

export default async function startService() {
  process.env.PUBLIC_URL = `https://127.0.0.1:${await freePort()}`;
  await startWith(() => ({}));
}
