import type { JobKey } from './job.js';

/**
 * Who may work now. A line stands before a number of places: the jobs of one kind of a tenant before those that it may
 * have at work, the Smart Boundary jobs of all tenants of a data manager before the ingests that it runs at a time.
 *
 * A job that asks gets a ticket and waits without a message; who gets a place gets its message. Free places go to the
 * tenants in turn, and within a tenant in the order of asking. A place is given back when its job ends, at the latest
 * when the sweep finds that it has ended: the row of the job is the truth.
 */

/** A job's wish for a place. */
export interface Ticket extends JobKey {
  /** Milliseconds since 1970 UTC. */
  readonly askedAt: number;
}

/** A job that has a place. */
export interface Holder extends JobKey {
  /** When the sweep should look whether the job lives: at first when its message would be overdue. */
  readonly checkAt: number;
}

export interface LineState {
  readonly holders: readonly Holder[];
  /** Places given so far. */
  readonly turn: number;
  /** By waiting tenant the turn at which it was served last, or at which it came. */
  readonly turns: Readonly<Record<string, number>>;
}

export const emptyLine: LineState = { holders: [], turn: 0, turns: {} };

/** The line before the jobs of one kind that a tenant may have at work. */
export const workLineOf = ({ tenant, solution }: Pick<JobKey, 'tenant' | 'solution'>): string =>
  `work|${solution}|${tenant}`;

/** The tenant whose jobs stand in a line of `workLineOf`; undefined for any other line. */
export const tenantOfWorkLine = (line: string): string | undefined =>
  line.startsWith('work|') ? line.slice(line.lastIndexOf('|') + 1) : undefined;

/** The line before the ingests of a data manager, whoever its tenants are. @param url any address of it */
export const ingestLineOf = (url: string): string => `ingest|${new URL(url).protocol}${new URL(url).host}`;

/** Names a job within a line. */
export const nameOf = ({ tenant, solution, jobId }: JobKey): string => `${tenant}|${solution}|${jobId}`;

export interface LineChange {
  readonly places: number;
  /** When the sweep should look at who gets a place now. */
  readonly checkAt: number;
  /** Names of jobs that want a place no more. */
  readonly gone: ReadonlySet<string>;
  /** New instants to look at holders, by name. */
  readonly checks?: ReadonlyMap<string, number>;
}

export interface AdvancedLine {
  readonly state: LineState;
  /** Whoever has got a place by this change. */
  readonly promoted: readonly Ticket[];
  /** Tickets that are of no more use: of those promoted, of those gone, second ones of one job. */
  readonly spent: readonly Ticket[];
}

/** The line after those who are gone have left and free places were given. */
export function advanced(before: LineState, tickets: readonly Ticket[], change: LineChange): AdvancedLine {
  const { places, checkAt, gone, checks } = change;
  const holders: Holder[] = before.holders
    .filter((holder) => !gone.has(nameOf(holder)))
    .map((holder) => ({ ...holder, checkAt: checks?.get(nameOf(holder)) ?? holder.checkAt }));
  const { waiting, spent } = sorted(tickets, new Set([...gone, ...holders.map(nameOf)]));
  const turns = new Map([...waiting.keys()].map((tenant) => [tenant, before.turns[tenant] ?? before.turn]));
  const promoted: Ticket[] = [];
  let { turn } = before;
  while (holders.length < places) {
    const tenant = nextTenant(waiting, turns, holders);
    const ticket = tenant === undefined ? undefined : waiting.get(tenant)?.shift();
    if (tenant === undefined || ticket === undefined) break;
    turn += 1;
    turns.set(tenant, turn);
    holders.push({ ...keyOf(ticket), checkAt });
    promoted.push(ticket);
  }
  for (const [tenant, left] of waiting) if (left.length === 0) turns.delete(tenant);
  return { state: { holders, turn, turns: Object.fromEntries(turns) }, promoted, spent: [...spent, ...promoted] };
}

/** The tickets by tenant in the order of asking, one a job, without those of the jobs named by `done`. */
function sorted(tickets: readonly Ticket[], done: ReadonlySet<string>) {
  const seen = new Set(done);
  const waiting = new Map<string, Ticket[]>();
  const spent: Ticket[] = [];
  for (const ticket of [...tickets].sort((a, b) => a.askedAt - b.askedAt)) {
    if (seen.has(nameOf(ticket))) {
      spent.push(ticket);
      continue;
    }
    seen.add(nameOf(ticket));
    const own = waiting.get(ticket.tenant);
    if (own === undefined) waiting.set(ticket.tenant, [ticket]);
    else own.push(ticket);
  }
  return { waiting, spent };
}

/** The tenant that has waited longest for its turn; of several the one with fewer places, then the one that asked first. */
function nextTenant(
  waiting: ReadonlyMap<string, readonly Ticket[]>,
  turns: ReadonlyMap<string, number>,
  holders: readonly Holder[],
): string | undefined {
  const held = (tenant: string): number => holders.filter((holder) => holder.tenant === tenant).length;
  const rank = (tenant: string) => [turns.get(tenant) ?? 0, held(tenant), waiting.get(tenant)?.[0]?.askedAt ?? 0];
  const tenants = [...waiting].filter(([, left]) => left.length > 0).map(([tenant]) => tenant);
  const ranked = tenants.map((tenant) => ({ tenant, rank: rank(tenant) }));
  return ranked.sort((a, b) => compared(a.rank, b.rank))[0]?.tenant;
}

function compared(a: readonly number[], b: readonly number[]): number {
  const index = a.findIndex((value, at) => value !== b[at]);
  return index < 0 ? 0 : (a[index] ?? 0) - (b[index] ?? 0);
}

const keyOf = ({ tenant, solution, jobId }: JobKey): JobKey => ({ tenant, solution, jobId });
