import { boundaryFaults } from '../../kit/errors/boundaryFaults.js';
import { commonFaults } from '../../kit/errors/catalogue.js';
import { ServiceError } from '../../kit/errors/serviceError.js';
import { LicenceError, type LicenceStore } from '../../access/licence/imageryLicence.js';

/**
 * Checks that the tenant has an imagery licence in its key vault.
 *
 * @throws ServiceError 403 when the licence is missing or cannot be read, 503 when the vault is unavailable
 */
export const requireLicence =
  ({ licences }: { readonly licences: LicenceStore }) =>
  async (tenant: string): Promise<void> => {
    try {
      await licences.require(tenant);
    } catch (error) {
      throw error instanceof LicenceError ? refusalOf(error) : error;
    }
  };

function refusalOf(error: LicenceError): ServiceError {
  if (error.kind === 'unavailable') {
    const text = `${error.message} The licence could not be checked; send the request again.`;
    return new ServiceError(commonFaults.unavailable, text, { cause: error });
  }
  const remedy = 'Store client id and client secret of your imagery provider there, readable by this service.';
  return new ServiceError(boundaryFaults.licenceMissing, `${error.message} ${remedy}`, { cause: error });
}
