import { Type } from 'typebox';
import { docsAsset, docsPage } from '../../shared/http/pages/docsPages.js';
import { openApiDocument, type SentEvent } from '../../shared/http/openApi/openApi.js';
import { commonFaults } from '../../shared/kit/errors/catalogue.js';
import type { Route } from '../../shared/http/route.js';
import { route, type ServiceRoute } from '../../shared/wiring/declare.js';

const html = { 'text/html': { schema: Type.String() } };

/** GET /docs — the operations to read and try, by Swagger UI from our own files. */
export const serviceDocs = route({
  name: 'serviceDocs',
  method: 'GET',
  path: 'docs',
  caller: 'nobody',
  tag: 'Service',
  summary: 'The operations to read and try',
  errors: 'jobs',
  cache: 'public, no-cache',
  success: { status: 200, description: 'A page.', content: html },
  faults: [],
  handle: () => Promise.resolve(docsPage()),
});

/** GET /docs/{file} — the scripts and styles of that page. */
export const serviceDocsFile = route({
  name: 'serviceDocsFile',
  method: 'GET',
  path: 'docs/{file}',
  caller: 'nobody',
  tag: 'Service',
  summary: 'Scripts and styles of the documentation page',
  errors: 'jobs',
  cache: 'public, max-age=3600',
  params: { file: 'Name of the file' },
  success: {
    status: 200,
    description: 'The file.',
    content: { 'text/javascript': { schema: Type.String() }, 'text/css': { schema: Type.String() } },
  },
  faults: [commonFaults.notFound],
  handle: ({ params }) => docsAsset(params['file'] ?? ''),
});

/** GET /openapi.json — the OpenAPI 3.1 document of every route. @param routes all of them, known when it is called @param events that webhooks are sent */
export const serviceOpenApi = (routes: () => readonly Route[], events: readonly SentEvent[]): ServiceRoute =>
  route({
    name: 'serviceOpenApi',
    method: 'GET',
    path: 'openapi.json',
    caller: 'nobody',
    tag: 'Service',
    summary: 'This document',
    errors: 'jobs',
    cache: 'public, no-cache',
    success: {
      status: 200,
      description: 'An OpenAPI 3.1 document.',
      content: {
        'application/json': {
          schema: Type.Object(
            { openapi: Type.Literal('3.1.0', { description: 'Version of OpenAPI' }) },
            { additionalProperties: true },
          ),
        },
      },
    },
    faults: [],
    handle: () => Promise.resolve({ status: 200, json: openApiDocument(routes(), events) }),
  });
