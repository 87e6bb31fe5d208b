import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { systemClock } from '../../shared/kit/clock.js';
import { settings as productSettings } from '../../shared/wiring/settings/config.js';
import { createCustomer, type IssuedKey } from '../../shared/access/customers/manageCustomers.js';
import { CustomerStore } from '../../shared/access/customers/customerStore.js';
import { aCollection, aFeature, aSubmittedRequest } from '../enrollments/builders.js';
import { multipartBody, multipartType, submissionParts, type WirePart } from '../support/multipart.js';
import { call, service, type CallOptions, type Reply } from './service.js';
import { settings, rowsOf } from './storage.js';

/** A new customer with its first key, made as the command of operators makes it but without starting a program. */
export const newCustomer = (fieldLimit = 250): Promise<IssuedKey> => {
  const peppers = productSettings.API_KEY_PEPPERS.parse(settings['API_KEY_PEPPERS'] ?? '');
  const ports = { customers: new CustomerStore(rowsOf('customers')), peppers, clock: systemClock };
  return createCustomer(ports)(`c-${randomUUID()}`, fieldLimit);
};

/** Runs `npm run customers` on the storage of the service, as on Azure's, and gives what it prints. */
export function customers(...args: readonly string[]): unknown {
  const env = { ...process.env, ...settings, NODE_EXTRA_CA_CERTS: service.caFile };
  return JSON.parse(execFileSync(process.execPath, ['build/local/customers.mjs', ...args], { env, encoding: 'utf8' }));
}

/** A call with a key in place of a token. */
export const callWithKey = (path: string, apiKey: string | null, options: CallOptions = {}): Promise<Reply> =>
  call(path, {
    ...options,
    token: null,
    headers: { ...(apiKey === null ? {} : { 'api-key': apiKey }), ...options.headers },
  });

export interface SubmitOptions {
  readonly apiKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends the parts of a submission. */
export const submitParts = (parts: readonly WirePart[], { apiKey, headers = {} }: SubmitOptions = {}): Promise<Reply> =>
  callWithKey('/v1/enrollments', apiKey ?? service.apiKey, {
    method: 'POST',
    headers: { 'content-type': multipartType(), ...headers },
    body: new Uint8Array(multipartBody(parts)),
  });

/** Submits fields under monitoring. */
export const submit = (
  features: readonly unknown[] = [aFeature({ fieldId: `field-${randomUUID()}` })],
  changes: Record<string, unknown> = {},
  options: SubmitOptions = {},
): Promise<Reply> =>
  submitParts(
    submissionParts(JSON.stringify(aSubmittedRequest(changes)), JSON.stringify(aCollection(features))),
    options,
  );

export const getEnrollment = (enrollmentId: string, apiKey = service.apiKey): Promise<Reply> =>
  callWithKey(`/v1/enrollments/${enrollmentId}`, apiKey);

export const listEnrollments = (query = '', apiKey = service.apiKey): Promise<Reply> =>
  callWithKey(`/v1/enrollments${query}`, apiKey);

/** Waits until ingest has ended. */
export async function untilIngested(enrollmentId: string, apiKey = service.apiKey): Promise<Reply> {
  const deadline = Date.now() + 600_000;
  for (;;) {
    const reply = await getEnrollment(enrollmentId, apiKey);
    if (['completed', 'failed'].includes(reply.json?.status)) return reply;
    if (Date.now() > deadline) throw new Error(`Ingest has not ended in ten minutes: ${reply.text}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
