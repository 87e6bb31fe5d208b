import { useEffect, useRef, useState } from 'preact/hooks';
import { followImport, refusalOf, startImport, type FarmImport, type ImportTarget } from '../../api/farmImport.js';

/** Where an import stands. */
export interface ImportState {
  readonly fileName?: string;
  readonly isBusy: boolean;
  /** Undefined while the file is on its way. */
  readonly state?: FarmImport;
  readonly error?: unknown;
}

interface Sent {
  readonly target: ImportTarget;
  readonly file: File;
  readonly key: string;
}

/** Imports files, one at a time. Leaving the view ends the looks, not the import. @param onImported told when one has ended */
export function useImport(onImported: () => void): ImportState & {
  readonly send: (target: ImportTarget, file: File) => void;
  /** The same file once more, as after an answer was lost. */
  readonly again: () => void;
} {
  const [shown, setShown] = useState<ImportState>({ isBusy: false });
  const ended = useRef(new AbortController());
  const last = useRef<Sent | undefined>(undefined);
  useEffect(
    () => () => {
      ended.current.abort();
    },
    [],
  );
  const run = async ({ target, file, key }: Sent): Promise<void> => {
    ended.current.abort();
    const { signal } = (ended.current = new AbortController());
    const tell = (change: Partial<ImportState>): void => {
      if (!signal.aborted) setShown((before) => ({ ...before, ...change }));
    };
    setShown({ fileName: file.name, isBusy: true });
    try {
      const refusal = refusalOf(file);
      if (refusal !== undefined) throw new Error(refusal);
      const started = await startImport(target, file, key);
      await followImport(started, {
        onState: (state) => {
          tell({ state });
        },
        signal,
      });
      onImported();
    } catch (error) {
      tell({ error });
    }
    tell({ isBusy: false });
  };
  return {
    ...shown,
    send: (target, file) => {
      last.current = { target, file, key: crypto.randomUUID() };
      void run(last.current);
    },
    again: () => {
      if (last.current !== undefined) void run(last.current);
    },
  };
}
