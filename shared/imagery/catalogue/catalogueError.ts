/**
 * What went wrong between the service and a catalogue.
 *
 * - `unavailable`: no answer, throttled, 5xx: the same call will work later
 * - `refused`: the catalogue or our own rules say no
 * - `invalid`: the answer is none that can be used
 */
export type CatalogueFault = 'unavailable' | 'refused' | 'invalid';

/** A catalogue could not be searched, or a file of it not signed; never means that there is no imagery. */
export class CatalogueError extends Error {
  readonly fault: CatalogueFault;
  readonly retryAfterSeconds: number | undefined;
  /** The answer may have been too large: one with fewer items in it may come. */
  readonly mayBeOfSize: boolean;

  /** @param text without addresses' queries: they may be signed */
  constructor(
    fault: CatalogueFault,
    text: string,
    {
      retryAfterSeconds,
      mayBeOfSize = false,
      cause,
    }: { readonly retryAfterSeconds?: number; readonly mayBeOfSize?: boolean; readonly cause?: unknown } = {},
  ) {
    super(text, cause === undefined ? undefined : { cause });
    this.name = 'CatalogueError';
    this.fault = fault;
    this.retryAfterSeconds = retryAfterSeconds;
    this.mayBeOfSize = mayBeOfSize;
  }
}
