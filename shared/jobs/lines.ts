import type { Clock } from '../clock.js';
import { errorText, type Log } from '../telemetry/telemetry.js';
import { allowance } from './allowance.js';
import { LOST_MESSAGE_MS, type Job, type JobKey } from './job.js';
import type { JobQueues } from './jobPorts.js';
import { advanced, nameOf, tenantOfWorkLine, workLineOf, type Ticket } from './line.js';
import type { LineStore } from './linePorts.js';
import { paced } from './paced.js';

/** Lines of jobs before places (see line.ts): the one obvious place for who may work now. */
export interface Lines {
  /**
   * The line that a new job stands in; undefined while its tenant creates few, by what this process has seen: such a job
   * costs nothing here and takes no place.
   */
  lineOfNew(key: JobKey): Promise<string | undefined>;
  /** Puts a job into a line and sends its message when it is its turn. */
  wait(line: string, ticket: Ticket): Promise<void>;
  /**
   * Asks for a place for a job whose attempt is running; true when the job has one, now or from before. Without one its
   * ticket stays in the line: the attempt parks the job and says so with `parked`.
   */
  take(line: string, ticket: Ticket): Promise<boolean>;
  /** After a job was parked: it may have got its place, and its message been dropped, while it was not parked yet. */
  parked(line: string, key: JobKey): Promise<void>;
  /** Gives the place of a job that goes on without it to the next in the line. */
  leave(line: string, key: JobKey): Promise<void>;
  /** Takes a job that has ended out of every line it stood in; its places are given to the next very soon. */
  leaveAll(job: Job): Promise<void>;
  /** Gives free places of a line, after the jobs of `gone` have left it and the holders of `checks` were looked at. */
  fill(line: string, change?: LineFilling): Promise<ReadonlySet<string>>;
}

interface LineFilling {
  readonly gone?: ReadonlySet<string>;
  readonly checks?: ReadonlyMap<string, number>;
  /** A job that needs no message when it gets a place. */
  readonly present?: string;
}

export interface LinesPorts {
  readonly lineStore: LineStore;
  readonly jobQueues: JobQueues;
  readonly clock: Clock;
  readonly log: Log;
  /** How many places a line stands before. */
  readonly placesOf: (line: string) => Promise<number>;
}

/** Between two looks of one process at one line: several jobs that end in it share one. */
const PAUSE_MS = 200;
/** The same for jobs that come: they find all places taken, or they would not stand in line. */
const COMERS_PAUSE_MS = 1_000;
/** Others change a line at the same time; whoever loses so often leaves the rest to them and to the sweep. */
const TRIES = 10;
/** Within this span half as many jobs as a tenant may have at work pass without standing in line. */
const FEW_MS = 10_000;
/** Tickets that a look reads where tenants take turns: one page of the table. */
const PAGE_OF_TICKETS = 999;
/** Places given by one look: each is a message, and the transaction takes a hundred rows. */
const MOST_AT_ONCE = 90;

/** The lines as kept in `lineStore`. What is not awaited fails silently but for a line in the log: the sweep makes good. */
export function linesOf(ports: LinesPorts): Lines {
  const { lineStore, jobQueues, clock, log, placesOf } = ports;
  /** Names of jobs that leave at the next look. */
  const leaving = new Map<string, Set<string>>();
  const isFew = allowance(clock, FEW_MS);
  const fill = (line: string, change: LineFilling = {}) => fillLine(ports, line, change);
  const notFilled = (line: string) => (error: unknown) => {
    log('Line:NotFilled', { line, cause: errorText(error) });
  };
  const look = async (line: string): Promise<void> => {
    const gone = leaving.get(line) ?? new Set<string>();
    leaving.delete(line);
    await fill(line, { gone }).catch((error: unknown) => {
      // They leave at the next look, or when the sweep finds that they have ended.
      leaving.set(line, new Set([...gone, ...(leaving.get(line) ?? [])]));
      notFilled(line)(error);
    });
  };
  const lookForLeavers = paced(clock, PAUSE_MS, look);
  const lookForComers = paced(clock, COMERS_PAUSE_MS, look);
  return {
    lineOfNew: async (key) => {
      const line = workLineOf(key);
      return isFew(line, Math.floor((await placesOf(line)) / 2)) ? undefined : line;
    },
    fill,
    leave: async (line, key) => {
      await fill(line, { gone: new Set([nameOf(key)]) }).catch(notFilled(line));
    },
    wait: async (line, ticket) => {
      await lineStore.ask(line, ticket);
      lookForComers(line);
    },
    take: async (line, ticket) => {
      await lineStore.ask(line, ticket);
      return (await fill(line, { present: nameOf(ticket) })).has(nameOf(ticket));
    },
    parked: async (line, key) => {
      const held = await fill(line, { present: nameOf(key) });
      if (held.has(nameOf(key))) await jobQueues[key.solution].enqueue(key, 0);
    },
    leaveAll: async (job) => {
      const { parked, lines = [] } = job;
      for (const line of lines) {
        const ticket = parked?.line === line ? { ...job, askedAt: parked.askedAt } : undefined;
        // Only a look behind the withdrawal can tell whether the ticket was given a place before.
        if (ticket !== undefined) await lineStore.withdraw(line, ticket);
        leaving.set(line, (leaving.get(line) ?? new Set()).add(nameOf(job)));
        lookForLeavers(line);
      }
    },
  };
}

/** @returns the names of those who have a place */
async function fillLine(ports: LinesPorts, line: string, change: LineFilling): Promise<ReadonlySet<string>> {
  const { lineStore, jobQueues, clock, placesOf } = ports;
  const { gone = new Set<string>(), checks, present } = change;
  const places = await placesOf(line);
  // A line of one tenant is served from its front; some of its tickets may be of jobs that have a place already.
  const mostTickets = tenantOfWorkLine(line) === undefined ? PAGE_OF_TICKETS : 2 * places + 10;
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    const reading = await lineStore.read(line, mostTickets);
    const most = Math.min(places, reading.state.holders.length + MOST_AT_ONCE);
    const checkAt = clock.now().getTime() + LOST_MESSAGE_MS;
    const next = advanced(reading.state, reading.tickets, {
      places: most,
      checkAt,
      gone,
      ...(checks === undefined ? {} : { checks }),
    });
    const isSame =
      next.spent.length === 0 && JSON.stringify(next.state.holders) === JSON.stringify(reading.state.holders);
    if (!isSame && !(await lineStore.advance(line, reading, next))) continue;
    for (const ticket of next.promoted) {
      if (nameOf(ticket) !== present) await jobQueues[ticket.solution].enqueue(ticket, 0);
    }
    return new Set(next.state.holders.map(nameOf));
  }
  return new Set();
}
