import { commonFaults } from '../errors/catalogue.js';
import { ServiceError } from '../errors/serviceError.js';

/** The headers by which a caller makes a write conditional. */
export interface Preconditions {
  readonly ifMatch?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
}

/**
 * @param found the resource as it is; undefined when there is none
 * @throws ServiceError 412
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-13.1
 */
export function checkPreconditions(
  { ifMatch, ifNoneMatch }: Preconditions,
  found: { readonly eTag: string } | undefined,
): void {
  if (ifMatch !== undefined && !names(ifMatch, found?.eTag)) {
    throw failed('If-Match names another eTag than that of the resource. Read it again, and repeat the change.');
  }
  if (ifNoneMatch !== undefined && names(ifNoneMatch, found?.eTag)) {
    throw failed('The resource exists, and If-None-Match says that it must not.');
  }
}

/** Whether a header names the eTag: `*` names any; clients send tags with and without quotes. */
function names(header: string, eTag: string | undefined): boolean {
  if (eTag === undefined) return false;
  const tags = header.split(',').map((tag) => tag.trim().replace(/^W\//, '').replaceAll('"', ''));
  return tags.includes('*') || tags.includes(eTag);
}

const failed = (text: string): ServiceError => new ServiceError(commonFaults.preconditionFailed, text);
