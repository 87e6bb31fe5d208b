import { pageSettings } from '../api/settings.js';
import { loadChunk } from '../parts/loadChunk.js';
import { localFault } from './localSignIn.js';
import { credentials, refused, signIn, tokenSource } from './session.js';

/** What an identity platform puts behind the address when it sends people back. */
const BACK = /[#&](code|error)=.*[&#]state=|[#&]state=.*[&#](code|error)=/;

/**
 * Takes the token of whoever comes back from the identity platform, and renews it from then on.
 *
 * @returns settles when that has ended; undefined when nobody comes back
 */
export function returnFromLogin(): Promise<void> | undefined {
  return BACK.test(location.hash) ? takeToken() : undefined;
}

async function takeToken(): Promise<void> {
  try {
    const { login } = await pageSettings();
    if (login === null) return;
    const { signedInToken } = await loadChunk('msal', () => import('./msal.js'));
    const token = await signedInToken(login);
    if (token === undefined) throw new Error('The identity platform gave no token.');
    tokenSource.current = () => signedInToken(login);
    signIn({ ...credentials.value, apiKey: credentials.value?.apiKey ?? '', token }, true);
  } catch {
    localFault.value = 'Signing in with your organisation did not succeed. Try again, or paste a token.';
    // The key was kept for the way back: the view stands, and only the token is asked for.
    if (credentials.value !== undefined) refused.value = { what: 'missing' };
  } finally {
    if (BACK.test(location.hash)) history.replaceState(null, '', location.pathname);
  }
}
