/**
 * What went wrong between the service and a catalogue.
 *
 * - `unavailable`: no answer, throttled, 5xx: the same call will work later
 * - `refused`: the catalogue or our own rules say no
 * - `invalid`: the answer can't be used
 */
export type CatalogueFault = 'unavailable' | 'refused' | 'invalid';

/** A catalogue could not be searched, or a file of it not signed; never means that there is no imagery. */
export class CatalogueError extends Error {
  readonly fault: CatalogueFault;
  readonly retryAfterSeconds: number | undefined;
  /** The answer may have been too large: an answer with fewer items may come. */
  readonly mayBeOfSize: boolean;

  /** @param text without the queries of addresses: they may be signed */
  constructor(
    fault: CatalogueFault,
    text: string,
    {
      retryAfterSeconds,
      mayBeOfSize = false,
      cause,
    }: {
      readonly retryAfterSeconds?: number | undefined;
      readonly mayBeOfSize?: boolean;
      readonly cause?: unknown;
    } = {},
  ) {
    super(text, cause === undefined ? undefined : { cause });
    this.name = 'CatalogueError';
    this.fault = fault;
    this.retryAfterSeconds = retryAfterSeconds;
    this.mayBeOfSize = mayBeOfSize;
  }
}
