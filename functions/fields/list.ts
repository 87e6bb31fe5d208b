import { FieldListParameters, FieldPage, fieldsAnswer } from '../../shared/enrollments/lists/fieldSchemas.js';
import { listFields } from '../../shared/enrollments/lists/listFields.js';
import { route } from '../../shared/wiring/declare.js';
import { fieldPageExample } from './examples.js';

/** GET /v1/fields — the caller's fields, a page at a time. */
export const fieldsList = route({
  name: 'fieldsList',
  method: 'GET',
  path: 'v1/fields',
  caller: 'apiKey',
  tag: 'Fields',
  summary: 'List fields',
  description:
    'Every field with a sound boundary: its group, where it lies, who monitors it, the newest day on which a scene shows it. Its other days stand in its `index.json`. What a submission failed with stands in its enrollment.',
  errors: 'enrollments',
  rate: 'list',
  query: FieldListParameters,
  success: {
    status: 200,
    description: 'One page. Go on with its `cursor` until that is null.',
    content: { 'application/json': { schema: FieldPage, example: fieldPageExample } },
  },
  faults: [],
  handle: async ({ customer, query }, services) => {
    const { items, cursor } = await listFields(services)(customer, query);
    return fieldsAnswer(items, cursor);
  },
});
