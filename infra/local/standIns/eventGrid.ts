import { bearerToken, type Exchange, isJsonObject, jsonReply, type Reply } from './http/exchange.js';
import { FaultScript } from './http/faultScript.js';
import { startServer } from './http/server.js';

export interface EventGridOptions {
  /** PEM texts of a certificate for 127.0.0.1; without it the stand-in speaks HTTP, which no real topic does. */
  readonly tls?: { readonly key: string; readonly cert: string };
  readonly port?: number;
  /** Judges bearer tokens; left out, any is good. */
  readonly tokenIsValid?: (token: string) => boolean;
}

/** One request that was taken. */
export interface Published {
  readonly apiVersion: string;
  readonly contentType: string;
  /** The scheme of `Authorization`; what stands behind it is not kept. */
  readonly authorization: string;
  readonly events: readonly Readonly<Record<string, unknown>>[];
}

export interface EventGrid {
  readonly url: string;
  /** What NOTICES_TOPIC_URL names. */
  readonly topicUrl: string;
  /** Where what was published is shown. */
  readonly publishedUrl: string;
  /** Refuses, waits or hangs as it is told; a reset forgets what was published, too. */
  readonly script: FaultScript;
  /** What was published, oldest first: 10,000 requests at most. */
  published(): readonly Published[];
  close(): Promise<void>;
}

const TOPIC_PATH = '/api/events';
const API_VERSION = '2018-01-01';
const BATCH = 'application/cloudevents-batch+json';
/** Of one request, and of one event in it. */
const MOST_BYTES = 1_048_576;
const KEPT = 10_000;

/**
 * Stands in for a custom topic of Event Grid with the input schema CloudEvents 1.0 and without keys: it takes batches for
 * tokens of the service, and keeps them. `GET /.control/published` shows what came.
 *
 * @see https://learn.microsoft.com/azure/event-grid/post-to-custom-topic
 */
export async function startEventGrid({
  tls,
  port,
  tokenIsValid = () => true,
}: EventGridOptions = {}): Promise<EventGrid> {
  let published: Published[] = [];
  const script = new FaultScript(() => (published = []), { 'GET published': () => jsonReply(200, published) });
  const answer = (exchange: Exchange): Reply => {
    const token = bearerToken(exchange);
    if (token === undefined || !tokenIsValid(token)) {
      return errorReply(401, 'Unauthorized', 'The token is missing, or not for this resource.', {
        'www-authenticate': 'Bearer',
      });
    }
    const request = publishedIn(exchange);
    if ('status' in request) return request;
    published = [...published, request].slice(-KEPT);
    return { status: 200 };
  };
  const server = await startServer({ answer, script, port, tls });
  return {
    ...server,
    topicUrl: server.url + TOPIC_PATH,
    publishedUrl: `${server.url}/.control/published`,
    script,
    published: () => published,
  };
}

/** What a request publishes, or why it does not. */
function publishedIn({ method, url, headers, body }: Exchange): Published | Reply {
  if (method !== 'POST' || url.pathname !== TOPIC_PATH) return errorReply(404, 'NotFound', 'There is no such topic.');
  const { 'content-type': contentType = '', authorization = '' } = headers;
  if (url.searchParams.get('api-version') !== API_VERSION) return badRequest(`api-version must be ${API_VERSION}.`);
  if (!contentType.startsWith(BATCH)) return badRequest(`The content type must be ${BATCH}.`);
  if (body.length > MOST_BYTES) return errorReply(413, 'RequestEntityTooLarge', 'The maximum size is 1 MB.');
  const events = eventsIn(body);
  if (events === undefined) return badRequest('The body must be an array of CloudEvents 1.0.');
  return { apiVersion: API_VERSION, contentType, authorization: authorization.replace(/ .*/, ''), events };
}

function eventsIn(body: Buffer): Published['events'] | undefined {
  try {
    const sent: unknown = JSON.parse(body.toString('utf8'));
    return Array.isArray(sent) && sent.every(isCloudEvent) ? sent : undefined;
  } catch {
    return undefined;
  }
}

const ATTRIBUTES = ['id', 'source', 'type'];
const OPTIONAL_ATTRIBUTES = ['subject', 'time', 'datacontenttype', 'dataschema'];

/** @see CloudEvents 1.0.2, sections 3.1 and 3.2 */
function isCloudEvent(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isJsonObject(value) || value['specversion'] !== '1.0') return false;
  if (!ATTRIBUTES.every((name) => isText(value[name]))) return false;
  if (!OPTIONAL_ATTRIBUTES.every((name) => value[name] === undefined || isText(value[name]))) return false;
  const { time } = value;
  if (typeof time === 'string' && Number.isNaN(Date.parse(time))) return false;
  return Object.keys(value).every((name) => name === 'data_base64' || /^[a-z0-9]+$/.test(name));
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';

const badRequest = (message: string): Reply => errorReply(400, 'BadRequest', message);

function errorReply(status: number, code: string, message: string, headers?: Readonly<Record<string, string>>): Reply {
  return jsonReply(status, { error: { code, message } }, headers);
}
