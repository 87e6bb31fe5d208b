import { useEffect } from 'preact/hooks';
import { days, fields, isSearching, loadDays, loadDaysOf, loadFields, retryStorage } from './fieldsStore.js';

/** Seconds between looks for what has come; the last one again and again. A first picture is looked for at once. */
const LOOKS_SECONDS = [5, 10, 20, 40, 60];
const SEARCHING_SECONDS = [1, 2, 3, ...LOOKS_SECONDS];

const pause = (seconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, seconds * 1000);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** Looks for new fields and days for as long as the view stands: soon again after news, more seldom without. */
async function keepLooking(signal: AbortSignal, lookedAt: () => string | undefined): Promise<void> {
  for (let look = 0; !signal.aborted; look += 1) {
    const seconds = isSearching.value ? SEARCHING_SECONDS : LOOKS_SECONDS;
    await pause(seconds[Math.min(look, seconds.length - 1)] ?? 60, signal);
    if (document.hidden) continue;
    const changed = await loadFields(signal);
    const id = lookedAt();
    const isNews = (id !== undefined && (await loadDays(id, true))) || changed.length > 0;
    if (isNews) {
      look = -1;
      await loadDaysOf(
        (fields.value ?? []).map(({ field_id: each }) => each).filter((each) => each !== id),
        signal,
      );
    }
  }
}

/**
 * Reads the fields, and keeps them up to date.
 *
 * @param lookedAt the field that is looked at, asked for anew each time
 */
export function useFields(lookedAt: () => string | undefined): void {
  useEffect(() => {
    const ended = new AbortController();
    const begin = async (): Promise<void> => {
      await loadFields(ended.signal);
      await keepLooking(ended.signal, lookedAt);
    };
    void begin();
    return () => {
      ended.abort();
    };
    // Asked anew each time, so the function itself may stay the first.
  }, []);
}

/** Reads the days of the field that is looked at, then, once its pictures are there, those of all others. */
export function useDays(lookedAt: string | undefined, arePicturesThere: boolean): void {
  useEffect(() => {
    void (lookedAt === undefined ? retryStorage(undefined) : loadDays(lookedAt, true));
  }, [lookedAt]);
  const count = fields.value?.length ?? 0;
  useEffect(() => {
    if (!arePicturesThere || count === 0) return undefined;
    const ended = new AbortController();
    const missing = (fields.value ?? [])
      .map(({ field_id: id }) => id)
      .filter((id) => id !== lookedAt && !days.value.has(id));
    void loadDaysOf(missing, ended.signal);
    return () => {
      ended.abort();
    };
  }, [arePicturesThere, count]);
}
