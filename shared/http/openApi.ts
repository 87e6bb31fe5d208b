import { rolesFor } from '../auth/roles.js';
import type { Fault } from '../errors/fault.js';
import { commonFaults, enrollmentFaults } from '../errors/catalogue.js';
import { version } from '../version.js';
import { errorResponse, everyAnswer, headers, headersNamed, keptAnswer, otherError } from './openApiAnswers.js';
import { IDEMPOTENCY_KEY } from './idempotencyKey.js';
import { PublishedSchemas } from './publishedSchemas.js';
import type { TSchema } from 'typebox';
import { queryProperties } from './readQuery.js';
import { contentTypesOf, type Route } from './route.js';

/**
 * The OpenAPI 3.1 document of the routes: made from the very declarations that check the requests.
 */
export function openApiDocument(routes: readonly Route[], events: readonly SentEvent[] = []): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  const schemas = new PublishedSchemas();
  for (const route of routes) {
    const path = `/${route.path}`;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, schemas) };
  }
  const webhooks = webhooksOf(events, schemas);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Partner field service',
      version: version.version,
      summary: 'GDD jobs, Smart Boundary jobs and field imagery enrollments',
      description:
        'Jobs run asynchronously: create one, fetch it until it has ended, read its insight. After a time-out fetch the job and compare `partnerRequestBody`: a second create of the same id answers 409.\n\nIn a request null in an optional property is that property absent, but for a merge patch and where it is said to mean something; what answers echo (`C`, `FIELD`) is taken as well. An unknown query parameter of a list is refused.\n\nWhatever answers GET answers HEAD too, and every path OPTIONS with `Allow`. Answers over 1 KB come compressed (`br`, `gzip`) to callers who say in `Accept-Encoding` that they take it. An `x-ms-client-request-id` of up to 128 visible ASCII characters is sent back.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name, description: tagTexts[name] ?? name })),
    paths,
    ...(events.length === 0 ? {} : { webhooks }),
    components: { securitySchemes, headers, schemas: schemas.components },
  };
}

/** Events of one type, as they are sent to webhooks. */
export interface SentEvent {
  readonly type: string;
  /** What has happened, in a few words. */
  readonly summary: string;
  readonly schema: TSchema;
  readonly example: unknown;
}

/** A name for operations: `receiveJobFailed` of `partner.job.failed`. */
const receiverOf = (type: string): string =>
  `receive${type
    .split('.')
    .slice(1)
    .map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
    .join('')}`;

/** What receivers are sent, by type. */
function webhooksOf(events: readonly SentEvent[], schemas: PublishedSchemas): Record<string, unknown> {
  const entries = events.map(({ type, summary, schema, example }) => {
    const post = {
      operationId: receiverOf(type),
      tags: ['Notices'],
      summary,
      description: 'Sent to webhooks, at least once and always with the same id and the same bytes.',
      security: [],
      parameters: signatureHeaders,
      requestBody: {
        required: true,
        content: { 'application/cloudevents+json': { schema: schemas.answer(schema), example } },
      },
      responses: {
        204: { description: 'The event is stored; every other 2xx says the same.' },
        410: { description: 'Nothing more is to be sent.' },
        429: { description: 'Nothing is to be sent for as long as `Retry-After` says, a day at most.' },
      },
    };
    return [type, { post }] as const;
  });
  return Object.fromEntries(entries);
}

/** @see Standard Webhooks 1.0.0 */
const signatureHeaders = [
  ['webhook-id', 'The `id` of the event: drop what you have'],
  ['webhook-timestamp', 'Seconds since 1970 of this attempt; refuse what is more than 300 seconds off'],
  ['webhook-signature', '`v1,` and base64 of the HMAC-SHA256 of `id.timestamp.body`, for each valid secret'],
].map(([name, description]) => ({ name, in: 'header', required: true, description, schema: { type: 'string' } }));

const tagTexts: Readonly<Record<string, string>> = {
  'Farm data': 'Parties, farms and fields of tenants that the service keeps, with what jobs found out about them.',
  'GDD jobs': 'Growing degree days of one crop on one field.',
  'Smart Boundary jobs': 'The boundary of the field around a point.',
  Jobs: 'Jobs of both kinds.',
  Fields: 'The fields of all enrollments.',
  Enrollments: 'Field boundaries under imagery monitoring.',
  'Storage access': 'Read access to the imagery.',
  Insights: 'What finished jobs have found out.',
  Notices: 'Events of a tenant or a customer: a log, and webhooks that they are sent to.',
  Service: 'The service itself.',
  Operations: 'Commands of those who run the service, for incidents.',
};

const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'A token of a registered tenant (`tid`) that carries a role: `Jobs.ReadWrite` lets create, cancel and read, `Jobs.Read` lets read. The roles stand in `roles` for applications, in `scp` for people.',
  },
  operator: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      "A token of version 2 of the tenant that operates the service, with the role `Operate` or `Release` in `roles`; that of a person has the scope `Operate` too. A tenant's token is none.",
  },
  apiKey: { type: 'apiKey', in: 'header', name: 'Api-Key', description: 'A live key of the customer.' },
};

/** One of the listed credentials will do; a bearer token with the roles named there. */
function securityOf({ caller, role }: Route): readonly object[] {
  const scheme = caller === 'operator' ? 'operator' : 'bearer';
  const byKey = caller === 'either' ? [{ apiKey: [] }] : [];
  if (role !== undefined) return [...rolesFor(role).map((name) => ({ [scheme]: [name] })), ...byKey];
  return caller === 'apiKey' ? [{ apiKey: [] }] : [];
}

function descriptionOf({ description, role, caller }: Route): { readonly description?: string } {
  const needed =
    role === undefined
      ? []
      : [
          `${caller === 'either' ? 'With a token it needs' : 'Needs'} the role ${rolesFor(role)
            .map((name) => `\`${name}\``)
            .join(' or ')}.`,
        ];
  const text = [...(description === undefined ? [] : [description]), ...needed].join('\n\n');
  return text === '' ? {} : { description: text };
}

function operationOf(route: Route, schemas: PublishedSchemas): Record<string, unknown> {
  return {
    operationId: route.name,
    tags: [route.tag],
    summary: route.summary,
    ...descriptionOf(route),
    security: securityOf(route),
    ...parametersOf(route, schemas),
    ...(route.body === undefined ? {} : { requestBody: requestBodyOf(route.body, schemas) }),
    ...(route.upload === undefined ? {} : { requestBody: uploadOf(route.upload, schemas) }),
    ...(route.file === undefined ? {} : { requestBody: fileBodyOf(route.file) }),
    responses: responsesOf(route, schemas),
    ...onRequestOf(route, schemas),
  };
}

function parametersOf(route: Route, schemas: PublishedSchemas): { readonly parameters?: readonly unknown[] } {
  const inPath = Object.entries(route.params ?? {}).map(([name, description]) => ({
    name,
    in: 'path',
    required: true,
    description,
    schema: { type: 'string' },
  }));
  // A name with a dollar sign is an old spelling of another parameter: generators would make one name of both.
  const named = Object.entries(queryProperties(route)).filter(([name]) => !name.startsWith('$'));
  const inQuery = named.map(([name, schema]) => {
    const { description, ...form } = schemas.request(schema);
    return { name, in: 'query', required: isRequired(route, name), description, schema: form };
  });
  const parameters = [...inPath, ...inQuery, ...(route.isIdempotent === true ? [idempotencyKey] : [])];
  return parameters.length === 0 ? {} : { parameters };
}

const isRequired = ({ query }: Route, name: string): boolean =>
  (query as { readonly required?: readonly string[] } | undefined)?.required?.includes(name) === true;

const idempotencyKey = {
  name: IDEMPOTENCY_KEY,
  in: 'header',
  required: false,
  description: 'Marks repetitions of one request: visible ASCII characters, such as a UUID made for this request',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
};

function uploadOf(parts: NonNullable<Route['upload']>, schemas: PublishedSchemas): Record<string, unknown> {
  const entries = Object.entries(parts);
  const schema = {
    type: 'object',
    required: entries.map(([name]) => name),
    properties: Object.fromEntries(entries.map(([name, part]) => [name, schemas.request(part.schema)])),
  };
  const example = Object.fromEntries(entries.map(([name, part]) => [name, part.example]));
  const encoding = Object.fromEntries(
    entries.map(([name, { contentTypes }]) => [name, { contentType: contentTypes.join(', ') }]),
  );
  return { required: true, content: { 'multipart/form-data': { schema, example, encoding } } };
}

function requestBodyOf(body: NonNullable<Route['body']>, schemas: PublishedSchemas): object {
  const { schema, example } = body;
  const [contentType] = contentTypesOf(body);
  return { required: true, content: { [contentType]: { schema: schemas.request(schema), example } } };
}

const fileBodyOf = ({ types }: NonNullable<Route['file']>): object => {
  const content = Object.entries(types).map(([type, { description, example }]) => {
    return [type, { schema: { type: 'string', format: 'binary', description }, example }] as const;
  });
  return { required: true, content: Object.fromEntries(content) };
};

/** The faults any route of this kind can answer, and its own. */
export function faultsOfRoute(route: Route): Fault[] {
  const { badRequest, payloadTooLarge, requestTimeout, internal, unavailable } = commonFaults;
  // A body that nobody asked for is measured too.
  const shared: Fault[] = [badRequest, payloadTooLarge, internal, unavailable];
  if (route.caller !== 'nobody') shared.push(commonFaults.unauthorized, commonFaults.tooManyRequests);
  if (route.role !== undefined) shared.push(commonFaults.forbidden);
  if (route.caller === 'jwt') shared.push(commonFaults.tenantMisconfigured);
  if (route.body !== undefined) {
    shared.push(route.body.invalid, requestTimeout, commonFaults.unsupportedMediaType);
  }
  if (route.queryFault !== undefined) shared.push(route.queryFault);
  if (route.file !== undefined) shared.push(requestTimeout, commonFaults.unsupportedMediaType);
  if (route.query !== undefined && route.errors === 'enrollments') shared.push(enrollmentFaults.invalid);
  if (route.upload !== undefined) {
    shared.push(enrollmentFaults.invalid, requestTimeout, commonFaults.unsupportedMediaType);
  }
  return [...new Set([...route.faults, ...shared])];
}

function responsesOf(route: Route, schemas: PublishedSchemas): Record<string, unknown> {
  const { success, errors, cache } = route;
  const kept = cache === undefined ? [] : keptAnswer;
  const responses: Record<string, unknown> = {
    [success.status]: {
      description: success.description,
      headers: headersNamed([...(success.headers ?? []), ...kept, ...everyAnswer]),
      content: contentOf(success.content, schemas),
    },
    ...(cache === undefined ? {} : { 304: notModified }),
  };
  const faults = faultsOfRoute(route);
  for (const status of [...new Set(faults.map((fault) => fault.status))].sort()) {
    responses[status] = errorResponse(
      faults.filter((fault) => fault.status === status),
      errors,
      schemas,
    );
  }
  for (const [status, description] of Object.entries(success.alsoAt ?? {})) {
    const usual = { headers: headersNamed([...(success.headers ?? []), ...everyAnswer]) };
    const content = contentOf(success.content, schemas);
    responses[status] = { ...usual, ...(responses[status] as object), description, content };
  }
  return { ...responses, default: otherError(errors, schemas) };
}

/** What the document calls answers of another form that a caller asks for. */
export const ON_REQUEST = 'x-responses-on-request';

function onRequestOf({ success: { onRequest } }: Route, schemas: PublishedSchemas): object {
  if (onRequest === undefined) return {};
  const answers = Object.entries(onRequest).map(([status, { description, content }]) => {
    const answer = { description, headers: headersNamed(everyAnswer), content: contentOf(content, schemas) };
    return [status, answer] as const;
  });
  return { [ON_REQUEST]: Object.fromEntries(answers) };
}

const notModified = {
  description: 'The content is still that of the `ETag` in `If-None-Match`.',
  headers: headersNamed([...keptAnswer, ...everyAnswer]),
};

function contentOf(content: Route['success']['content'], schemas: PublishedSchemas): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(content).map(([type, { schema, ...examples }]) => [
      type,
      { schema: schemas.answer(schema), ...examples },
    ]),
  );
}
