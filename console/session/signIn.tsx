import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { Brand } from '../parts/brand.js';
import { TraceId } from '../parts/fault.js';
import { localFault } from './localSignIn.js';
import { credentials, signIn, type refused } from './session.js';

interface SignInProps {
  /** True while a one-time code is being redeemed. */
  readonly isBusy?: boolean;
  /** Over a view that waits, rather than instead of it. */
  readonly isOver?: boolean;
  readonly refused?: NonNullable<typeof refused.value>;
}

/** Key and token, typed or pasted; they stay in this tab. */
export function SignIn({ isBusy = false, isOver = false, refused: why }: SignInProps): JSX.Element {
  const [apiKey, setKey] = useState(why?.what === 'token' ? (credentials.value?.apiKey ?? '') : '');
  const [token, setToken] = useState(why?.what === 'key' ? (credentials.value?.token ?? '') : '');
  const [isKept, setKept] = useState(false);
  const submit = (event: Event): void => {
    event.preventDefault();
    const farm = credentials.value?.farm;
    signIn(
      {
        apiKey: apiKey.trim(),
        ...(token.trim() === '' ? {} : { token: token.trim().replace(/^Bearer /i, '') }),
        ...(farm === undefined ? {} : { farm }),
      },
      isKept,
    );
  };
  if (isBusy) {
    return (
      <main class="sign-in" aria-busy="true">
        <p role="status">Signing in …</p>
      </main>
    );
  }
  return (
    <main class={isOver ? 'sign-in sign-in-over' : 'sign-in'}>
      <form onSubmit={submit} autoComplete="off">
        <div class="brand">
          <Brand />
        </div>
        <h1>Field console</h1>
        <p class="lead">See what the satellites saw of your fields.</p>
        <Refusal why={why} />
        <label>
          <span>API key</span>
          <small>fields and imagery</small>
          <input
            type="password"
            autocomplete="off"
            required
            value={apiKey}
            placeholder="pfs_…"
            onInput={textTo(setKey)}
          />
        </label>
        <label>
          <span>Access token</span>
          <small>degree-days and boundaries, optional</small>
          <input type="password" autocomplete="off" value={token} placeholder="eyJ…" onInput={textTo(setToken)} />
        </label>
        <label class="choice">
          <input
            type="checkbox"
            checked={isKept}
            onChange={({ currentTarget }) => {
              setKept(currentTarget.checked);
            }}
          />
          <span>Keep for this tab</span>
        </label>
        <button type="submit" class="first">
          Sign in
        </button>
        <p class="quiet">Both stay in this tab and are gone when you close it.</p>
      </form>
    </main>
  );
}

function Refusal({ why }: { readonly why: SignInProps['refused'] | undefined }): JSX.Element | null {
  if (why === undefined && localFault.value === undefined) return null;
  const text = why?.what === 'token' ? 'This token is not taken here, or has run out.' : 'This key is not known here.';
  return (
    <div class="fault" role="alert">
      <p>{why === undefined ? localFault.value : text}</p>
      {why?.traceId === undefined ? null : <TraceId id={why.traceId} />}
    </div>
  );
}

const textTo =
  (set: (text: string) => void) =>
  ({ currentTarget }: { readonly currentTarget: HTMLInputElement }): void => {
    set(currentTarget.value);
  };
