/** Writes the OpenAPI document of every route to the file that is named. */
import { writeFileSync } from 'node:fs';
import { sentEvents } from '../../functions/events/sentEvents.js';
import { functionTable } from '../../functions/functionTable.js';
import { openApiDocument } from '../../shared/http/openApi/openApi.js';

const file = process.argv[2];
if (file === undefined) throw new Error('Name the file to write the OpenAPI document to.');
writeFileSync(file, JSON.stringify(openApiDocument(functionTable.routes, sentEvents), undefined, 2));
