import { useEffect, useState } from 'preact/hooks';

/** Something that is read from the service: first neither is there, then one of both. */
export interface Loaded<T> {
  readonly value?: T | undefined;
  readonly error?: unknown;
  /** Reads it once more; what is there stays until then. */
  readonly again: () => void;
}

/**
 * Reads something, anew when what it depends on changes; what belongs to the old one is gone at once.
 *
 * @param key what it depends on; undefined: nothing is read
 */
export function useLoaded<T>(key: string | undefined, read: (signal: AbortSignal) => Promise<T>): Loaded<T> {
  const [state, setState] = useState<{
    readonly key?: string | undefined;
    readonly value?: T;
    readonly error?: unknown;
  }>({});
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    if (key === undefined) return undefined;
    const ended = new AbortController();
    read(ended.signal).then(
      (value) => {
        if (!ended.signal.aborted) setState({ key, value });
      },
      (error: unknown) => {
        if (!ended.signal.aborted) setState((last) => (last.key === key ? { ...last, error } : { key, error }));
      },
    );
    return () => {
      ended.abort();
    };
  }, [key, turn]);
  const { key: _of, ...shown } = state.key === key ? state : { key };
  return {
    ...shown,
    again: () => {
      setTurn((count) => count + 1);
    },
  };
}
