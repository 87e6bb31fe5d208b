import { rolesFor } from '../auth/roles.js';
import type { Fault } from '../errors/fault.js';
import type { TSchema } from 'typebox';
import { commonFaults, enrollmentFaults } from '../errors/catalogue.js';
import { enrollmentCode, messageOf, type ErrorShape } from '../errors/wire.js';
import { version } from '../version.js';
import { queryProperties } from './readQuery.js';
import type { Route } from './route.js';

/**
 * The OpenAPI 3.1 document of the routes: made from the very declarations that check the requests.
 */
export function openApiDocument(routes: readonly Route[]): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = `/${route.path}`;
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Partner field service',
      version: version.version,
      summary: 'GDD jobs, Smart Boundary jobs and field imagery enrollments',
      description:
        'Jobs run asynchronously: create one, fetch it until it has ended, read its insight. After a time-out fetch the job and compare `partnerRequestBody`: a second create of the same id answers 409.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(routes.map(({ tag }) => tag))].map((name) => ({ name, description: tagTexts[name] ?? name })),
    paths,
    components: { securitySchemes, schemas: errorSchemas },
  };
}

const tagTexts: Readonly<Record<string, string>> = {
  'GDD jobs': 'Growing degree days of one crop on one field.',
  'Smart Boundary jobs': 'The boundary of the field around a point.',
  Enrollments: 'Field boundaries under imagery monitoring.',
  'Storage access': 'Read access to the imagery.',
  Insights: 'What finished jobs have found out.',
  Service: 'The service itself.',
};

const securitySchemes = {
  bearer: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description:
      'A token of a registered tenant (`tid`) that carries a role: `Jobs.ReadWrite` lets create, cancel and read, `Jobs.Read` lets read. The roles stand in `roles` for applications, in `scp` for people.',
  },
  apiKey: { type: 'apiKey', in: 'header', name: 'Api-Key', description: 'A live key of the customer.' },
};

/** One of the listed credentials will do; a bearer token with the roles named there. */
function securityOf({ caller, role }: Route): readonly object[] {
  if (role !== undefined) return rolesFor(role).map((name) => ({ bearer: [name] }));
  return caller === 'apiKey' ? [{ apiKey: [] }] : [];
}

function descriptionOf({ description, role }: Route): { readonly description?: string } {
  const needed =
    role === undefined
      ? []
      : [
          `Needs the role ${rolesFor(role)
            .map((name) => `\`${name}\``)
            .join(' or ')}.`,
        ];
  const text = [...(description === undefined ? [] : [description]), ...needed].join('\n\n');
  return text === '' ? {} : { description: text };
}

function operationOf(route: Route): Record<string, unknown> {
  return {
    operationId: route.name,
    tags: [route.tag],
    summary: route.summary,
    ...descriptionOf(route),
    security: securityOf(route),
    ...(route.params === undefined && route.query === undefined ? {} : { parameters: parametersOf(route) }),
    ...(route.body === undefined ? {} : { requestBody: requestBodyOf(route.body) }),
    ...(route.upload === undefined ? {} : { requestBody: uploadOf(route.upload) }),
    responses: responsesOf(route),
  };
}

function parametersOf(route: Route): unknown[] {
  const inPath = Object.entries(route.params ?? {}).map(([name, description]) => ({
    name,
    in: 'path',
    required: true,
    description,
    schema: { type: 'string' },
  }));
  const inQuery = Object.entries(queryProperties(route)).map(([name, schema]) => {
    const { description, ...form } = schema as TSchema & { readonly description?: string };
    return { name, in: 'query', required: false, description, schema: form };
  });
  return [...inPath, ...inQuery];
}

function uploadOf(parts: NonNullable<Route['upload']>): Record<string, unknown> {
  const entries = Object.entries(parts);
  const schema = {
    type: 'object',
    required: entries.map(([name]) => name),
    properties: Object.fromEntries(entries.map(([name, part]) => [name, part.schema])),
  };
  const encoding = Object.fromEntries(
    entries.map(([name, { contentTypes }]) => [name, { contentType: contentTypes.join(', ') }]),
  );
  return { required: true, content: { 'multipart/form-data': { schema, encoding } } };
}

function requestBodyOf({ schema, example }: NonNullable<Route['body']>): Record<string, unknown> {
  return { required: true, content: { 'application/json': { schema, example } } };
}

/** The faults any route of this kind can answer, and its own. */
export function faultsOfRoute(route: Route): Fault[] {
  const { badRequest, payloadTooLarge, requestTimeout, internal, unavailable } = commonFaults;
  // A body that nobody asked for is measured too.
  const shared: Fault[] = [badRequest, payloadTooLarge, internal, unavailable];
  if (route.caller !== 'nobody') shared.push(commonFaults.unauthorized, commonFaults.tooManyRequests);
  if (route.role !== undefined) shared.push(commonFaults.forbidden, commonFaults.tenantMisconfigured);
  if (route.body !== undefined) {
    shared.push(route.body.invalid, requestTimeout, commonFaults.unsupportedMediaType);
  }
  if (route.query !== undefined) shared.push(enrollmentFaults.invalid);
  if (route.upload !== undefined) {
    shared.push(enrollmentFaults.invalid, requestTimeout, commonFaults.unsupportedMediaType);
  }
  return [...new Set([...route.faults, ...shared])];
}

function responsesOf(route: Route): Record<string, unknown> {
  const { success, errors } = route;
  const responses: Record<string, unknown> = {
    [success.status]: { description: success.description, content: contentOf(success.content) },
  };
  const faults = faultsOfRoute(route);
  for (const status of [...new Set(faults.map((fault) => fault.status))].sort()) {
    responses[status] = errorResponse(
      faults.filter((fault) => fault.status === status),
      errors,
    );
  }
  return responses;
}

function contentOf(content: Route['success']['content']): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(content).map(([type, { schema, example }]: [string, { schema: TSchema; example?: unknown }]) => [
      type,
      { schema, ...(example === undefined ? {} : { example }) },
    ]),
  );
}

function errorResponse(faults: readonly Fault[], shape: ErrorShape): Record<string, unknown> {
  const retry = faults.some(({ retryAfterSeconds }) => retryAfterSeconds !== undefined);
  return {
    description: faults.map(({ code, prefix, when }) => `\`${prefix ?? code}\`: ${when}`).join(' '),
    ...(retry ? { headers: { 'Retry-After': { description: 'Whole seconds', schema: { type: 'integer' } } } } : {}),
    content: {
      'application/json': {
        schema: { $ref: `#/components/schemas/${schemaNames[shape]}` },
        examples: Object.fromEntries(
          faults.map((fault) => [fault.prefix ?? fault.code, { value: exampleOf(fault, shape) }]),
        ),
      },
    },
  };
}

const EXAMPLE_TRACE = '0af7651916cd43dd8448eb211c80319c';

function exampleOf(fault: Fault, shape: ErrorShape): unknown {
  const message = messageOf(fault, fault.when);
  const error = { code: fault.code, message };
  if (shape === 'enrollments') return { code: enrollmentCode(fault), message, trace_id: EXAMPLE_TRACE, details: null };
  return { error, ...(shape === 'jobsFetch' ? { errors: [error] } : {}), traceId: EXAMPLE_TRACE };
}

const schemaNames = { jobs: 'JobError', jobsFetch: 'JobFetchError', enrollments: 'EnrollmentError' } as const;

const codeAndMessage = {
  type: 'object',
  required: ['code', 'message'],
  properties: { code: { type: 'string' }, message: { type: 'string' } },
  additionalProperties: false,
};

/** The error bodies by shape, as schemas; also what the tests check answers against. */
export const errorSchemas = {
  JobError: {
    type: 'object',
    required: ['error', 'traceId'],
    properties: { error: codeAndMessage, traceId: { type: 'string' } },
    additionalProperties: false,
  },
  JobFetchError: {
    type: 'object',
    required: ['error', 'errors', 'traceId'],
    properties: {
      error: codeAndMessage,
      errors: { type: 'array', items: codeAndMessage },
      traceId: { type: 'string' },
    },
    additionalProperties: false,
  },
  EnrollmentError: {
    type: 'object',
    required: ['code', 'message', 'trace_id', 'details'],
    properties: {
      code: { type: 'string' },
      message: { type: 'string' },
      trace_id: { type: 'string' },
      details: {
        type: ['array', 'null'],
        items: {
          type: 'object',
          required: ['loc', 'msg', 'type'],
          properties: {
            loc: { type: 'array', items: { type: ['string', 'integer'] } },
            msg: { type: 'string' },
            type: { type: 'string' },
          },
          additionalProperties: false,
        },
      },
    },
    additionalProperties: false,
  },
} as const;
