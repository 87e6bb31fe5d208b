/** Where tenants keep their licences. */
export interface LicenceStore {
  /** Makes sure that the tenant has a licence now, where it needs one. @throws LicenceError */
  require(tenant: string): Promise<void>;
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
