import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { serviceNow } from '../api/clock.js';
import { customerFolder, storage } from '../api/storage.js';
import { Icon } from '../parts/icons.js';
import { signOut } from './session.js';

const MINUTE_MS = 60_000;

/** How long the token for pictures is good. */
function lifeOf(endsAt: number): string {
  const minutes = Math.max(0, Math.floor((endsAt - serviceNow()) / MINUTE_MS));
  return minutes >= 60 ? `${Math.floor(minutes / 60)} h ${minutes % 60} min` : `${minutes} min`;
}

/** Who is signed in, and the way out. */
export function AccountMenu(): JSX.Element {
  const [, tick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => {
      tick((count) => count + 1);
    }, MINUTE_MS / 2);
    return () => {
      clearInterval(timer);
    };
  }, []);
  useEffect(() => {
    customerFolder().catch(() => undefined); // Who needs pictures says what is wrong with them.
  }, []);
  const known = storage.value;
  return (
    <>
      <span class="account">
        <span class={`dot ${known === undefined ? 'dot-none' : 'dot-picture'}`} aria-hidden="true" />
        {known === undefined ? 'no storage yet' : `${known.customer} · storage ${lifeOf(known.endsAt)}`}
      </span>
      <button type="button" class="plain" onClick={signOut} aria-label="Sign out" title="Sign out">
        <Icon name="out" />
      </button>
    </>
  );
}
