import { CustomerRefusal } from '../../access/customers/manageCustomers.js';
import { operateFaults } from '../../kit/errors/catalogue.js';
import { ServiceError } from '../../kit/errors/serviceError.js';
import { RedriveRefusal } from '../../jobs/operations/redriveJob.js';
import { TenantRefusal } from '../../access/tenants/manageTenants.js';
import { WebhookRefusal } from '../../notices/managing/operateWebhooks.js';

/** What a command names isn't there. */
export const unknownTarget = (text: string): ServiceError => new ServiceError(operateFaults.unknownTarget, text);

/** A command can't be carried out as things are; the text says what to do instead. */
export const commandRefused = (text: string, options?: ErrorOptions): ServiceError =>
  new ServiceError(operateFaults.refused, text, options);

const refusals = [CustomerRefusal, RedriveRefusal, TenantRefusal, WebhookRefusal] as const;

/** The error of a command as its caller sees it: refusals of the use cases have texts for operators. */
export function asCommandError(error: unknown): unknown {
  const known = refusals.some((refusal) => error instanceof refusal);
  return known ? commandRefused((error as Error).message, { cause: error }) : error;
}

/** Whether a command was refused: it would be refused again. */
export const isRefused = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.fault.status < 500;
