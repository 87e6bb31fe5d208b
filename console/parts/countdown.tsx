import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { Delay } from '../api/client.js';

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

/** What is repeated by itself, and when. */
export function Countdown({ error, until }: Delay): JSX.Element {
  const left = useSecondsLeft(until);
  const why = error.status === 429 ? 'Too many calls at once.' : 'Something the service needs is away.';
  return (
    <p class="banner" role="status">
      {why} <span class="figure">Trying again in {left} s.</span>
    </p>
  );
}
