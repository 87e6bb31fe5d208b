import { useEffect, useRef } from 'preact/hooks';

/** Seconds until something that failed is tried again by itself; the last ones again and again. */
const WAITS_SECONDS = [5, 10, 20, 40, 60];
/** What has not failed for so long is tried again soon when it fails once more. */
const CALM_SECONDS = 60;

/**
 * Tries something again for as long as it fails: after 5 s, then less and less often. A try that clears the failure until
 * it fails anew is one of the same row.
 */
export function useRetry(isFailing: boolean, retry: () => void): void {
  const newest = useRef(retry);
  newest.current = retry;
  const tries = useRef(0);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const wait = (): void => {
      const seconds = WAITS_SECONDS[Math.min(tries.current, WAITS_SECONDS.length - 1)] ?? 60;
      timer = setTimeout(() => {
        tries.current += 1;
        newest.current();
        wait();
      }, seconds * 1000);
    };
    const calm = (): void => {
      timer = setTimeout(() => {
        tries.current = 0;
      }, CALM_SECONDS * 1000);
    };
    if (isFailing) wait();
    else calm();
    return () => {
      clearTimeout(timer);
    };
  }, [isFailing]);
}
