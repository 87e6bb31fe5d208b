import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { tokenForArguments } from '../../infra/local/standIns/identity/tokenCommand.js';
import { ON_REQUEST } from '../../shared/http/openApi/openApi.js';
import { closedSchema } from '../support/closedSchema.js';

export interface ServiceFile {
  readonly baseUrl: string;
  readonly jwt: string;
  readonly apiKey: string;
  readonly customer: string;
  readonly dataManagerUrl: string;
  readonly partyId: string;
  readonly farmId: string;
  readonly fieldIds: readonly string[];
  readonly pointOnSurface: { readonly longitude: number; readonly latitude: number };
  readonly blobEndpoint: string;
  readonly caFile: string;
}

const file = process.env['SERVICE_FILE'];
if (file === undefined) throw new Error('These tests run in the project `api`, which starts the service.');

/** The running service, as its service.json describes it. */
export const service = JSON.parse(readFileSync(file, 'utf8')) as ServiceFile;

const localDirectory = dirname(file);

/** A token of a tenant, as `npm run token` gives it. */
export const tokenOf = (tenant: string, ...more: readonly string[]): string =>
  tokenForArguments(['--tenant', tenant, ...more], localDirectory, new Date());

export interface CallOptions {
  readonly method?: string;
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON; a string or bytes as they are. */
  readonly body?: unknown;
  /** False for answers that OpenAPI does not describe (unknown routes). */
  readonly documented?: boolean;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into answers of every form
  readonly json: any;
}

/** Ends a call that hangs: longer than any answer takes on a busy machine. */
const ANSWER_LIMIT_MS = 180_000;

/** Calls the service, and proves that the answer is one the OpenAPI document describes. */
export async function call(path: string, options: CallOptions = {}): Promise<Reply> {
  const { method = 'GET', documented = true } = options;
  const response = await fetch(`${service.baseUrl}${path}`, {
    method,
    ...contentOf(options),
    signal: AbortSignal.timeout(ANSWER_LIMIT_MS),
  });
  const text = await response.text();
  const isJson = method !== 'HEAD' && response.headers.get('content-type')?.startsWith('application/json') === true;
  const json: unknown = isJson ? JSON.parse(text) : undefined;
  const reply: Reply = { status: response.status, headers: response.headers, text, json };
  if (documented) await expectDocumented(method, new URL(path, service.baseUrl).pathname, reply);
  return reply;
}

function contentOf({ token = service.jwt, headers = {}, body }: CallOptions): {
  headers: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
} {
  const credential = token === null ? {} : { authorization: `Bearer ${token}` };
  if (body === undefined) return { headers: { ...credential, ...headers } };
  if (body instanceof Uint8Array) return { headers: { ...credential, ...headers }, body: new Uint8Array(body) };
  const type = { 'content-type': 'application/json' };
  return {
    headers: { ...credential, ...type, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
}

type Answers = Readonly<Record<string, { readonly content?: Readonly<Record<string, { readonly schema: object }>> }>>;
interface Operation {
  readonly responses: Answers;
  readonly [ON_REQUEST]?: Answers;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: object;
}

let document: Promise<Document> | undefined;
export const openApi = (): Promise<Document> =>
  (document ??= fetch(`${service.baseUrl}/openapi.json`).then((answer) => answer.json() as Promise<Document>));

const validators = new Map<string, ValidateFunction>();

/** Throws unless the OpenAPI document has this answer to the operation of that path, in this form. */
export async function expectDocumented(method: string, path: string, reply: Reply): Promise<void> {
  const key = `${method} ${path} ${reply.status}`;
  const { template, operation } = await operationOf(method, path);
  const response = { ...operation?.[ON_REQUEST], ...operation?.responses }[String(reply.status)];
  if (response === undefined) throw new Error(`${key} is not in the OpenAPI document: ${reply.text}`);
  if (reply.json === undefined) return;
  const schema = response.content?.['application/json']?.schema;
  if (schema === undefined) throw new Error(`${key}: no schema for JSON.`);
  const validate = await validatorOf(`${method} ${template} ${reply.status}`, schema);
  if (!validate(reply.json))
    throw new Error(`${key} breaks its schema: ${JSON.stringify(validate.errors)}\n${reply.text}`);
}

async function operationOf(
  method: string,
  path: string,
): Promise<{ template: string; operation: Operation | undefined }> {
  const { paths } = await openApi();
  const matches = (candidate: string): boolean => patternOf(candidate).test(path.replaceAll('%3A', ':'));
  // A path that is written out comes before one with a variable there.
  const variables = (candidate: string): number => candidate.split('{').length;
  const [template = ''] = Object.keys(paths)
    .filter(matches)
    .sort((a, b) => variables(a) - variables(b));
  return { template, operation: paths[template]?.[method.toLowerCase()] };
}

async function validatorOf(key: string, schema: object): Promise<ValidateFunction> {
  const known = validators.get(key);
  if (known !== undefined) return known;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  const validate = ajv.compile(closedSchema({ ...schema, components: (await openApi()).components }) as object);
  validators.set(key, validate);
  return validate;
}

function patternOf(template: string): RegExp {
  return new RegExp(`^${template.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{[^}]+\}/g, '[^/]+')}/?$`, 'i');
}

const GDD = '/solutions/partnerAgPowered.gdd';

/** A job id nobody has used. */
export const newJobId = (): string => `job-${randomUUID()}`;

export const gddParameters = (changes: object = {}): Record<string, unknown> => ({
  partyId: service.partyId,
  resourceType: 'Field',
  resourceId: service.fieldIds[0],
  crop: 'CORN',
  gddStartDate: '2024-05-01',
  gddEndDate: '2024-05-31',
  ...changes,
});

export const createGdd = (
  jobId: string,
  parameters: object = gddParameters(),
  options: CallOptions = {},
): Promise<Reply> =>
  call(`${GDD}:create`, {
    method: 'POST',
    body: { requestPath: `/v1/gdd/${jobId}`, partnerRequestBody: parameters },
    ...options,
  });
export const fetchGdd = (jobId: string, options: CallOptions = {}): Promise<Reply> =>
  call(`${GDD}:fetch`, { method: 'POST', body: { requestPath: `/v1/gdd/${jobId}` }, ...options });
export const cancelGdd = (jobId: string, options: CallOptions = {}): Promise<Reply> =>
  call(`${GDD}:cancel`, { method: 'POST', body: { requestPath: `/v1/gdd/${jobId}` }, ...options });

/**
 * Waits until the job has ended. On a busy machine a look may be answered 503: as a caller would, it looks again.
 *
 * @param fetchOnce one look at the job
 */
export async function untilEnded(fetchOnce: () => Promise<Reply>, timeoutMs = 600_000): Promise<Reply> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    const reply = await fetchOnce();
    const isAway = reply.status === 503;
    if (!isAway && !['WAITING', 'RUNNING'].includes(reply.json?.status)) return reply;
    if (Date.now() > deadline) throw new Error(`The job has not ended in ${timeoutMs} ms: ${reply.text}`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}
