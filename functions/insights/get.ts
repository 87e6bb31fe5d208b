import { Type } from 'typebox';
import { commonFaults } from '../../shared/errors/catalogue.js';
import { route } from '../../shared/http/route.js';
import { readInsight } from '../../shared/insights/readInsight.js';

const Insight = Type.Object(
  {
    insightId: Type.String({ format: 'uuid', description: 'As the job names it' }),
    kind: Type.Enum(['GDD', 'SMART_BOUNDARY'], { description: 'Which other members there are' }),
  },
  { title: 'Insight', additionalProperties: true },
);

const BoundaryFeature = Type.Object(
  { type: Type.Enum(['Feature'], { description: 'The kind of GeoJSON object' }) },
  { title: 'BoundaryFeature', additionalProperties: true },
);

/** GET /v1/insights/{insightId} — what a SUCCEEDED job of the caller's tenant has found out. */
export const insightGet = route({
  name: 'insightGet',
  method: 'GET',
  path: 'v1/insights/{insightId}',
  caller: 'jwt',
  role: 'Jobs.Read',
  tag: 'Insights',
  summary: 'Read an insight',
  description:
    'The record as JSON. With `Accept`, of a GDD job the daily series as CSV or the chart as SVG; of a Smart Boundary job the boundary as GeoJSON or the picture as SVG.',
  errors: 'jobs',
  // A job that an operator opens again may replace it.
  cache: 'private, no-cache',
  params: { insightId: 'The insightId of a SUCCEEDED job' },
  success: {
    status: 200,
    description: 'The insight.',
    content: {
      'application/json': { schema: Insight },
      'text/csv': { schema: Type.String({ description: 'A header line, then a line a day' }) },
      'application/geo+json': { schema: BoundaryFeature },
      'image/svg+xml': { schema: Type.String({ description: 'A picture' }) },
    },
  },
  faults: [commonFaults.notFound, commonFaults.notAcceptable],
  handle: async ({ tenant, params, accept }, services) =>
    readInsight(services)(tenant, params['insightId'] ?? '', accept),
});
