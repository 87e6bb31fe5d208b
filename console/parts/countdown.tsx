import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { delay, isOffline, type Delay } from '../api/connection.js';

const secondsTo = (until: number): number => Math.max(0, Math.ceil((until - Date.now()) / 1000));

/** Seconds that are left to an instant, counted down. @param until milliseconds since 1970 */
export function useSecondsLeft(until: number): number {
  const [left, setLeft] = useState(() => secondsTo(until));
  useEffect(() => {
    setLeft(secondsTo(until));
    const timer = setInterval(() => {
      setLeft(secondsTo(until));
    }, 500);
    return () => {
      clearInterval(timer);
    };
  }, [until]);
  return left;
}

const WHY: Readonly<Record<number, string>> = {
  0: 'The service can’t be reached; what is shown stays.',
  429: 'Too many calls at once.',
};

function Countdown({ error: { status }, until }: Delay): JSX.Element {
  const left = useSecondsLeft(until);
  return (
    <p class="banner" role="status">
      {WHY[status] ?? 'Something the service needs is away.'} <span class="figure">Trying again in {left} s.</span>
    </p>
  );
}

/** Why something is not there yet, above the view: there is no network, or something is asked for again by itself. */
export function Waiting(): JSX.Element | null {
  if (isOffline.value) {
    return (
      <p class="banner" role="status">
        This computer is offline. What is shown stays, and all goes on once it is back.
      </p>
    );
  }
  return delay.value === undefined ? null : <Countdown {...delay.value} />;
}
