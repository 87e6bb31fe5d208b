import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { BlobServiceClient, type UserDelegationKey } from '@azure/storage-blob';
import { DirectorySASPermissions, generateDataLakeSASQueryParameters, SASProtocol } from '@azure/storage-file-datalake';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  dataContainerNames,
  imageryContainerName,
  poisonQueueOf,
  queueNames,
  tableNames,
} from '../../shared/storage/names.js';
import { TableClient, TableServiceClient } from '@azure/data-tables';
import { type AzuriteUnderTest, startAzuriteUnderTest, trusting } from './azuriteUnderTest.js';
import { bundled } from './bundled.js';

const account = 'fieldimagery';
const hour = 3600_000;
let directory: string;
let azurite: AzuriteUnderTest;
let key: UserDelegationKey;

/** A token as the identity stand-in makes it; Azurite looks at the claims and not at the signature. */
function bearer(claims: object = {}): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const now = Math.floor(Date.now() / 1000);
  const id = '00000000-0000-0000-0000-000000000001';
  const iss = `https://sts.windows.net/${id}/`;
  const payload = {
    aud: 'https://storage.azure.com',
    iss,
    nbf: now - 60,
    iat: now - 60,
    exp: now + 3600,
    oid: id,
    tid: id,
  };
  return `${part({ alg: 'RS256', typ: 'JWT' })}.${part({ ...payload, ...claims })}.c2ln`;
}
const credential = (claims?: object) => ({
  getToken: () => Promise.resolve({ token: bearer(claims), expiresOnTimestamp: Date.now() + hour }),
});
const withToken = (claims?: object): BlobServiceClient =>
  new BlobServiceClient(`${azurite.urls.blob}/${account}`, credential(claims), trusting(azurite.ca));

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'azurite-'));
  azurite = await startAzuriteUnderTest(await bundled('azuriteProcess'), { directory, inMemory: true });
  key = await withToken().getUserDelegationKey(new Date(Date.now() - hour), new Date(Date.now() + hour));
  const container = azurite.blobs(account).getContainerClient(imageryContainerName);
  for (const name of ['alice/ts/x.tiff', 'alice/ts/deep/y.tiff', 'alice/ts2/x.tiff', 'bob/ts/x.tiff']) {
    await container.getBlockBlobClient(name).upload('data', 4);
  }
  await azurite.blobs(account).createContainer('other');
});
afterAll(async () => {
  await azurite.stop();
  rmSync(directory, { recursive: true });
});

/** A read-and-list token on a directory; what is changed is signed along. */
function sasOf({ path = 'alice/ts', permissions = 'rl', expiresIn = hour / 2, version = '2025-07-05' } = {}): string {
  const depth = path.split('/').length;
  return generateDataLakeSASQueryParameters(
    {
      fileSystemName: imageryContainerName,
      pathName: path,
      isDirectory: true,
      directoryDepth: depth,
      version,
      permissions: DirectorySASPermissions.parse(permissions),
      startsOn: new Date(Date.now() - hour / 2),
      expiresOn: new Date(Date.now() + expiresIn),
      protocol: SASProtocol.Https,
    },
    key,
    account,
  ).toString();
}

/** The status of a request for a path below the account. */
function statusOf(pathAndQuery: string, method = 'GET'): Promise<number> {
  const headers = method === 'PUT' ? { 'x-ms-blob-type': 'BlockBlob', 'content-length': '0' } : {};
  return new Promise((resolve, reject) => {
    request(`${azurite.urls.blob}/${account}/${pathAndQuery}`, { method, headers, ca: azurite.ca }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .once('error', reject)
      .end();
  });
}
const list = (query: string): string => `imagery?restype=container&comp=list&${query}`;

describe('a directory SAS', () => {
  test.each([
    { why: 'lists its directory', path: list('prefix=alice/ts/') },
    { why: 'lists level by level', path: list('prefix=alice/ts/&delimiter=/') },
    { why: 'lists deeper', path: list('prefix=alice/ts/deep/') },
    { why: 'reads its files', path: 'imagery/alice/ts/x.tiff?' },
    { why: 'reads deeper files', path: 'imagery/alice/ts/deep/y.tiff?' },
  ])('$why', async ({ path }) => {
    expect(await statusOf(`${path}&${sasOf()}`)).toBe(200);
  });

  test.each([
    { why: 'another directory', path: list('prefix=bob/ts/') },
    { why: 'the directory above', path: list('prefix=alice/') },
    { why: 'everything', path: list('') },
    { why: 'its directory without the slash, which would show alice/ts2', path: list('prefix=alice/ts') },
    { why: 'a prefix given twice', path: list('prefix=alice/ts/&prefix=bob/ts/') },
    { why: 'a prefix encoded twice', path: list('prefix=alice%252Fts%252F') },
    { why: 'a file of another directory', path: 'imagery/bob/ts/x.tiff?' },
    { why: 'a file of a directory whose name goes on', path: 'imagery/alice/ts2/x.tiff?' },
    { why: 'a way out by dots', path: 'imagery/alice/ts/%2e%2e/%2e%2e/bob/ts/x.tiff?' },
    { why: 'another container', path: 'other/alice/ts/x.tiff?' },
    { why: 'the properties of the container', path: 'imagery?restype=container' },
    { why: 'the list of containers', path: '?comp=list' },
  ])('does not show $why', async ({ path }) => {
    expect(await statusOf(`${path}&${sasOf()}`)).toBe(403);
  });

  test.each(['PUT', 'DELETE'])('does not allow %s', async (method) => {
    expect(await statusOf(`imagery/alice/ts/x.tiff?${sasOf()}`, method)).toBe(403);
  });

  test('that only lists does not read', async () => {
    expect(await statusOf(`imagery/alice/ts/x.tiff?${sasOf({ permissions: 'l' })}`)).toBe(403);
  });

  test.each([
    { why: 'a smaller depth', change: ['sdd=2', 'sdd=1'] },
    { why: 'no depth', change: ['sdd=2', 'sdd=0'] },
    { why: 'a depth that is no number', change: ['sdd=2', 'sdd=x'] },
    { why: 'the whole container', change: ['sr=d', 'sr=c'] },
    { why: 'more permissions', change: ['sp=rl', 'sp=rwl'] },
    { why: 'no signature', change: ['sig=', 'x='] },
  ] as const)('changed to $why is refused', async ({ change: [from, to] }) => {
    const sas = sasOf();
    expect(sas).toContain(from);
    expect(await statusOf(`imagery/alice/ts/x.tiff?${sas.replace(from, to)}`)).toBe(403);
  });

  test('that has expired is refused', async () => {
    expect(await statusOf(`imagery/alice/ts/x.tiff?${sasOf({ expiresIn: -60_000 })}`)).toBe(403);
  });

  test.each(['2020-02-10', '2020-12-06', '2022-11-02', '2025-07-05'])('of service version %s fits', async (version) => {
    expect(await statusOf(`imagery/alice/ts/x.tiff?${sasOf({ version })}`)).toBe(200);
  });
});

describe('the storage of the local environment', () => {
  test('takes a bearer token of the storage resource and no other', async () => {
    const names = async (claims?: object): Promise<number> => {
      const containers = await withToken(claims).listContainers().byPage().next();
      return (containers.value as { containerItems: unknown[] }).containerItems.length;
    };
    expect(await names()).toBe(2);
    await expect(names({ aud: 'https://vault.azure.net' })).rejects.toMatchObject({ statusCode: 403 });
  });

  test('holds the tables, queues and containers the service names, and nothing else', async () => {
    const tables = TableServiceClient.fromConnectionString(azurite.connectionString('fielddata'), trusting(azurite.ca));
    const found = { tables: [] as string[], queues: [] as string[], containers: [] as string[] };
    for await (const table of tables.listTables()) found.tables.push(table.name ?? '');
    for await (const queue of azurite.queues().listQueues()) found.queues.push(queue.name);
    for await (const container of azurite.blobs().listContainers()) found.containers.push(container.name);
    expect(found).toEqual({
      tables: tableNames.toSorted(),
      queues: queueNames.flatMap((name) => [name, poisonQueueOf(name)]).toSorted(),
      containers: dataContainerNames.toSorted(),
    });
  });

  test('refuses a filter for which the platform reads a whole partition, and no text that holds the word', async () => {
    const connection = azurite.connectionString('fielddata');
    const table = TableClient.fromConnectionString(connection, tableNames[0], trusting(azurite.ca));
    const rowsOf = async (filter: string): Promise<number> => {
      let count = 0;
      for await (const _ of table.listEntities({ queryOptions: { filter } })) count += 1;
      return count;
    };
    await table.createEntity({ partitionKey: 'p', rowKey: "x' or 'y" });
    await expect(rowsOf("PartitionKey eq 'p' and (RowKey eq 'x' or RowKey eq 'y')")).rejects.toThrow(
      /reads the whole partition/,
    );
    await expect(rowsOf("PartitionKey eq 'p' and RowKey eq 'x'' or ''y'")).resolves.toBe(1);
  });
});
