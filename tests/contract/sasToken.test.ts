import { beforeAll, describe, expect, test } from '@jest/globals';
import { BlobServiceClient, type BlockBlobClient, type ContainerClient } from '@azure/storage-blob';
import fc from 'fast-check';
import { ManagedIdentityCredential } from '@azure/identity';
import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { fieldIdFault } from '../../shared/enrollments/upload/fieldId.js';
import { callWithKey, newCustomer } from './enrollmentCalls.js';
import { service } from './service.js';
import { settings } from './storage.js';

const ca = readFileSync(service.caFile, 'utf8');

interface Customer {
  readonly customer: string;
  readonly apiKey: string;
  readonly sas: string;
}

interface StorageReply {
  readonly status: number;
  readonly text: string;
}

/** One raw request to the imagery account: the path and query go out exactly as written. */
const storage = (path: string, query: string, method = 'GET'): Promise<StorageReply> =>
  new Promise((resolve, reject) => {
    const { hostname, port, pathname } = new URL(service.blobEndpoint);
    const headers = method === 'PUT' ? { 'x-ms-blob-type': 'BlockBlob', 'content-length': '1' } : {};
    const call = request({ hostname, port, path: `${pathname}${path}?${query}`, method, ca, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      answer.on('end', () => {
        resolve({ status: answer.statusCode ?? 0, text });
      });
    });
    call.on('error', reject);
    call.end(method === 'PUT' ? 'x' : undefined);
  });

let alice: Customer;
let alice2: Customer;
let container: ContainerClient;

const access = async ({ apiKey }: { readonly apiKey: string }): Promise<Record<string, string>> =>
  (await callWithKey('/v1/auth/sas-token', apiKey)).json as Record<string, string>;

const blobOf = ({ customer }: Pick<Customer, 'customer'>, name = 'north/2026-05-01/ndvi.tiff'): string =>
  `${customer}/field-imagery/sentinel-2/${name}`;
const encoded = (blob: string): string => blob.split('/').map(encodeURIComponent).join('/');

beforeAll(async () => {
  process.env['IDENTITY_ENDPOINT'] = settings['IDENTITY_ENDPOINT'];
  process.env['IDENTITY_HEADER'] = settings['IDENTITY_HEADER'];
  // The client of this process is given the certificate; the identity stand-in speaks plain HTTP.
  const options = { retryOptions: { maxTries: 3 }, tlsOptions: { ca } };
  const blobs = new BlobServiceClient(service.blobEndpoint, new ManagedIdentityCredential(), options);
  container = blobs.getContainerClient('imagery');
  const withAccess = async (): Promise<Customer> => {
    const customer = await newCustomer();
    return { ...customer, sas: (await access(customer))['sas_token'] ?? '' };
  };
  [alice, alice2] = await Promise.all([withAccess(), withAccess()]);
  await Promise.all([alice, alice2].map((one) => upload(container.getBlockBlobClient(blobOf(one)))));
});

const upload = (blob: BlockBlobClient): Promise<unknown> => blob.upload('x', 1);
const list = (prefix: string, sas: string, more = ''): Promise<StorageReply> =>
  storage('/imagery', `restype=container&comp=list&prefix=${encodeURIComponent(prefix)}${more}&${sas}`);

describe('storage access', () => {
  test('names account, container and path, and is not to be cached', async () => {
    const reply = await callWithKey('/v1/auth/sas-token', alice.apiKey);
    expect(reply.status).toBe(200);
    expect(reply.headers.get('cache-control')).toBe('no-store');
    expect(reply.json).toEqual({
      account_name: 'fieldimagery',
      file_system: 'imagery',
      sas_token: expect.any(String),
      path: `${alice.customer}/field-imagery`,
    });
    const fields = Object.fromEntries(new URLSearchParams(reply.json.sas_token as string));
    expect(fields).toMatchObject({ sr: 'd', sdd: '2', sp: 'rl', spr: 'https', sks: 'b' });
    const hours = (Date.parse(fields['se'] ?? '') - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(7.9);
    expect(hours).toBeLessThanOrEqual(8.01);
  });

  test('lists and reads what is its own', async () => {
    const listed = await list(`${alice.customer}/field-imagery/`, alice.sas);
    expect(listed.status).toBe(200);
    expect(listed.text).toContain(`<Name>${blobOf(alice)}</Name>`);
    expect((await storage(`/imagery/${blobOf(alice)}`, alice.sas)).text).toBe('x');
    const deeper = await list(`${alice.customer}/field-imagery/sentinel-2/north/`, alice.sas, '&delimiter=%2F');
    expect(deeper.status).toBe(200);
  });
});

describe('storage access is refused', () => {
  const other = () => alice2.customer;
  const own = () => alice.customer;
  const changed = (name: string, value: string): string => {
    const query = new URLSearchParams(alice.sas);
    query.set(name, value);
    return query.toString();
  };
  const listing = 'restype=container&comp=list';
  test.each<[string, () => Promise<StorageReply>]>([
    ["a list of another customer's", () => list(`${other()}/field-imagery/`, alice.sas)],
    ['a list of the customer above its directory', () => list(`${own()}/`, alice.sas)],
    ['a list without a prefix', () => storage('/imagery', `${listing}&${alice.sas}`)],
    ['a list of the directory without its slash', () => list(`${own()}/field-imagery`, alice.sas)],
    ['a list of a directory whose name begins like its own', () => list(`${own()}/field-imagery2/`, alice.sas)],
    ['a list with the prefix twice', () => list(`${own()}/field-imagery/`, alice.sas, `&prefix=${other()}%2F`)],
    ['a list with the prefix encoded twice', () => list(encodeURIComponent(`${own()}/field-imagery/`), alice.sas)],
    ['a list that climbs out', () => list(`${own()}/field-imagery/../../${other()}/`, alice.sas).then(notTheirs)],
    ["another customer's file", () => storage(`/imagery/${blobOf(alice2)}`, alice.sas)],
    ['another container', () => storage('/other/x', alice.sas)],
    ["the container's properties", () => storage('/imagery', `restype=container&${alice.sas}`)],
    ['the list of containers', () => storage('/', `comp=list&${alice.sas}`)],
    ['a write', () => storage(`/imagery/${blobOf(alice, 'new.tiff')}`, alice.sas, 'PUT')],
    ['an overwrite', () => storage(`/imagery/${blobOf(alice)}`, alice.sas, 'PUT')],
    ['a deletion', () => storage(`/imagery/${blobOf(alice)}`, alice.sas, 'DELETE')],
    ['a depth of 1', () => list(`${own()}/field-imagery/`, changed('sdd', '1'))],
    ['a depth of 0', () => list('', changed('sdd', '0'))],
    ['a SAS made one of the container', () => list(`${own()}/field-imagery/`, changed('sr', 'c'))],
    ['more permissions', () => storage(`/imagery/${blobOf(alice)}`, changed('sp', 'rwl'), 'PUT')],
    ['a longer life', () => list(`${own()}/field-imagery/`, changed('se', '2099-01-01T00:00:00Z'))],
    ['a SAS without its signature', () => list(`${own()}/field-imagery/`, alice.sas.replace(/&sig=[^&]+/, ''))],
    [
      "another customer's directory with the own signature",
      () => storage(`/imagery/${blobOf(alice2)}`, changed('sdd', '3')),
    ],
  ])('for %s', async (_what, attempt) => {
    const reply = await attempt();
    expect(reply.status).toBe(403);
    expect(reply.text).not.toContain(alice2.customer);
  });

  test.each([
    '/imagery/%s/field-imagery/../../',
    '/imagery/%s/field-imagery/%2e%2e/%2e%2e/',
    '/imagery/%s%2ffield-imagery%2f..%2f..%2f',
  ])("for another customer's file by the path %j: at most a name that nobody has", async (path) => {
    const reply = await storage(`${path.replace('%s', own())}${blobOf(alice2)}`, alice.sas);
    expect([403, 404]).toContain(reply.status);
  });

  /** A climb is a literal name to the storage: refused, or a list of nothing. */
  function notTheirs(reply: StorageReply): StorageReply {
    const isEmpty = reply.status === 200 && !reply.text.includes('<Name>');
    return { status: isEmpty ? 403 : reply.status, text: reply.text.replaceAll(/<Prefix>.*<\/Prefix>/g, '') };
  }
});

test('a field id that is accepted is stored and listed under exactly that name', async () => {
  const ids = new Set<string>();
  const unit = fc.oneof(
    {
      weight: 3,
      arbitrary: fc.constantFrom("'", '&', '+', ' ', '.', '~', '$', '=', ';', '@', '!', ',', '(', '[', '^', '`'),
    },
    { weight: 5, arbitrary: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }) },
  );
  const fieldIds = fc.array(unit, { minLength: 1, maxLength: 20 }).map((parts) => parts.join(''));
  const count = 800;
  for (const fieldId of fc.sample(fieldIds, 5 * count)) {
    if (ids.size < count && fieldIdFault(fieldId) === undefined) ids.add(fieldId);
  }
  expect(ids.size).toBe(count);
  const prefix = `${alice.customer}/field-imagery/names/`;
  const waiting = [...ids];
  const worker = async (): Promise<void> => {
    for (let fieldId = waiting.pop(); fieldId !== undefined; fieldId = waiting.pop()) {
      const blob = container.getBlockBlobClient(`${prefix}${fieldId}/x`);
      expect(decodeURIComponent(new URL(blob.url).pathname).endsWith(`/imagery/${prefix}${fieldId}/x`)).toBe(true);
      await upload(blob);
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
  const listed = new Set<string>();
  for await (const { name } of container.listBlobsFlat({ prefix })) listed.add(name);
  expect(listed).toEqual(new Set([...ids].map((fieldId) => `${prefix}${fieldId}/x`)));
  // A customer reads it too, by the name as it is written in a URL.
  for (const fieldId of fc.sample(fc.constantFrom(...ids), 50)) {
    expect((await storage(`/imagery/${encoded(`${prefix}${fieldId}/x`)}`, alice.sas)).text).toBe('x');
  }
});
