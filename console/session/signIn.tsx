import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { PageSettings } from '../../shared/http/pages/consoleSettings.js';
import { pageSettings } from '../api/settings.js';
import { forgetStorage } from '../api/storage.js';
import { Brand } from '../parts/brand.js';
import { Fault, TraceId } from '../parts/fault.js';
import { loadChunk } from '../parts/loadChunk.js';
import { localFault, underWay } from './localSignIn.js';
import {
  credentials,
  isKept as isKeptNow,
  keepForReturn,
  refused as refusedSignal,
  signIn,
  signOut,
  type Refusal as Why,
} from './session.js';

interface SignInProps {
  /** True while a one-time code is being redeemed. */
  readonly isBusy?: boolean;
  /** Over a view that waits, rather than instead of it. */
  readonly isOver?: boolean;
  readonly refused?: Why;
}

/** Key and token, typed or pasted; they stay in this tab. */
export function SignIn({ isBusy = false, isOver = false, refused: why }: SignInProps): JSX.Element {
  if (isBusy) {
    return (
      <main class="sign-in" aria-busy="true">
        <div>
          <Brand />
          <p role="status">{underWay}</p>
        </div>
      </main>
    );
  }
  return isOver ? (
    <div class="sign-in sign-in-over" role="dialog" aria-modal="true" aria-labelledby="sign-in-title">
      <SignInForm why={why} isOver />
    </div>
  ) : (
    <main class="sign-in">
      <SignInForm why={why} isOver={false} />
    </main>
  );
}

interface Typed {
  readonly apiKey: string;
  readonly token: string;
  readonly isKept: boolean;
}

/** What is still good of the last sign-in stands in the form already. */
const firstTyped = (why: Why | undefined): Typed => ({
  apiKey: why === undefined || why.what === 'key' ? '' : (credentials.value?.apiKey ?? ''),
  token: why?.what === 'key' ? (credentials.value?.token ?? '') : '',
  isKept: isKeptNow(),
});

function take({ apiKey, token, isKept }: Typed): void {
  const farm = credentials.value?.farm;
  const bare = token.trim().replace(/^Bearer /i, '');
  const given = { apiKey: apiKey.trim(), ...(bare === '' ? {} : { token: bare }) };
  forgetStorage();
  localFault.value = undefined;
  signIn({ ...given, ...(farm === undefined ? {} : { farm }) }, isKept);
}

function SignInForm({ why, isOver }: { readonly why: Why | undefined; readonly isOver: boolean }): JSX.Element {
  const [typed, setTyped] = useState(() => firstTyped(why));
  const first = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (isOver)
      first.current?.querySelector<HTMLInputElement>(why?.what === 'key' ? 'input' : 'label + label input')?.focus();
  }, [isOver, why]);
  useFocusAfterwards(isOver);
  const set = (change: Partial<Typed>): void => {
    setTyped({ ...typed, ...change });
  };
  return (
    <form
      ref={first}
      autoComplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        take(typed);
      }}
    >
      <div class="brand">
        <Brand />
      </div>
      <SignInTitle why={isOver ? (why?.what ?? 'key') : undefined} />
      <Refusal why={why} />
      <label>
        <span>API key</span>
        <small>fields and imagery</small>
        <input
          type="password"
          autocomplete="off"
          required
          value={typed.apiKey}
          placeholder="pfs_…"
          onInput={({ currentTarget }) => {
            set({ apiKey: currentTarget.value });
          }}
        />
      </label>
      <label>
        <span>Access token</span>
        <small>degree-days and boundaries, optional</small>
        <input
          type="password"
          autocomplete="off"
          value={typed.token}
          placeholder="eyJ…"
          onInput={({ currentTarget }) => {
            set({ token: currentTarget.value });
          }}
        />
      </label>
      <label class="choice">
        <input
          type="checkbox"
          checked={typed.isKept}
          onChange={({ currentTarget }) => {
            set({ isKept: currentTarget.checked });
          }}
        />
        <span>Keep for this tab</span>
      </label>
      <button type="submit" class="first">
        Sign in
      </button>
      <OtherSignIns apiKey={typed.apiKey} />
      {isOver ? <WayOut why={why} /> : null}
      <p class="quiet">Both stay in this tab and are gone when you close it.</p>
    </form>
  );
}

/** Brings the focus back to where it was before the sign-in came over the view, once that can take it again. */
function useFocusAfterwards(isOver: boolean): void {
  const [before] = useState(() => document.activeElement);
  useEffect(() => {
    if (!isOver) return undefined;
    return () => {
      requestAnimationFrame(() => {
        if (before instanceof HTMLElement) before.focus();
      });
    };
  }, [isOver, before]);
}

const TITLES: Readonly<Record<Why['what'], string>> = {
  key: 'Sign in again',
  token: 'Sign in again',
  missing: 'Add an access token',
};

/** @param why what is asked for over a view; undefined where nobody has signed in */
const SignInTitle = ({ why }: { readonly why: Why['what'] | undefined }): JSX.Element =>
  why === undefined ? (
    <>
      <h1>Field console</h1>
      <p class="lead">See what the satellites saw of your fields.</p>
    </>
  ) : (
    <h2 id="sign-in-title">{TITLES[why]}</h2>
  );

const WayOut = ({ why }: { readonly why: Why | undefined }): JSX.Element => (
  <button type="button" onClick={why?.what === 'missing' ? stay : signOut}>
    {why?.what === 'missing' ? 'Not now' : 'Sign out'}
  </button>
);

/** Signing in by the identity platform, where one is set: for jobs, beside the key. */
function OtherSignIns({ apiKey }: { readonly apiKey: string }): JSX.Element | null {
  const [login, setLogin] = useState<PageSettings['login']>(null);
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    pageSettings().then(({ login: known }) => {
      setLogin(known);
    }, setError);
  }, []);
  if (login === null) return error === undefined ? null : <Fault error={error} />;
  const leave = async (): Promise<void> => {
    // The page comes back as a new one: the key waits in the tab.
    keepForReturn({ ...credentials.value, apiKey: apiKey.trim() });
    const { leaveToSignIn } = await loadChunk('msal', () => import('./msal.js'));
    await leaveToSignIn(login);
  };
  return (
    <>
      <button
        type="button"
        disabled={apiKey.trim() === ''}
        onClick={() => {
          leave().catch(setError);
        }}
      >
        Sign in with your organisation
      </button>
      {error === undefined ? null : <Fault error={error} />}
    </>
  );
}

/** Closes a sign-in that nobody has to do. */
function stay(): void {
  refusedSignal.value = undefined;
}

const REFUSED: Readonly<Record<'key' | 'token', string>> = {
  key: 'This key is not known here.',
  token: 'This token is not taken here, or has run out.',
};

function Refusal({ why }: { readonly why: SignInProps['refused'] | undefined }): JSX.Element | null {
  const text = why === undefined || why.what === 'missing' ? localFault.value : REFUSED[why.what];
  if (text === undefined) return null;
  return (
    <div class="fault" role="alert">
      <p>{text}</p>
      {why?.traceId === undefined ? null : <TraceId id={why.traceId} />}
    </div>
  );
}
