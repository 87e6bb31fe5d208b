import { randomUUID } from 'node:crypto';
import { systemClock } from '../../shared/kit/clock.js';
import { randomId } from '../../shared/kit/ids.js';
import { importTenants, switchTenant } from '../../shared/access/tenants/manageTenants.js';
import { TenantStore } from '../../shared/access/tenants/tenantStore.js';
import { call, tokenOf, type CallOptions, type Reply } from './service.js';
import { rowsOf } from './storage.js';

const operator = () => ({
  tenants: new TenantStore(rowsOf('tenants'), randomId),
  hasJobs: () => Promise.resolve(true),
  hasFarmData: () => Promise.resolve(true),
  clock: systemClock,
  by: 'tests',
});

/** A tenant that nobody has seen before; it is served when this returns. */
export async function newTenant(): Promise<string> {
  const [tid = ''] = await newTenants(1);
  return tid;
}

/** Several of them, added at once: the register takes one change at a time. */
export async function newTenants(count: number): Promise<readonly string[]> {
  const tids = Array.from({ length: count }, () => randomUUID());
  await importTenants(operator())(JSON.stringify(Object.fromEntries(tids.map((tid) => [tid, {}]))));
  const isRefused = async (tid: string) => (await call('/v1/jobs', { token: tokenOf(tid) })).status === 401;
  for (const tid of tids) {
    // An instance knows the register of some seconds ago.
    while (await isRefused(tid)) await new Promise((done) => setTimeout(done, 250));
  }
  return tids;
}

export const disableTenant = (tid: string): Promise<void> => switchTenant(operator(), 'disable')(tid);

export const VERSION = '2023-11-01-preview';

/** A path of farm data with its version, and parameters as they are to be sent. */
export const withVersion = (path: string, query = '', version = VERSION): string =>
  `${path}?api-version=${version}${query === '' ? '' : `&${query}`}`;

export interface FarmCallOptions extends Omit<CallOptions, 'token'> {
  /** Parameters as they are sent, beside the version. */
  readonly query?: string;
}

/** Calls of a tenant to operations on farm data. */
export function farmOf(tid: string, roles = 'Farm.ReadWrite') {
  const token = tokenOf(tid, '--roles', roles);
  const farm = (method: string, path: string, { query = '', ...options }: FarmCallOptions = {}): Promise<Reply> =>
    call(withVersion(path, query), { method, token, ...options });
  return {
    farm,
    get: (path: string, query = ''): Promise<Reply> => farm('GET', path, { query }),
    patch: (path: string, body: unknown = {}, headers: Readonly<Record<string, string>> = {}): Promise<Reply> =>
      farm('PATCH', path, { body, headers: { 'content-type': 'application/merge-patch+json', ...headers } }),
    remove: (path: string, headers: Readonly<Record<string, string>> = {}): Promise<Reply> =>
      farm('DELETE', path, { headers }),
  };
}

export type FarmCalls = ReturnType<typeof farmOf>;

/** A field of about 70 ha. */
export const square = {
  type: 'Polygon',
  coordinates: [
    [
      [10, 50],
      [10.01, 50],
      [10.01, 50.01],
      [10, 50.01],
      [10, 50],
    ],
  ],
};

/** A page list to its end, by its links; each page is asked for at the address of the service under test. */
export async function pagesOf({ farm }: Pick<FarmCalls, 'farm'>, path: string, query: string): Promise<Reply[]> {
  const pages: Reply[] = [];
  let next: string | undefined = query;
  while (next !== undefined) {
    const page: Reply = await farm('GET', path, { query: next });
    pages.push(page);
    next = linkQuery(page);
  }
  return pages;
}

/** The query of the link to the next page, without the version, which `farm` adds. */
function linkQuery({ json }: Reply): string | undefined {
  const link = json.nextLink as string | undefined;
  if (link === undefined) return undefined;
  const query = new URL(link).searchParams;
  query.delete('api-version');
  return query.toString();
}
