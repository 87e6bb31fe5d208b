import type { Clock } from '../../kit/clock.js';

/**
 * Does something for a name at once when it is asked to, and then at most once in a pause: whoever asks during the pause
 * is served together with the others at its end.
 *
 * @param act must not throw
 */
export function paced(clock: Clock, pauseMs: number, act: (name: string) => Promise<void>): (name: string) => void {
  /** Names that are being served or in their pause; true when one was asked for again. */
  const busy = new Map<string, boolean>();
  const serve = async (name: string): Promise<void> => {
    do {
      busy.set(name, false);
      await act(name);
      await clock.sleep(pauseMs);
    } while (busy.get(name) === true);
    busy.delete(name);
  };
  return (name) => {
    if (busy.has(name)) busy.set(name, true);
    else void serve(name);
  };
}
