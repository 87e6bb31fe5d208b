/** Headers and errors of the OpenAPI document: what answers of every operation have in common. */
import { Type, type TSchema } from 'typebox';
import type { Fault } from '../../kit/errors/fault.js';
import { codeOf, messageOf, type ErrorShape } from '../../kit/errors/wire.js';
import type { PublishedSchemas } from './publishedSchemas.js';

/** Headers that answers may have, as components of the document. */
export const headers = {
  Location: { description: 'Where the new resource can be read.', schema: { type: 'string', format: 'uri-reference' } },
  'Operation-Location': {
    description: 'Where to read how far the work has come.',
    schema: { type: 'string', format: 'uri' },
  },
  'Content-Disposition': { description: 'The name of the file, to be saved.', schema: { type: 'string' } },
  'Retry-After': {
    description: 'Whole seconds to wait before the next call.',
    schema: { type: 'integer', minimum: 0 },
  },
  'WWW-Authenticate': { description: 'Which credential is wanted.', schema: { type: 'string' } },
  ETag: {
    description:
      'Marks this very content. Send it as `If-None-Match` and get 304 while the content is the same, where 304 is an answer; as `If-Match` where a change says that it is kept.',
    schema: { type: 'string' },
  },
  'Cache-Control': { description: 'Who may keep the answer.', schema: { type: 'string' } },
  Vary: { description: 'The request headers that another answer may hang on.', schema: { type: 'string' } },
  'x-ms-error-code': { description: 'The code of the fault, as in the body.', schema: { type: 'string' } },
  'x-ms-client-request-id': {
    description: 'The `x-ms-client-request-id` of the request, when it had one of up to 128 visible ASCII characters.',
    schema: { type: 'string' },
  },
  'x-ms-request-id': {
    description: 'Id of this request in our logs.',
    schema: { type: 'string', format: 'uuid' },
  },
  traceparent: {
    description: 'W3C Trace Context of this request; its trace id is that of the call when the call names one.',
    schema: { type: 'string' },
  },
} as const;

export type HeaderName = keyof typeof headers;

/** What no answer is without. */
export const everyAnswer = [
  'x-ms-request-id',
  'x-ms-client-request-id',
  'traceparent',
] as const satisfies readonly HeaderName[];

/** What an answer that may be kept has besides. */
export const keptAnswer = ['ETag', 'Cache-Control', 'Vary'] as const satisfies readonly HeaderName[];

export const headersNamed = (names: readonly HeaderName[]): Record<string, unknown> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** The answer of one status that errors have. */
export function errorResponse(faults: readonly Fault[], shape: ErrorShape, schemas: PublishedSchemas): object {
  const names: HeaderName[] = ['x-ms-error-code', ...everyAnswer];
  if (faults.some(({ retryAfterSeconds }) => retryAfterSeconds !== undefined)) names.unshift('Retry-After');
  if (faults.some(({ status }) => status === 401)) names.unshift('WWW-Authenticate');
  const examples = faults.map((fault) => [fault.prefix ?? fault.code, { value: exampleOf(fault, shape) }] as const);
  return {
    description: faults.map(({ code, prefix, when }) => `\`${prefix ?? code}\`: ${when}`).join(' '),
    headers: headersNamed(names),
    content: {
      'application/json': { schema: schemas.answer(errorSchemas[shape]), examples: Object.fromEntries(examples) },
    },
  };
}

/** Whatever stands between caller and service may answer with a status of its own. */
export const otherError = (shape: ErrorShape, schemas: PublishedSchemas): object => ({
  description: 'Any other error, in the same form.',
  content: { 'application/json': { schema: schemas.answer(errorSchemas[shape]) } },
});

const EXAMPLE_TRACE = '0af7651916cd43dd8448eb211c80319c';

function exampleOf(fault: Fault, shape: ErrorShape): unknown {
  const message = messageOf(fault, fault.when);
  const error = { code: codeOf(fault, shape), message };
  if (shape === 'enrollments') return { ...error, trace_id: EXAMPLE_TRACE, details: null };
  return { error, ...(shape === 'jobsFetch' ? { errors: [error] } : {}), traceId: EXAMPLE_TRACE };
}

const code = Type.String({ description: 'Which fault it is; stays as it is, unlike the message' });
const message = Type.String({ description: 'What is wrong, the limit and what to do, for people' });
const traceId = Type.String({ description: 'Tell us this when you ask about the call' });

const Fault = Type.Object({ code, message }, { title: 'Fault', additionalProperties: false });

const FaultDetail = Type.Object(
  {
    loc: Type.Array(Type.Union([Type.String(), Type.Integer()]), {
      description: 'Where: names and, in arrays, indexes from the whole to the part',
    }),
    msg: Type.String({ description: 'What is wrong there' }),
    type: Type.String({ description: 'The kind of fault' }),
  },
  { title: 'FaultDetail', additionalProperties: false },
);

/** The error bodies by shape, as schemas. */
const errorSchemas: Readonly<Record<ErrorShape, TSchema>> = {
  jobs: Type.Object({ error: Fault, traceId }, { title: 'JobError', additionalProperties: false }),
  jobsFetch: Type.Object(
    {
      error: Fault,
      errors: Type.Array(Fault, { description: 'The same fault as in `error`' }),
      traceId,
    },
    { title: 'JobFetchError', additionalProperties: false },
  ),
  enrollments: Type.Object(
    {
      code,
      message,
      trace_id: traceId,
      details: Type.Union([Type.Array(FaultDetail), Type.Null()], {
        description: 'Every fault of the input, the first 100; null when there is nothing to point at',
      }),
    },
    { title: 'EnrollmentError', additionalProperties: false },
  ),
};
