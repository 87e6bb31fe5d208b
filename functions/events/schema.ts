import { Type } from 'typebox';
import { commonFaults } from '../../shared/kit/errors/catalogue.js';
import { ServiceError } from '../../shared/kit/errors/serviceError.js';
import { route } from '../../shared/wiring/declare.js';
import { isSchemaName, noticeData } from '../../shared/notices/log/noticeSchemas.js';

/** Open at every depth: a member that is added later must not break a strict receiver. */
const open = (key: string, value: unknown): unknown => (key === 'additionalProperties' ? undefined : value);

/** GET /schemas/events/{file} — the schema of an event's `data`, which `dataschema` names. */
export const eventsSchema = route({
  name: 'eventsSchema',
  method: 'GET',
  path: 'schemas/events/{file}',
  caller: 'nobody',
  tag: 'Notices',
  summary: "The schema of an event's data",
  errors: 'enrollments',
  cache: 'public, max-age=3600',
  params: { file: 'Name and version, such as `job.v1.json`' },
  success: {
    status: 200,
    description: 'JSON Schema 2020-12. Members may be added; none goes and none changes.',
    content: { 'application/schema+json': { schema: Type.Object({}, { description: 'A schema' }) } },
  },
  faults: [commonFaults.notFound],
  handle: ({ params }) => {
    const [, name = ''] = /^([a-z]+)\.v1\.json$/.exec(params['file'] ?? '') ?? [];
    if (!isSchemaName(name)) throw new ServiceError(commonFaults.notFound, 'No events have a schema of this name.');
    const schema = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...noticeData[name] };
    return Promise.resolve({
      status: 200,
      content: { type: 'application/schema+json', data: JSON.stringify(schema, open) },
    });
  },
});
