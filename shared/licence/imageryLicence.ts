/** A tenant's licence at the imagery provider. The secret itself is not here: only where the data manager finds it. */
export interface ImageryLicence {
  readonly clientId: string;
  readonly clientSecret: SecretReference;
}

/** One version of a secret in a key vault. */
export interface SecretReference {
  readonly keyVaultUri: string;
  readonly keyName: string;
  readonly keyVersion: string;
}

/** Where tenants keep their licences. */
export interface LicenceStore {
  /** The tenant's licence as it is now. @throws LicenceError */
  get(tenant: string): Promise<ImageryLicence>;
}

/**
 * Why there is no licence.
 *
 * - `missing`: the vault has none that may be used, or doesn't let this service read it; the tenant can mend that
 * - `unavailable`: the vault can't be reached or throttles; later may be better
 */
export type LicenceFaultKind = 'missing' | 'unavailable';

/** Says in words for the tenant what stands between this service and the licence; never holds a secret. */
export class LicenceError extends Error {
  readonly kind: LicenceFaultKind;

  constructor(kind: LicenceFaultKind, text: string, options?: ErrorOptions) {
    super(text, options);
    this.name = 'LicenceError';
    this.kind = kind;
  }
}
