import { type EventGrid, startEventGrid } from './eventGrid.js';
import type { Identity } from './identity.js';
import { SERVICE_TENANT } from './identity/managedIdentity.js';
import { type LicenceVaultOptions, tlsOf } from './licenceVault.js';

const EVENT_GRID_RESOURCE = 'https://eventgrid.azure.net';

export interface LocalTopicOptions {
  readonly certificate: LicenceVaultOptions['certificate'];
  readonly identity: Pick<Identity, 'isServiceToken'>;
}

/** A topic for the events of the local service: over TLS, for tokens that the service got for Event Grid. */
export const startLocalTopic = ({ certificate, identity }: LocalTopicOptions): Promise<EventGrid> =>
  startEventGrid({
    tls: tlsOf(certificate),
    tokenIsValid: (token) => identity.isServiceToken(token, { tenant: SERVICE_TENANT, resource: EVENT_GRID_RESOURCE }),
  });
