/**
 * The issuer of a tenant's tokens, version 2. A name that resolves nowhere (RFC 2606): it holds no port, so a token
 * outlives the port of the service it was made for.
 *
 * @param tenant its id, or what stands for it in a pattern
 */
export const issuerOf = (tenant: string): string => `https://identity.local.invalid/${tenant}/v2.0`;
