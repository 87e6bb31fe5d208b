/** The Entra tenant of a tenant's resources gives the service no token. The text is for the tenant. */
export class ForeignTenantRefusal extends Error {
  constructor(text: string, options?: ErrorOptions) {
    super(text, options);
    this.name = 'ForeignTenantRefusal';
  }
}

/** The Entra tenant that is asked for a token, and the application that asks. */
export interface ForeignApp {
  /** Where Entra is, such as https://login.microsoftonline.com */
  readonly authorityHost: string;
  readonly azureTenantId: string;
  readonly appId: string;
}

/**
 * Codes by which Entra says that the tenant's administrator has to do something: no service principal of the application
 * (700016, 7000229) or of the resource (500011) in the tenant, no consent (65001, 650057), none assigned (50105, 501051),
 * disabled (7000112, 500014), kept out by conditional access (53003).
 *
 * @see https://learn.microsoft.com/entra/identity-platform/reference-error-codes
 */
const FOR_THE_ADMINISTRATOR = /AADSTS(?:700016|7000229|500011|65001|650057|50105|501051|7000112|500014|53003)\b/;
const NO_SUCH_TENANT = /AADSTS(?:90002|900023)\b/;

/** The refusal in an error of a token request; undefined for an error that may pass. */
export function refusalIn(
  error: unknown,
  { authorityHost, azureTenantId, appId }: ForeignApp,
): ForeignTenantRefusal | undefined {
  const text = error instanceof Error ? error.message : '';
  if (NO_SUCH_TENANT.test(text)) {
    const what = `No Entra tenant has the id ${azureTenantId}; ask the operator of the service to correct azureTenantId.`;
    return new ForeignTenantRefusal(what, { cause: error });
  }
  if (!FOR_THE_ADMINISTRATOR.test(text)) return undefined;
  const what =
    `The Entra tenant ${azureTenantId} gives this service no access. Its administrator has to consent at ` +
    `${authorityHost}/${azureTenantId}/adminconsent?client_id=${appId} ` +
    'and to grant that application access to the key vault.';
  return new ForeignTenantRefusal(what, { cause: error });
}
