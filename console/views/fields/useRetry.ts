import { useEffect, useRef } from 'preact/hooks';

/** Seconds until something that failed is tried again by itself; the last ones again and again. */
const WAITS_SECONDS = [5, 10, 20, 40, 60];

/** Tries something again for as long as it fails: after 5 s, then less and less often. */
export function useRetry(isFailing: boolean, retry: () => void): void {
  const newest = useRef(retry);
  newest.current = retry;
  useEffect(() => {
    if (!isFailing) return undefined;
    let timer: ReturnType<typeof setTimeout>;
    const waitFor = (turn: number): void => {
      timer = setTimeout(
        () => {
          newest.current();
          waitFor(turn + 1);
        },
        (WAITS_SECONDS[Math.min(turn, WAITS_SECONDS.length - 1)] ?? 60) * 1000,
      );
    };
    waitFor(0);
    return () => {
      clearTimeout(timer);
    };
  }, [isFailing]);
}
