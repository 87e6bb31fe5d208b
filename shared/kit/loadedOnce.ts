/**
 * One load for all callers. A load that fails is not kept: whoever waits for it is told why, and the next caller loads
 * again.
 */
export function loadedOnce<Loaded>(load: () => Promise<Loaded>): () => Promise<Loaded> {
  let loading: Promise<Loaded> | undefined;
  return () =>
    (loading ??= load().catch((cause: unknown) => {
      loading = undefined;
      throw cause;
    }));
}
