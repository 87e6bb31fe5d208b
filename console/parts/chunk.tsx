import type { JSX } from 'preact';
import { loadChunk } from './loadChunk.js';
import { useLoaded } from './useLoaded.js';

interface ChunkProps<T> {
  readonly name: string;
  readonly load: () => Promise<T>;
  readonly children: (loaded: T) => JSX.Element;
}

/** A part of the page that is loaded when it is shown first. */
export function Chunk<T>({ name, load, children }: ChunkProps<T>): JSX.Element {
  const { value, error } = useLoaded(name, () => loadChunk(name, load));
  if (value !== undefined) return children(value);
  return (
    <p class="chunk quiet" role="status">
      {error === undefined ? 'Loading …' : 'This part could not be loaded. Everything else works; reload to try again.'}
    </p>
  );
}
