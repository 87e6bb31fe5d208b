/** Commands that take longer than a request: each is work, done step by step. */
import { askedBackupNameAt } from '../backup/backupArchive.js';
import { planPurge, purgeCustomer } from '../../access/customers/purgeCustomer.js';
import { workOfErasure } from '../../farm/erase/erasure.js';
import { startErasure } from '../../farm/erase/startErasure.js';
import type { JsonObject } from '../../kit/json/json.js';
import { REMOVAL_WAIT_MS } from '../../access/tenants/manageTenants.js';
import { dutyWorkOf } from '../../work/upkeep/duty.js';
import type { CommandTarget } from './commandBody.js';
import { commandRefused, unknownTarget } from './commandRefusal.js';
import type { OperatePorts } from './operatePorts.js';
import { tenantsHold } from './quickCommands.js';

/** What came of one step: everything is done, or the next one begins at an instant. */
export type StepEnd =
  | { readonly isDone: true; readonly result: unknown }
  | { readonly isDone: false; readonly until: number; readonly state: JsonObject };

export interface LongCommand<Ports = OperatePorts> {
  /** What it is about as it is now; changes nothing. @throws ServiceError when it would be refused */
  readonly look: (ports: Ports, target: CommandTarget) => Promise<unknown>;
  /** What a dry run shows in place of that, where it takes too long for every command. */
  readonly preview?: (ports: Ports, target: CommandTarget) => Promise<unknown>;
  /** One step; it may run twice. @param state what the step before has left; undefined for the first */
  readonly step: (ports: Ports, target: CommandTarget, state: JsonObject | undefined) => Promise<StepEnd>;
}

const LOOK_AGAIN_MS = 10_000;
/** A duty ends after 25 minutes. */
const LONGEST_RUN_MS = 40 * 60_000;

const nowOf = ({ clock }: OperatePorts): number => clock.now().getTime();
const waitUntil = (until: number, state: JsonObject): StepEnd => ({ isDone: false, until, state });
const isDoneWith = (result: unknown): StepEnd => ({ isDone: true, result });

export const customersPurge: LongCommand = {
  // The work finds out whether something is left of an unknown one: counting all images takes minutes.
  look: async ({ customers }, { customer }) => {
    const purgedAt = await customers.findTombstone(customer);
    const isKnown = purgedAt !== undefined || (await customers.find(customer)) !== undefined;
    if (!isKnown) throw unknownTarget(`There is no customer ${customer}.`);
    return { customer };
  },
  preview: async (ports, { customer }) => ({ customer, wouldDelete: await planPurge(ports.purge())(customer) }),
  step: async (ports, { customer }) =>
    isDoneWith({ purged: customer, deleted: await purgeCustomer(ports.purge())(customer) }),
};

const lookAgain = (ports: OperatePorts): StepEnd => waitUntil(nowOf(ports) + LOOK_AGAIN_MS, { isErasing: true });

/**
 * Deletes everything of a tenant. It is held first, and the erasure begins when every instance knows; whoever releases the
 * tenant until then calls the purge off. The hold and the row of the register stay: an operator's program takes the row away.
 */
export const tenantsPurge: LongCommand = {
  look: tenantsHold.look,
  step: async (ports, { tenant }, state) => {
    if (state?.['isHeld'] === true && (await ports.holds.find(tenant)) === undefined) {
      throw commandRefused(`The tenant ${tenant} was released meanwhile: nothing is purged.`);
    }
    const { since } = await ports.holds.hold(tenant, nowOf(ports));
    const silentAt = since + REMOVAL_WAIT_MS;
    if (nowOf(ports) < silentAt) return waitUntil(silentAt, { isHeld: true });
    if (state?.['isErasing'] === true) return lookAtErasure(ports, tenant);
    await startErasure(ports)({ tenant });
    return lookAgain(ports);
  },
};

async function lookAtErasure(ports: OperatePorts, tenant: string): Promise<StepEnd> {
  const erasure = (await ports.erasures.find(workOfErasure({ tenant })))?.value;
  // Its row goes a month after its end: nothing is left then, either.
  if (erasure === undefined) return isDoneWith({ purged: tenant });
  if (erasure.endedAt === undefined) return lookAgain(ports);
  if (erasure.status === 'Succeeded') return isDoneWith({ purged: tenant, deleted: erasure.counts, isHeld: true });
  throw new Error('The erasure was given up; the line Farm:NotErased says why.');
}

/** An export of its own name: none is ever written over. */
export const backupNow: LongCommand = {
  look: () => Promise.resolve({ wouldExport: 'every table that is kept' }),
  step: async ({ backUp, clock }) => {
    const name = askedBackupNameAt(clock.now());
    return isDoneWith({ name, rows: await backUp(name) });
  },
};

/** Has a duty done now, by the work that it is: where that has got lost it is there again. */
export const workRun: LongCommand = {
  look: ({ duties }, { duty }) => {
    if (duties.includes(duty)) return Promise.resolve({ duty });
    throw unknownTarget(`There is no duty ${duty}. The duties are ${duties.join(', ')}.`);
  },
  step: async (ports, { duty }, state) => {
    const askedAt = state?.['askedAt'];
    if (typeof askedAt === 'number') return lookAtDuty(ports, duty, askedAt);
    const at = nowOf(ports);
    await ports.work.ask(dutyWorkOf({ name: duty }));
    return waitUntil(at + LOOK_AGAIN_MS, { askedAt: at });
  },
};

async function lookAtDuty(ports: OperatePorts, duty: string, askedAt: number): Promise<StepEnd> {
  const item = (await ports.store.find(dutyWorkOf({ name: duty })))?.item;
  const doneAt = item?.place?.state?.['doneAt'];
  if (typeof doneAt === 'string' && Date.parse(doneAt) >= askedAt) return isDoneWith({ duty, doneAt });
  if (nowOf(ports) < askedAt + LONGEST_RUN_MS) return waitUntil(nowOf(ports) + LOOK_AGAIN_MS, { askedAt });
  throw new Error(`The duty was not done within 40 minutes. ${item?.failure ?? 'Its latest attempt has not ended.'}`);
}
