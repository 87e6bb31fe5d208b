import { commonFaults } from './catalogue.js';
import { ServiceError } from './serviceError.js';

/**
 * The 503 of a request that lost against others each time it tried to write. A later one finds them done.
 *
 * @param what is changed, such as "the webhook"
 */
export const changedByOthers = (what: string, options: ErrorOptions = {}): ServiceError =>
  new ServiceError(commonFaults.unavailable, `Others change ${what} at this moment; send the request again.`, options);
