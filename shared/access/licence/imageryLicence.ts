/** A tenant's licence at the imagery provider, with a reference to its secret in place of the secret. */
export interface ImageryLicence {
  readonly clientId: string;
  readonly clientSecret: SecretReference;
}

/** One version of a secret in a key vault. */
interface SecretReference {
  readonly keyVaultUri: string;
  readonly keyName: string;
  readonly keyVersion: string;
}

/** Where tenants keep their licences. */
export interface LicenceStore {
  /** The tenant's licence as it is now; undefined where the tenant needs none. @throws LicenceError */
  get(tenant: string): Promise<ImageryLicence | undefined>;
}

/**
 * Why there is no licence.
 *
 * - `missing`: the vault has none that is valid, or refuses this service; the tenant can correct that
 * - `unavailable`: the vault cannot be reached or throttles; a later attempt may succeed
 */
type LicenceFaultKind = 'missing' | 'unavailable';

/** Why a licence could not be read, in words for the tenant; never holds a secret. */
export class LicenceError extends Error {
  readonly kind: LicenceFaultKind;

  constructor(kind: LicenceFaultKind, text: string, options?: ErrorOptions) {
    super(text, options);
    this.name = 'LicenceError';
    this.kind = kind;
  }
}
