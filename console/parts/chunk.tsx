import type { JSX } from 'preact';
import { loadChunk } from './loadChunk.js';
import { Unloaded } from './unloaded.js';
import { useLoaded } from './useLoaded.js';

interface ChunkProps<T> {
  /** Name of its source, without the ending. */
  readonly part: string;
  readonly load: () => Promise<T>;
  /** What heads the page until a whole view is there. */
  readonly heading?: string;
  readonly children: (loaded: T) => JSX.Element;
}

/** A part of the page that is loaded when it is shown first. */
export function Chunk<T>({ part, load, heading, children }: ChunkProps<T>): JSX.Element {
  const { value, error } = useLoaded(part, () => loadChunk(part, load));
  if (value !== undefined) return children(value);
  return (
    <div class="chunk">
      {heading === undefined ? null : <h1 class="hidden">{heading}</h1>}
      {error === undefined ? (
        <p class="quiet" role="status">
          Loading …
        </p>
      ) : (
        <Unloaded error={error} />
      )}
    </div>
  );
}
