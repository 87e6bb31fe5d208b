/**
 * What is wrong with a raster file.
 *
 * - `corrupt`: the bytes contradict themselves or the TIFF specification
 * - `unsupported`: a valid file of a kind this library does not read
 * - `too_large`: it claims or needs more than the limits allow
 * - `changed`: it was replaced while it was read; opening it anew may help
 * - `unavailable`: it could not be fetched
 * - `refused`: the host refuses access (401, 403) or has no such file (404), perhaps only for some time
 */
export type RasterErrorKind = 'corrupt' | 'unsupported' | 'too_large' | 'changed' | 'unavailable' | 'refused';

/** Options of a `RasterError`. */
export interface RasterErrorOptions extends ErrorOptions {
  /** Whether the same read may succeed later; false when absent. */
  readonly isTransient?: boolean;
}

/** The only error of the raster library besides an abort; its message never holds a signed address. */
export class RasterError extends Error {
  readonly kind: RasterErrorKind;
  readonly isTransient: boolean;

  constructor(kind: RasterErrorKind, text: string, { isTransient = false, cause }: RasterErrorOptions = {}) {
    super(text, cause === undefined ? undefined : { cause });
    this.name = 'RasterError';
    this.kind = kind;
    this.isTransient = isTransient;
  }
}

/** The same error with the file's name before its text. */
export function named(error: unknown, name: string): unknown {
  if (!(error instanceof RasterError) || error.message.startsWith(name)) return error;
  return new RasterError(error.kind, `${name}: ${error.message}`, { isTransient: error.isTransient, cause: error });
}
