/** The storage accounts of the local environment; a mix-up between them can't hide. */
export const accountNames = {
  host: 'fieldhost',
  data: 'fielddata',
  imagery: 'fieldimagery',
  backups: 'fieldbackups',
} as const;
export type AccountName = (typeof accountNames)[keyof typeof accountNames];

/** Base64 key of each account. */
export type AccountKeys = Readonly<Record<AccountName, string>>;

/** Where the three services of Azurite answer, without a slash at the end. */
export interface ServiceUrls {
  readonly blob: string;
  readonly queue: string;
  readonly table: string;
}

/** What Azurite reads from AZURITE_ACCOUNTS. */
export const accountsVariable = (keys: AccountKeys): string =>
  Object.entries(keys)
    .map(([name, key]) => `${name}:${key}`)
    .join(';');

/** The endpoint of an account at one service: Azurite has the account as the first path segment. */
export const endpointOf = (serviceUrl: string, account: AccountName): string => `${serviceUrl}/${account}`;

/** The connection string of an account. */
export const connectionStringOf = (urls: ServiceUrls, account: AccountName, keys: AccountKeys): string =>
  [
    'DefaultEndpointsProtocol=https',
    `AccountName=${account}`,
    `AccountKey=${keys[account]}`,
    `BlobEndpoint=${endpointOf(urls.blob, account)}`,
    `QueueEndpoint=${endpointOf(urls.queue, account)}`,
    `TableEndpoint=${endpointOf(urls.table, account)}`,
    '',
  ].join(';');
