import { commonFaults } from '../kit/errors/catalogue.js';
import { ServiceError } from '../kit/errors/serviceError.js';

/** The HTTP status of a storage client's error, 0 when no answer came, undefined for any other error. */
export function storageStatus(error: unknown): number | undefined {
  // By name, not by class: each storage client may come with its own copy of the class.
  if (!(error instanceof Error) || error.name !== 'RestError') return undefined;
  return (error as { readonly statusCode?: number }).statusCode ?? 0;
}

/**
 * Runs a storage call and turns "storage is away" (no answer, 5xx, throttled) into the 503 of the catalogue. Other
 * errors pass: the caller decides about 404, 409 and 412.
 *
 * @throws ServiceError 503
 */
export async function fromStorage<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const status = storageStatus(error) ?? (isTimeout(error) ? 0 : undefined);
    if (status === undefined || (status !== 0 && status !== 429 && status < 500)) throw error;
    throw new ServiceError(commonFaults.unavailable, 'The storage of the service cannot be reached right now.', {
      cause: error,
    });
  }
}

/** As `fromStorage`, giving undefined for the statuses that are an answer to the caller and no error. */
export async function unlessStatus<T>(statuses: readonly number[], call: () => Promise<T>): Promise<T | undefined> {
  try {
    return await fromStorage(call);
  } catch (error) {
    if (statuses.includes(storageStatus(error) ?? -1)) return undefined;
    throw error;
  }
}

/** Names of errors that mean the call, or the token for it, could not be had in time. */
const AWAY = new Set([
  'AbortError',
  'TimeoutError',
  'AuthenticationError',
  'CredentialUnavailableError',
  'AggregateAuthenticationError',
]);

const isTimeout = (error: unknown): boolean => error instanceof Error && AWAY.has(error.name);
