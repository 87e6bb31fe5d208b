import { parseArgs } from 'node:util';
import { CustomerRefusal } from '../../../shared/access/customers/manageCustomers.js';
import { remakeImagery, type Remake } from '../../../shared/imagery/discovery/remakeImagery.js';
import { isDay } from '../../../shared/kit/validation/calendar.js';
import type { OperatorServices } from './operatorServices.js';

export const usage = `npm run imagery -- remake <customer> [--field <field_id>] [--from <day>] [--to <day>]
  compares files with the record and makes again what is gone; days are written YYYY-MM-DD
Local by default (LOCAL_DIR); set DATA_STORAGE__*, IMAGERY_STORAGE__blobServiceUri and API_KEY_PEPPERS for Azure.`;

/**
 * Runs one command of an operator. @returns what to print
 *
 * @throws CustomerRefusal with a text for the operator
 */
export async function runImageryCommand(argv: readonly string[], open: () => OperatorServices): Promise<unknown> {
  const { customer, remake } = readArguments(argv);
  const services = open();
  if ((await services.customers.find(customer)) === undefined) {
    throw new CustomerRefusal(`There is no customer ${customer}.`);
  }
  const searches = await remakeImagery(services)(customer, remake);
  if (searches === 0) throw new CustomerRefusal('No enrollment of the customer has such a field on such days.');
  return {
    customer,
    ...remake,
    searches,
    next: 'The service begins within three minutes; index.json shows what comes of it.',
  };
}

function readArguments(argv: readonly string[]): { readonly customer: string; readonly remake: Remake } {
  const options = { field: { type: 'string' }, from: { type: 'string' }, to: { type: 'string' } } as const;
  try {
    const { values, positionals } = parseArgs({ args: [...argv], options, allowPositionals: true });
    const [command, customer] = positionals;
    if (command !== 'remake' || customer === undefined || positionals.length > 2) throw new Error(usage);
    return { customer, remake: remakeOf(values) };
  } catch (cause) {
    const text = cause instanceof Error ? cause.message : '';
    throw new CustomerRefusal(text.includes(usage) ? usage : `${text}\n${usage}`, { cause });
  }
}

function remakeOf({ field, from, to }: Readonly<Partial<Record<'field' | 'from' | 'to', string>>>): Remake {
  return {
    ...(field === undefined ? {} : { fieldId: field }),
    ...(from === undefined ? {} : { from: dayIn(from) }),
    ...(to === undefined ? {} : { to: dayIn(to) }),
  };
}

function dayIn(text: string): string {
  const isGood: boolean = isDay(text);
  if (!isGood) throw new Error(`${text} is no day.`);
  return text;
}
