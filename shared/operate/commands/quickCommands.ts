/** Commands that are carried out within their request. */
import { customerView } from '../../access/customers/customerView.js';
import { revokeKey } from '../../access/customers/manageCustomers.js';
import { workOfErasure } from '../../farm/erase/erasure.js';
import { heldLaneOf } from '../../work/lanes/lane.js';
import { jobKinds, solutionOf, type JobKey } from '../../jobs/job.js';
import { redriveJob } from '../../jobs/operations/redriveJob.js';
import { shownJob } from '../../jobs/operations/shownJob.js';
import { dropWork, listDeadWork, retryWork, shownWork, type WorkCommandEnd } from '../../work/upkeep/deadWork.js';
import { fingerprint } from '../../kit/telemetry/telemetry.js';
import type { StoredWork } from '../../work/item/workStore.js';
import type { CommandTarget } from './commandBody.js';
import { commandRefused, unknownTarget } from './commandRefusal.js';
import type { OperatePorts } from './operatePorts.js';

/** A command within a request. */
export interface QuickCommand<Ports = OperatePorts> {
  /** What it is about as it is now; changes nothing. @throws ServiceError when it would be refused */
  readonly look: (ports: Ports, target: CommandTarget) => Promise<unknown>;
  /** Does it, after a look; commands that only read have none. @returns what was done */
  readonly run?: (ports: Ports, target: CommandTarget, by: string) => Promise<unknown>;
}

export const keysList: QuickCommand = {
  look: async (ports, { customer }) => {
    const found = await ports.customers.find(customer);
    if (found === undefined) throw unknownTarget(`There is no customer ${customer}.`);
    return customerView(ports, found);
  },
};

export const keysRevoke: QuickCommand = {
  look: async ({ customers }, { keyId }) => {
    const key = await customers.findKey(keyId);
    if (key === undefined) throw unknownTarget(`No key has the id ${keyId}; keys.list shows the ids of a customer.`);
    return { keyId, customer: key.customer };
  },
  run: async (ports, { keyId }) => {
    await revokeKey(ports)(keyId);
    return { revoked: keyId, next: 'It opens nothing after a minute; storage tokens fetched with it last up to 8 h.' };
  },
};

async function requireRegistered({ tenants }: OperatePorts, tenant: string): Promise<void> {
  const isKnown = (await tenants.list()).some(({ tid }) => tid === tenant);
  if (!isKnown) throw unknownTarget(`There is no tenant ${tenant} in the register.`);
}

export const tenantsHold: QuickCommand = {
  look: async (ports, { tenant }) => {
    await requireRegistered(ports, tenant);
    return { tenant, isHeld: (await ports.holds.find(tenant)) !== undefined };
  },
  run: async ({ holds, clock }, { tenant }) => {
    const { since } = await holds.hold(tenant, clock.now().getTime());
    return {
      held: tenant,
      since: new Date(since).toISOString(),
      next: 'Within a minute its tokens are refused, and its jobs and imports wait.',
    };
  },
};

export const tenantsRelease: QuickCommand = {
  look: async ({ holds, erasures }, { tenant }) => {
    if ((await holds.find(tenant)) === undefined) throw unknownTarget(`The tenant ${tenant} is not held.`);
    const erasure = await erasures.find(workOfErasure({ tenant }));
    if (erasure !== undefined && erasure.value.endedAt === undefined) {
      throw commandRefused(`The tenant ${tenant} is being purged; release it when the operation has ended.`);
    }
    return { tenant, isHeld: true };
  },
  run: async ({ holds, lanes, clock }, { tenant }) => {
    await holds.release(tenant, clock.now().getTime());
    await lanes.fill(heldLaneOf(tenant));
    return {
      released: tenant,
      next: 'It is served within a minute, unless the register has it disabled; its work goes on now.',
    };
  },
};

/** Whose fingerprint stands in a log line. */
export const who: QuickCommand = {
  look: async ({ customers, tenants }, { fingerprint: wanted }) => {
    const isMeant = (id: string): boolean => fingerprint(id) === wanted;
    const tids = (await tenants.list()).map(({ tid }) => tid).filter(isMeant);
    const ids = (await customers.list()).map(({ customer }) => customer).filter(isMeant);
    const owners = [...tids.map((tenant) => ({ tenant })), ...ids.map((customer) => ({ customer }))];
    if (owners.length === 0) throw unknownTarget(`No tenant and no customer has the fingerprint ${wanted}.`);
    return { fingerprint: wanted, owners };
  },
};

export const workList: QuickCommand = { look: (ports, { kind }) => listDeadWork(ports, kind) };

async function requireWork({ store }: OperatePorts, { kind, id }: CommandTarget): Promise<StoredWork> {
  const stored = await store.find({ kind, id });
  if (stored === undefined) throw unknownTarget(`There is no open work of the kind ${kind} with this id.`);
  return stored;
}

/** @throws ServiceError when a command on a piece of work has come to nothing */
function requireDone(end: WorkCommandEnd): void {
  if (end === 'gone') throw unknownTarget('The work has ended meanwhile.');
  if (end === 'atWork') throw commandRefused('An attempt is under way; wait for its end, or for the end of its lease.');
  if (end === 'changed') throw commandRefused('The work was changed meanwhile; look at it and repeat the command.');
}

export const workRetry: QuickCommand = {
  look: async (ports, target) => shownWork((await requireWork(ports, target)).item),
  run: async (ports, { kind, id }) => {
    requireDone(await retryWork(ports, { kind, id }));
    return { retried: { kind, id } };
  },
};

export const workDrop: QuickCommand = {
  look: async (ports, target) => {
    const { item } = await requireWork(ports, target);
    if (ports.droppableKinds.includes(item.kind)) return shownWork(item);
    throw commandRefused(
      `Work of the kind ${item.kind} is not dropped, for what waits for it would wait for ever: use work.retry. ` +
        `These kinds come again by themselves and may be dropped: ${ports.droppableKinds.join(', ')}.`,
    );
  },
  run: async (ports, { kind, id }) => {
    requireDone(await dropWork(ports, { kind, id }));
    return { dropped: { kind, id } };
  },
};

function jobKeyOf({ tenant, kind, jobId }: CommandTarget): JobKey {
  const known = jobKinds.find((each) => each === kind);
  if (known === undefined)
    throw unknownTarget(`No jobs are of the kind ${kind}; the kinds are ${jobKinds.join(', ')}.`);
  return { tenant, solution: solutionOf(known), jobId };
}

async function showJob({ jobs }: OperatePorts, target: CommandTarget): Promise<unknown> {
  const key = jobKeyOf(target);
  const stored = await jobs.find(key);
  if (stored === undefined) throw unknownTarget(`The tenant ${key.tenant} has no ${target.kind} job ${key.jobId}.`);
  return shownJob(stored.job, (await jobs.findWork(key))?.item);
}

export const jobsShow: QuickCommand = { look: showJob };

export const jobsRedrive: QuickCommand = {
  look: showJob,
  run: async (ports, target, by) => {
    const { tenant, solution, jobId, status } = await redriveJob(ports, by)(jobKeyOf(target));
    return { redriven: { tenant, solution, jobId }, status };
  },
};

const MINUTE_MS = 60_000;

const drainOf = async ({ drains, clock }: OperatePorts): Promise<unknown> => {
  const drain = await drains.find();
  const isOn = drain !== undefined && drain.until > clock.now().getTime();
  return { isDrained: isOn, ...(isOn ? { until: new Date(drain.until).toISOString() } : {}) };
};

/** A drain that another one lasts longer than stays as it is, with whoever began it. */
export const drainStart: QuickCommand = {
  look: drainOf,
  run: async (ports, { minutes }, by) => {
    const until = ports.clock.now().getTime() + minutes * MINUTE_MS;
    const there = await ports.drains.find();
    if (there === undefined || there.by === by || there.until < until) await ports.drains.start({ until, by });
    return drainOf(ports);
  },
};

export const drainEnd: QuickCommand = {
  look: drainOf,
  run: async (ports) => {
    await ports.drains.end();
    return drainOf(ports);
  },
};
