import { describe, expect, test } from '@jest/globals';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { Type } from 'typebox';
import { sentEvents } from '../../../functions/events/sentEvents.js';
import { functionTable } from '../../../functions/functionTable.js';
import { noticeTypes } from '../../../shared/notices/log/notice.js';
import { ON_REQUEST, openApiDocument } from '../../../shared/http/openApi/openApi.js';
import { PublishedSchemas } from '../../../shared/http/answers/publishedSchemas.js';
import { closedSchema } from '../../support/closedSchema.js';

type Json = Readonly<Record<string, unknown>>;
type Responses = Readonly<Record<string, { headers?: Json; content?: Readonly<Record<string, Content>> }>>;
interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, { schema: Json; example: unknown }>> };
  readonly responses: Responses;
  readonly [ON_REQUEST]?: Responses;
}
interface Content {
  readonly schema: Json;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

interface SentOperation {
  readonly operationId: string;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly required: boolean }[];
  readonly requestBody: {
    readonly content: Readonly<Record<string, { readonly schema: Json; readonly example: Json }>>;
  };
  readonly responses: Json;
}

const document = openApiDocument(functionTable.routes, sentEvents) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: SentOperation }>>;
  readonly components: { readonly schemas: Readonly<Record<string, Json>>; readonly headers: Json };
};
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));

/** Every object of the document with the path to it. */
function* walk(value: unknown, path = ''): Generator<readonly [string, Json]> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield [path, value as Json];
  for (const [name, inner] of Object.entries(value)) {
    if (name !== 'example' && name !== 'examples') yield* walk(inner, `${path}/${name}`);
  }
}
const pathsOf = (wrong: (schema: Json) => boolean): string[] =>
  [...walk(document)].filter(([, schema]) => wrong(schema)).map(([path]) => path);

/** Component schemas that a schema reaches. */
function reached(schema: unknown, found = new Set<string>()): Set<string> {
  for (const [, { $ref }] of walk(schema)) {
    const name = typeof $ref === 'string' ? $ref.replace('#/components/schemas/', '') : '';
    if (!Object.hasOwn(document.components.schemas, name) || found.has(name)) continue;
    found.add(name);
    reached(document.components.schemas[name], found);
  }
  return found;
}

describe('the OpenAPI document for client generators', () => {
  test('gives every enum and constant its type', () => {
    expect(pathsOf((schema) => ('enum' in schema || 'const' in schema) && !('type' in schema))).toEqual([]);
  });

  test('writes "or null" as a list of types', () => {
    const isNull = (form: unknown): boolean => (form as Json)['type'] === 'null';
    expect(pathsOf(({ anyOf }) => Array.isArray(anyOf) && anyOf.some(isNull))).toEqual([]);
    expect(pathsOf(({ type }) => Array.isArray(type) && (type.length !== 2 || type[1] !== 'null'))).toEqual([]);
  });

  test('names schemas by the words of the field', () => {
    expect(Object.keys(document.components.schemas).sort()).toEqual([
      'BackfillEvent',
      'BackfillEventData',
      'BiasCorrection',
      'BoundaryAlternative',
      'BoundaryFeature',
      'BoundaryPolygon',
      'BoundaryProperties',
      'BoundaryScene',
      'CancelledSmartBoundaryJob',
      'CascadeDeleteJob',
      'Command',
      'CommandTarget',
      'CreatedGddJob',
      'CreatedSmartBoundaryJob',
      'Drain',
      'ElevationCorrection',
      'Enrollment',
      'EnrollmentBackfill',
      'EnrollmentError',
      'EnrollmentEvent',
      'EnrollmentEventData',
      'EnrollmentPage',
      'EnrollmentRequest',
      'Event',
      'EventPage',
      'Farm',
      'FarmAttachment',
      'FarmAttachmentList',
      'FarmField',
      'FarmFieldFeature',
      'FarmFieldFeatures',
      'FarmFieldList',
      'FarmFieldMetadata',
      'FarmFieldProperties',
      'FarmFieldWrite',
      'FarmGeometry',
      'FarmImport',
      'FarmImportError',
      'FarmInsight',
      'FarmInsightList',
      'FarmList',
      'FarmMeasurement',
      'FarmPageLink',
      'FarmWrite',
      'Fault',
      'FaultDetail',
      'Field',
      'FieldCollection',
      'FieldEnrollment',
      'FieldError',
      'FieldFault',
      'FieldFeature',
      'FieldPage',
      'FreezeDay',
      'GddCoverage',
      'GddDay',
      'GddFrost',
      'GddHistory',
      'GddInsight',
      'GddJob',
      'GddJobCreate',
      'GddJobEcho',
      'GddJobParameters',
      'GddJobPath',
      'GddLocation',
      'GddMethod',
      'GddNormal',
      'GddNormalCumulative',
      'GddRange',
      'GddRangeCumulative',
      'GddReached',
      'GddRest',
      'GddShortcoming',
      'GddSource',
      'GddStage',
      'GddStageModel',
      'GddUncertainty',
      'Health',
      'Hold',
      'ImageryEvent',
      'ImageryEventData',
      'ImageryEventGroup',
      'Insight',
      'InsightBase',
      'InsightEvent',
      'InsightEventData',
      'JobError',
      'JobEvent',
      'JobEventData',
      'JobFetchError',
      'JobListItem',
      'JobPage',
      'MultiPolygonGeometry',
      'NewWebhook',
      'NewestDay',
      'Operation',
      'Party',
      'PartyList',
      'PartyWrite',
      'PolygonGeometry',
      'PredictionPoint',
      'Readiness',
      'ScenePicture',
      'SearchFieldQuery',
      'SearchRegion',
      'ServiceState',
      'SmartBoundaryInsight',
      'SmartBoundaryJob',
      'SmartBoundaryJobCreate',
      'SmartBoundaryJobEcho',
      'SmartBoundaryJobModelEcho',
      'SmartBoundaryJobParameters',
      'SmartBoundaryJobPath',
      'StorageAccess',
      'SubmissionTrial',
      'TriedField',
      'Webhook',
      'WebhookAttempt',
      'WebhookChange',
      'WebhookDelivery',
      'WebhookDeliveryPage',
      'WebhookEvent',
      'WebhookEventData',
      'WebhookList',
      'WebhookPing',
      'WebhookRotation',
      'WebhookSecret',
      'WebhookWithSecret',
    ]);
  });

  test('describes every property', () => {
    const bare = [...walk(document)].flatMap(([path, { properties, type }]) =>
      type === 'object' && typeof properties === 'object'
        ? Object.entries(properties as Json)
            .filter(([, schema]) => !('description' in (schema as Json)) && !('$ref' in (schema as Json)))
            .map(([name]) => `${path}.${name}`)
        : [],
    );
    expect(bare).toEqual([]);
  });

  test('leaves answers open for members that are added later, and shows requests as they are checked', () => {
    const answers = operations.map(({ responses, [ON_REQUEST]: onRequest }) => [responses, onRequest]);
    const ofAnswers = [...reached(answers)].map((name) => document.components.schemas[name]);
    expect([...walk([answers, ofAnswers])].filter(([, schema]) => schema['additionalProperties'] === false)).toEqual(
      [],
    );
    expect(document.components.schemas['GddJobCreate']).toHaveProperty('additionalProperties', false);
    expect(document.components.schemas['EnrollmentRequest']).toHaveProperty('additionalProperties', false);
  });

  test('has successes of one form for each operation: generators take the first for the only one', () => {
    for (const { operationId, responses } of operations) {
      const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'));
      const forms = new Set(successes.map(([, { content }]) => JSON.stringify(content)));
      expect({ operationId, count: forms.size }).toEqual({ operationId, count: 1 });
    }
    const submit = operations.find(({ operationId }) => operationId === 'enrollmentsSubmit');
    expect(Object.keys(submit?.[ON_REQUEST] ?? {})).toEqual(['200']);
  });

  test('has a default answer, and the headers of every answer', () => {
    for (const { operationId, responses } of operations) {
      expect({ operationId, statuses: Object.keys(responses) }).toEqual({
        operationId,
        statuses: expect.arrayContaining(['default']),
      });
      const { default: _, ...known } = responses;
      for (const { headers } of Object.values(known)) {
        expect(Object.keys(headers ?? {})).toEqual(expect.arrayContaining(['x-ms-request-id', 'traceparent']));
      }
    }
  });

  test.each([
    { operationId: 'enrollmentsSubmit', status: '202', header: 'Location' },
    { operationId: 'enrollmentsSubmit', status: '202', header: 'Retry-After' },
    { operationId: 'gddCreate', status: '202', header: 'Retry-After' },
    { operationId: 'gddFetch', status: '200', header: 'Retry-After' },
    { operationId: 'gddFetch', status: '401', header: 'WWW-Authenticate' },
    { operationId: 'enrollmentsList', status: '429', header: 'Retry-After' },
  ])('documents $header of $operationId $status', ({ operationId, status, header }) => {
    const { responses } = operations.find((operation) => operation.operationId === operationId)!;
    expect(responses[status]?.headers).toHaveProperty([header], { $ref: `#/components/headers/${header}` });
    expect(document.components.headers).toHaveProperty([header]);
  });

  test('has examples of every answer but files and the pages of the service itself, described to the last member', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats.default(ajv);
    const answers = operations.flatMap(({ operationId, responses, [ON_REQUEST]: onRequest = {} }) =>
      [...Object.entries(responses), ...Object.entries(onRequest)].flatMap(([status, { content = {} }]) =>
        Object.entries(content).map(([type, each]) => ({ what: `${operationId} ${status} ${type}`, ...each })),
      ),
    );
    const bare: string[] = [];
    const validators = new Map<string, ValidateFunction>();
    const validatorOf = (schema: object) => {
      const key = JSON.stringify(schema);
      const known =
        validators.get(key) ?? ajv.compile(closedSchema({ ...schema, components: document.components }) as object);
      validators.set(key, known);
      return known;
    };
    for (const { what, schema, example, examples = {} } of answers) {
      const values = [
        ...(example === undefined ? [] : [example]),
        ...Object.values(examples).map(({ value }) => value),
      ];
      if (values.length === 0) bare.push(what);
      const validate = validatorOf(schema);
      for (const value of values) {
        validate(value);
        expect({ what, errors: validate.errors }).toEqual({ what, errors: null });
      }
    }
    expect(bare.filter((what) => !what.includes(' default '))).toEqual([
      'insightGet 200 image/tiff',
      'webhooksConfirmPage 200 text/html',
      'webhooksConfirm 200 text/html',
      'eventsSchema 200 application/schema+json',
      'farmAttachmentFileGet 200 application/octet-stream',
      'serviceDocs 200 text/html',
      'serviceDocsFile 200 text/javascript',
      'serviceDocsFile 200 text/css',
      'serviceOpenApi 200 application/json',
    ]);
  });

  test('has an entry of each type of event: form, example, the headers that sign it, and what a receiver may answer', () => {
    expect(Object.keys(document.webhooks)).toEqual([...noticeTypes]);
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats.default(ajv);
    for (const [type, { post }] of Object.entries(document.webhooks)) {
      const { schema, example } = post.requestBody.content['application/cloudevents+json']!;
      const validate = ajv.compile(closedSchema({ ...schema, components: document.components }) as object);
      validate(example);
      expect({ type, errors: validate.errors }).toEqual({ type: example['type'], errors: null });
      expect(post.parameters.map(({ name, in: where, required }) => [name, where, required])).toEqual(
        ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, 'header', true]),
      );
      expect(Object.keys(post.responses)).toEqual(['204', '410', '429']);
    }
    const names = Object.values(document.webhooks).map(({ post }) => post.operationId);
    expect(new Set(names).size).toBe(noticeTypes.length);
  });

  test('tells the insights apart by their kind, to those who read unions and to those who read base classes', () => {
    const { Insight, InsightBase, GddInsight, SmartBoundaryInsight } = document.components.schemas;
    const named = (name: string) => ({ $ref: `#/components/schemas/${name}` });
    expect(Insight).toMatchObject({
      oneOf: [named('InsightBase')],
      anyOf: [named('GddInsight'), named('SmartBoundaryInsight')],
    });
    expect(InsightBase).toMatchObject({
      required: ['kind'],
      discriminator: {
        propertyName: 'kind',
        mapping: {
          GDD: '#/components/schemas/GddInsight',
          SMART_BOUNDARY: '#/components/schemas/SmartBoundaryInsight',
        },
      },
    });
    for (const [schema, kind] of [
      [GddInsight, 'GDD'],
      [SmartBoundaryInsight, 'SMART_BOUNDARY'],
    ] as const) {
      expect(schema).toMatchObject({
        allOf: [named('InsightBase'), { type: 'object', properties: { kind: { enum: [kind] } } }],
      });
    }
  });

  test('has an example of each request body that passes its own schema', () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    addFormats.default(ajv);
    const bodies = operations.flatMap(({ operationId, requestBody }) =>
      Object.values(requestBody?.content ?? {}).map((content) => ({ operationId, ...content })),
    );
    expect(bodies.length).toBeGreaterThan(6);
    for (const { operationId, schema, example } of bodies) {
      const validate = ajv.compile({ ...schema, components: document.components });
      validate(example);
      expect({ operationId, errors: validate.errors }).toEqual({ operationId, errors: null });
    }
  });
});

describe('published schemas', () => {
  test('refuse one name for two forms', () => {
    const schemas = new PublishedSchemas();
    schemas.answer(Type.Object({ a: Type.String() }, { title: 'Thing' }));
    schemas.answer(Type.Object({ a: Type.String() }, { title: 'Thing' }));
    expect(() => schemas.answer(Type.Object({ b: Type.String() }, { title: 'Thing' }))).toThrow(/named Thing/);
  });

  test('show an object of any names as additional properties', () => {
    expect(new PublishedSchemas().answer(Type.Record(Type.String(), Type.Integer()))).toEqual({
      type: 'object',
      additionalProperties: { type: 'integer' },
    });
  });

  test('let one of some values be null', () => {
    const schema = Type.Union([Type.Enum(['a', 'b']), Type.Null()], { description: 'Or nothing' });
    const published = new PublishedSchemas().answer(schema);
    expect(published).toEqual({ enum: ['a', 'b', null], description: 'Or nothing', type: ['string', 'null'] });
    expect(new Ajv2020({ strict: false }).validate(published, null)).toBe(true);
  });

  test('let a named form be null', () => {
    const schemas = new PublishedSchemas();
    expect(schemas.answer(Type.Union([Type.Object({}, { title: 'Thing' }), Type.Null()]))).toEqual({
      oneOf: [{ $ref: '#/components/schemas/Thing' }, { type: 'null' }],
    });
  });
});
