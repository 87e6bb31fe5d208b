import { signal } from '@preact/signals';
import { pageSettings } from '../api/settings.js';
import { go } from '../router.js';
import { signIn, type Credentials } from './session.js';

/** Why a one-time code did not sign in. */
export const localFault = signal<string | undefined>(undefined);

/** What is under way while somebody is signed in. */
export const underWay = signal('Signing in …');

const CODE = /^#local=([\w-]+)(\/.*)?$/;

/**
 * Takes a one-time code out of the address at once and redeems it where the pictures come from: only a service that
 * runs on this very machine has such a place.
 *
 * @returns settles when that has ended; undefined when the address holds no code
 */
export function takeLocalCode(): Promise<void> | undefined {
  const [, code, place] = CODE.exec(location.hash) ?? [];
  if (code === undefined) return undefined;
  underWay.value = 'Signing in. The first time, the demo farm is enrolled too: some seconds …';
  go(place === undefined ? location.pathname : `#${place}`, 'replace');
  return redeem(code).catch(() => {
    localFault.value = 'The local sign-in could not be reached. Is npm start still running?';
  });
}

/** An address that is pasted into a page that stands changes the fragment alone: the page begins anew with the code. */
export function followLocalCode(): void {
  addEventListener('hashchange', () => {
    if (CODE.test(location.hash)) location.reload();
  });
}

async function redeem(code: string): Promise<void> {
  const { origin } = new URL((await pageSettings()).blobEndpoint);
  const response = await fetch(`${origin}/console/session`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body: code,
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
  });
  if (response.ok) signIn((await response.json()) as Credentials, true);
  else localFault.value = 'This address was used before, or is too old. Run npm run console for a new one.';
}
