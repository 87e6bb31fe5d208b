/** What the service tells its operators: one structured line per request and per attempt, nothing secret in it. */
import { hash } from 'node:crypto';
import { lineSampler } from './lineSampling.js';
import { measureEvent } from './metrics.js';

export type Facts = Readonly<Record<string, unknown>>;

/** Writes one line. @param event a constant name such as `Job:Succeeded` */
export type Log = (event: string, facts: Facts) => void;

/** Property names whose values never reach a line, whoever puts them there. */
const SECRET_NAME = /authorization|api-?key|cookie|sas|^sig$|secret|token|password|pepper/i;
/** Values that look like a secret: a JWT, the signature of a SAS, an access key of ours. */
const SECRET_VALUE =
  /eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*\.?[A-Za-z0-9_-]*|sig=[^&\s"]+|\b[a-z]{2,10}_[A-Za-z0-9]{12}_[A-Za-z0-9]{20,}/g;
const MAX_TEXT = 2000;

/** The facts with every secret replaced, by name and by pattern. */
export function redacted(value: unknown, name = ''): unknown {
  if (SECRET_NAME.test(name)) return '[redacted]';
  if (typeof value === 'string') return value.replaceAll(SECRET_VALUE, '[redacted]').slice(0, MAX_TEXT);
  if (Array.isArray(value)) return value.map((item) => redacted(item));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redacted(item, key)]));
  }
  return value;
}

/**
 * A short fingerprint that stands for a caller in a log line, telling nobody who. It is the same for the same caller: the
 * prefix of an owner of events (`t_`, `c_`), which no id has, doesn't count.
 */
export function fingerprint(caller: string): string {
  return hash('sha256', caller.replace(/^[tc]_/, '')).slice(0, 12);
}

/** An error and its causes as one text, for the log alone. */
export function errorText(error: unknown): string | undefined {
  if (error === undefined) return undefined;
  const texts: string[] = [];
  for (let current: unknown = error; current !== undefined && texts.length < 5;) {
    texts.push(current instanceof Error ? (current.stack ?? current.message) : 'not an Error');
    current = current instanceof Error ? current.cause : undefined;
  }
  return texts.join(' ← ');
}

/** One for the process: the lines of all invocations count together. */
const sampleLine = lineSampler(() => performance.now());

/**
 * A log that writes JSON lines through the given sink; tenants, customers and owners of work appear as fingerprints. A line
 * that stands for others of its kind says for how many.
 */
export const jsonLog =
  (write: (line: string) => void): Log =>
  (event, facts) => {
    measureEvent(event, facts);
    const standsFor = sampleLine(event, facts);
    if (standsFor === 0) return;
    const { tenant, customer, owner, ...rest } = facts;
    const callers = {
      ...(typeof tenant === 'string' ? { tenant: fingerprint(tenant) } : {}),
      ...(typeof customer === 'string' ? { customer: fingerprint(customer) } : {}),
      ...(typeof owner === 'string' ? { owner: fingerprint(owner) } : {}),
    };
    const weight = standsFor === 1 ? {} : { standsFor };
    write(JSON.stringify({ event, ...callers, ...(redacted(rest) as Facts), ...weight }));
  };
