import { ManagedIdentityCredential } from '@azure/identity';

/** The identity of the service. @param clientId of the user-assigned one; the system-assigned one when absent */
export const managedIdentity = (clientId: string | undefined): ManagedIdentityCredential =>
  clientId === undefined ? new ManagedIdentityCredential() : new ManagedIdentityCredential({ clientId });
