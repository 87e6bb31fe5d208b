import { parseArgs } from 'node:util';
import type { Customer } from '../../../shared/access/customers/customer.js';
import { customerView } from '../../../shared/access/customers/customerView.js';
import {
  changeFieldLimit,
  createCustomer,
  CustomerRefusal,
  revokeKey,
  rotateKeys,
} from '../../../shared/access/customers/manageCustomers.js';
import {
  longestAttemptMs,
  planPurge,
  purgeCustomer,
  untilQuietMs,
} from '../../../shared/access/customers/purgeCustomer.js';
import { enrollmentRecord } from '../../../shared/enrollments/lists/enrollmentView.js';
import { stopEnrollment } from '../../../shared/enrollments/submission/stopEnrollment.js';
import { foldedId } from '../../../shared/kit/ids.js';
import type { OperatorServices } from './operatorServices.js';

export const usage = `npm run customers -- create <customer> [--fields <n>]     a customer with its first key, shown this once
npm run customers -- list [customer]                      customers, their limits and keys
npm run customers -- rotate <customer> [--grace <hours>]  a further key; with --grace the older ones end after that
npm run customers -- revoke <key id>                      ends a key within a minute
npm run customers -- limit <customer> <fields>            most fields in one enrollment
npm run customers -- stop <enrollment id>                 ends the monitoring of an enrollment; its images stay
npm run customers -- export <customer> [-o <folder>]      everything that is stored of a customer, as zip files
npm run customers -- purge <customer> --yes               deletes everything of a customer and uses its id up;
                                                          without --yes says what
Where the storage is closed, --url <service> --reason <text> has the service do it: list <customer>, revoke, purge.
Local by default (LOCAL_DIR); set DATA_STORAGE__*, IMAGERY_STORAGE__blobServiceUri and API_KEY_PEPPERS for Azure,
for a purge BACKUP_STORAGE__blobServiceUri too.`;

const HOUR_MS = 3_600_000;

interface Arguments {
  readonly subject: string;
  readonly value: string | undefined;
  readonly fields?: string | undefined;
  readonly grace?: string | undefined;
  readonly output?: string | undefined;
  readonly yes: boolean;
}

type Command = (services: OperatorServices, given: Arguments) => Promise<unknown>;

const commands: Readonly<Record<string, Command>> = {
  create: (services, { subject, fields }) =>
    createCustomer(services)(subject, fields === undefined ? services.defaultFieldLimit : Number(fields)),
  list: (services, { subject }) => list(services, subject),
  rotate: (services, { subject, grace }) =>
    rotateKeys(services)(subject, grace === undefined ? undefined : hours(grace)),
  revoke: async (services, { subject }) => {
    await revokeKey(services)(subject);
    return { revoked: subject };
  },
  limit: async (services, { subject, value }) => {
    await changeFieldLimit(services)(subject, Number(value));
    return { customer: subject, fieldLimit: Number(value) };
  },
  stop: (services, { subject }) => stop(services, subject),
  export: async (services, { subject, output = `customer-${subject}` }) => {
    const written = await services.exportCustomer(subject, output);
    if (written === undefined) throw new CustomerRefusal(`There is no customer ${subject}.`);
    return { customer: subject, ...written };
  },
  purge: async (services, { subject, yes }) => {
    const plan = await planPurge(services)(subject);
    const seconds = untilQuietMs(services.leaseMs) / 1000;
    const minutes = longestAttemptMs(services.leaseMs) / 60_000;
    const time = `${seconds} s until nobody can still write, and where units that are under way make images of several customers their end, up to ${minutes} minutes for each`;
    const next = `Add --yes to delete it; nothing brings it back, and the id is used up. It takes ${time}.`;
    if (!yes) return { wouldDelete: plan, next };
    services.say(`Deleting everything of ${subject}. It takes ${time}. It can be repeated.`);
    return { deleted: await purgeCustomer(services)(subject) };
  },
};

/**
 * Runs one command of an operator. @returns what to print
 *
 * @throws CustomerRefusal with a text for the operator
 */
export async function runCustomerCommand(argv: readonly string[], open: () => OperatorServices): Promise<unknown> {
  const { command, given } = readArguments(argv);
  if (given.subject === '' && command !== commands['list']) throw new CustomerRefusal(usage);
  return command(open(), given);
}

function readArguments(argv: readonly string[]): { readonly command: Command; readonly given: Arguments } {
  const options = {
    fields: { type: 'string' },
    grace: { type: 'string' },
    output: { type: 'string', short: 'o' },
    yes: { type: 'boolean', default: false },
  } as const;
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true });
    const [name = '', subject = '', value] = positionals;
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (command === undefined || positionals.length > 3) throw new Error(usage);
    return { command, given: { subject, value, ...values } };
  } catch (cause) {
    const text = cause instanceof Error ? cause.message : '';
    throw new CustomerRefusal(text.includes(usage) ? usage : `${text}\n${usage}`, { cause });
  }
}

function hours(text: string): number {
  const count = Number(text);
  if (!(count >= 0 && count <= 24 * 365)) throw new CustomerRefusal('--grace takes hours, from 0 to a year.');
  return count * HOUR_MS;
}

async function list({ customers, clock }: OperatorServices, subject: string): Promise<unknown> {
  const all = subject === '' ? await customers.list() : [await customers.find(subject)];
  const found = all.filter((customer): customer is Customer => customer !== undefined);
  if (subject !== '' && found.length === 0) throw new CustomerRefusal(`There is no customer ${subject}.`);
  return Promise.all(found.map((customer) => customerView({ customers, clock }, customer)));
}

/** An enrollment id doesn't say whose it is, so each customer is asked. */
async function stop(services: OperatorServices, enrollmentId: string): Promise<unknown> {
  for (const { customer } of await services.customers.list()) {
    const stopped = await stopEnrollment(services)({ customer, enrollmentId: foldedId(enrollmentId) });
    if (stopped !== undefined) return { customer, ...enrollmentRecord(stopped) };
  }
  throw new CustomerRefusal(`No customer has an enrollment ${enrollmentId}.`);
}
