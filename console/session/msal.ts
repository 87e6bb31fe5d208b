import {
  AuthError,
  CacheLookupPolicy,
  InteractionRequiredAuthError,
  PublicClientApplication,
} from '@azure/msal-browser';
import type { PageSettings } from '../../shared/http/pages/consoleSettings.js';

type Login = NonNullable<PageSettings['login']>;

let application: Promise<PublicClientApplication> | undefined;

async function started({ clientId, authority }: Login): Promise<PublicClientApplication> {
  const made = new PublicClientApplication({
    // Known, so that nobody else is asked about it: the page's policy lets it ask this one alone.
    auth: {
      clientId,
      authority,
      knownAuthorities: [new URL(authority).host],
      redirectUri: `${location.origin}/console/`,
    },
    cache: { cacheLocation: 'sessionStorage' },
  });
  await made.initialize();
  return made;
}

/** One for the tab. No hidden frames: a token is renewed with the refresh token, or by going there again. */
const applicationOf = (login: Login): Promise<PublicClientApplication> => (application ??= started(login));

/** Leaves the page for the identity platform; it comes back to the console's address. */
export async function leaveToSignIn(login: Login): Promise<void> {
  const signInAt = await applicationOf(login);
  await signInAt.loginRedirect({ scopes: [login.scope] });
}

/**
 * The token of whoever has come back, or is signed in already; undefined when nobody is, or not any more: nobody is led
 * away from what they do, the service's refusal of the old token asks for another sign-in over the view.
 */
export async function signedInToken(login: Login): Promise<string | undefined> {
  const signedIn = await applicationOf(login);
  const back = await signedIn.handleRedirectPromise();
  const [account] = back === null ? signedIn.getAllAccounts() : [back.account];
  if (account === undefined) return undefined;
  try {
    // By a refresh token alone: the policy of the page forbids the hidden frame that the library would try next.
    const cacheLookupPolicy = CacheLookupPolicy.AccessTokenAndRefreshToken;
    return (await signedIn.acquireTokenSilent({ scopes: [login.scope], account, cacheLookupPolicy })).accessToken;
  } catch (error) {
    if (!isSignInOver(error)) throw error;
    return undefined;
  }
}

/** Whether no refresh token brings another token: it has ended, or was withdrawn. */
const isSignInOver = (error: unknown): boolean =>
  error instanceof InteractionRequiredAuthError ||
  (error instanceof AuthError && [error.errorCode, error.subError].includes('invalid_grant'));
