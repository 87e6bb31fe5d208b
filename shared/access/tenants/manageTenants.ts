import type { Clock } from '../../kit/clock.js';
import { isTenantId, tenantOf, TenantFault, type Tenant } from './tenant.js';
import type { TenantRow } from './tenantRegister.js';
import type { TenantChange, TenantStore } from './tenantStore.js';

export interface ManageTenantsPorts {
  readonly tenants: Pick<TenantStore, keyof TenantStore>;
  /** Whether any job of the tenant is kept, open or ended. */
  readonly hasJobs: (tid: string) => Promise<boolean>;
  /** Whether the service keeps parties, farms or fields of the tenant. */
  readonly hasFarmData: (tid: string) => Promise<boolean>;
  readonly clock: Pick<Clock, 'now'>;
  /** Who asks, for the log. */
  readonly by: string;
}

/** A refusal of a command; the text is for the operator. */
export class TenantRefusal extends Error {}

/** Members as the operator gave them; undefined removes a member. */
export type GivenMembers = Readonly<Record<string, unknown>>;

/** Instances follow a change within a minute: after this time none starts a job of a disabled tenant. */
export const REMOVAL_WAIT_MS = 2 * 60_000;

/** The register as it was read, with the ETag that a change of it is conditional on. */
interface Seen {
  readonly etag: string | undefined;
  readonly rows: ReadonlyMap<string, TenantRow>;
}

/** @throws TenantRefusal when it exists, the id is none, or a member is wrong */
export const addTenant =
  (ports: ManageTenantsPorts) =>
  async (tid: string, given: GivenMembers): Promise<Tenant> => {
    const seen = await look(ports);
    if (seen.rows.has(tid)) throw new TenantRefusal(`The tenant ${tid} exists already; set changes it.`);
    const row = changedRow(seen, tid, given);
    await write(ports, seen, [changeOf(ports, 'add', { before: undefined, after: row })]);
    return tenantOf(JSON.parse(row.settings));
  };

/** Changes what is given and leaves the rest; it mends a row that can't be used. @throws TenantRefusal */
export const setTenant =
  (ports: ManageTenantsPorts) =>
  async (tid: string, given: GivenMembers): Promise<Tenant> => {
    const seen = await look(ports);
    const before = known(seen, tid);
    const after = changedRow(seen, tid, given);
    await write(ports, seen, [changeOf(ports, 'set', { before, after })]);
    return tenantOf(JSON.parse(after.settings));
  };

/** Refuses a tenant's tokens within a minute, or takes them again; its open jobs wait and then fail. @throws TenantRefusal */
export const switchTenant =
  (ports: ManageTenantsPorts, action: 'disable' | 'enable') =>
  async (tid: string): Promise<void> => {
    const seen = await look(ports);
    const before = known(seen, tid);
    if ((before.disabledAt !== undefined) === (action === 'disable')) {
      throw new TenantRefusal(`The tenant ${tid} is ${action}d already.`);
    }
    const { settings } = before;
    const after = action === 'enable' ? { tid, settings } : { tid, settings, disabledAt: ports.clock.now().getTime() };
    await write(ports, seen, [changeOf(ports, action, { before, after })]);
  };

/** Forgets a tenant. @throws TenantRefusal while it is enabled, may still be known somewhere, or has jobs or farm data */
export const removeTenant =
  (ports: ManageTenantsPorts) =>
  async (tid: string): Promise<void> => {
    const seen = await look(ports);
    const before = known(seen, tid);
    refuseUnlessSilent(ports, before);
    if (await ports.hasJobs(tid)) {
      throw new TenantRefusal(
        `The tenant ${tid} has jobs. They are deleted JOB_RETENTION_DAYS after their end; remove it then, or purge it.`,
      );
    }
    if (await ports.hasFarmData(tid)) {
      throw new TenantRefusal(`The tenant ${tid} has parties, farms or fields. Purge it first.`);
    }
    await write(ports, seen, [changeOf(ports, 'remove', { before, after: undefined })]);
  };

/**
 * Makes sure that nobody writes for a tenant: it is disabled, and every instance knows. One that is not in the register is
 * silent.
 *
 * @throws TenantRefusal
 */
export const requireSilence =
  (ports: { readonly tenants: Pick<TenantStore, 'list'>; readonly clock: Pick<Clock, 'now'> }) =>
  async (tid: string): Promise<void> => {
    const row = (await ports.tenants.list()).find((each) => each.tid === tid);
    if (row !== undefined) refuseUnlessSilent(ports, row);
  };

function refuseUnlessSilent({ clock }: Pick<ManageTenantsPorts, 'clock'>, { tid, disabledAt }: TenantRow): void {
  if (disabledAt === undefined) throw new TenantRefusal(`The tenant ${tid} is enabled; disable it first.`);
  const waitMs = disabledAt + REMOVAL_WAIT_MS - clock.now().getTime();
  if (waitMs <= 0) return;
  throw new TenantRefusal(`The tenant ${tid} may still be known to an instance; wait ${Math.ceil(waitMs / 1000)} s.`);
}

/** Result of an import, by tenant id. */
export interface Imported {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly unchanged: readonly string[];
}

/**
 * Adds the tenants of TENANTS, and sets what it names of those that exist: repeating it changes nothing. Who
 * is disabled stays so, who isn't named stays as it is.
 *
 * @param text JSON by tenant id
 * @throws TenantRefusal, and nothing is imported, when one of them can't be
 */
export const importTenants =
  (ports: ManageTenantsPorts) =>
  async (text: string): Promise<Imported> => {
    const wanted = Object.entries(givenByTenant(text));
    let seen = await look(ports);
    const rows = wanted.map(([tid, given]) => changedRow(seen, tid, given));
    const isNew = (row: TenantRow): boolean => !seen.rows.has(row.tid);
    const added = rows.filter(isNew);
    const changed = rows.filter((row) => !isNew(row) && seen.rows.get(row.tid)?.settings !== row.settings);
    const touched = new Set([...added, ...changed]);
    const changes = [...touched].map((after) => changeOf(ports, 'import', { before: seen.rows.get(after.tid), after }));
    for (let at = 0; at < changes.length; at += ports.tenants.mostChanges) {
      if (at > 0) seen = await look(ports);
      await write(ports, seen, changes.slice(at, at + ports.tenants.mostChanges));
    }
    const tids = (list: readonly TenantRow[]): string[] => list.map(({ tid }) => tid);
    return { added: tids(added), changed: tids(changed), unchanged: tids(rows.filter((row) => !touched.has(row))) };
  };

function givenByTenant(text: string): Readonly<Record<string, GivenMembers>> {
  const refusal = 'TENANTS must be a JSON object: tenant id → { keyVaultUrl, … }.';
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (cause) {
    throw new TenantRefusal(refusal, { cause });
  }
  if (isObject(parsed) && Object.values(parsed).every(isObject)) return parsed as Record<string, GivenMembers>;
  throw new TenantRefusal(refusal);
}

const isObject = (value: unknown): value is GivenMembers =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

async function look({ tenants }: ManageTenantsPorts): Promise<Seen> {
  // The ETag first: a change between the two readings then makes ours fail.
  const etag = await tenants.guardEtag();
  return { etag, rows: new Map((await tenants.list()).map((row) => [row.tid, row])) };
}

function known({ rows }: Seen, tid: string): TenantRow {
  const row = rows.get(tid);
  if (row === undefined) throw new TenantRefusal(`There is no tenant ${tid}; list shows them.`);
  return row;
}

/** The row of a tenant with the given members changed. @throws TenantRefusal */
function changedRow({ rows }: Seen, tid: string, given: GivenMembers): TenantRow {
  if (!isTenantId(tid)) {
    throw new TenantRefusal(`${tid} is no tenant id: it is the UUID of an Entra tenant, in lower case.`);
  }
  const before = rows.get(tid);
  const members = Object.entries({ ...membersIn(before), ...given }).filter(([, value]) => value !== undefined);
  try {
    const settings = JSON.stringify(tenantOf(Object.fromEntries(members)));
    return { ...(before ?? { tid }), settings };
  } catch (cause) {
    if (!(cause instanceof TenantFault)) throw cause;
    throw new TenantRefusal(`The tenant ${tid} can't be so. ${cause.message}`, { cause });
  }
}

/** The members in a row; none when it is no JSON. */
function membersIn(row: TenantRow | undefined): GivenMembers {
  try {
    const parsed: unknown = JSON.parse(row?.settings ?? '{}');
    return isObject(parsed) ? parsed : {};
  } catch {
    return {};
  }
}

function changeOf(
  { clock, by }: ManageTenantsPorts,
  action: string,
  { before, after }: Pick<TenantChange, 'before' | 'after'>,
): TenantChange {
  return { tid: after?.tid ?? before?.tid ?? '', action, by, at: clock.now().getTime(), before, after };
}

async function write(ports: ManageTenantsPorts, seen: Seen, changes: readonly TenantChange[]): Promise<void> {
  if (await ports.tenants.change(seen.etag, changes)) return;
  throw new TenantRefusal('Somebody else has changed the register meanwhile; look at it and repeat the command.');
}
