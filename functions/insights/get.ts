import { Type, type TSchema } from 'typebox';
import { commonFaults } from '../../shared/kit/errors/catalogue.js';
import { GddRecord } from '../../shared/gdd/form/gddRecord.js';
import { componentName } from '../../shared/http/answers/publishedSchemas.js';
import { route } from '../../shared/wiring/declare.js';
import { readInsight } from '../../shared/jobs/insight/readInsight.js';
import { representationsOf } from '../../shared/wiring/areas/insightKinds.js';
import { BoundaryFeature, BoundaryRecord } from '../../shared/boundary/record/boundaryRecord.js';
import { boundaryInsightExample, csvExample, gddInsightExample, geoJsonExample, svgExample } from './examples.js';

const kinds = { GDD: GddRecord, SMART_BOUNDARY: BoundaryRecord } as const;

/** What every insight has. Its `kind` tells which it is; generators that know inheritance make a base class of it. */
const InsightBase = Type.Unsafe<{ readonly kind: string }>({
  ...Type.Object({ kind: Type.String({ description: 'Which insight it is' }) }, { title: 'InsightBase' }),
  discriminator: {
    propertyName: 'kind',
    mapping: Object.fromEntries(Object.entries(kinds).map(([kind, record]) => [kind, componentName(record)])),
  },
});

/** The schema of one kind of record, as one of the insights. */
function insightOf(record: TSchema): TSchema {
  const { title, description, ...own } = record as TSchema & { readonly title: string; readonly description: string };
  return Type.Unsafe({ title, description, allOf: [InsightBase, own] });
}

/**
 * Either of them. Two ways of saying so stand side by side, for generators differ: those with unions read `anyOf`, NSwag
 * takes the first of `oneOf` for all, so that must be the base class.
 */
const Insight = Type.Unsafe<GddRecord | BoundaryRecord>({
  title: 'Insight',
  description: 'What a job has found out: `kind` tells which other members there are',
  oneOf: [InsightBase],
  anyOf: Object.values(kinds).map(insightOf),
});

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
    'The record as JSON. With `Accept`, of a GDD job the daily series as CSV or the chart as SVG; of a Smart Boundary job the boundary as GeoJSON, the picture as SVG, or the ground alone as GeoTIFF.',
  errors: 'jobs',
  // A later run of the job may replace it.
  cache: 'private, no-cache',
  params: { insightId: 'The insightId of a SUCCEEDED job' },
  success: {
    status: 200,
    description: 'The insight.',
    content: {
      'application/json': {
        schema: Insight,
        examples: {
          gdd: { summary: 'Of a GDD job', value: gddInsightExample },
          smartBoundary: { summary: 'Of a Smart Boundary job', value: boundaryInsightExample },
        },
      },
      'text/csv': { schema: Type.String({ description: 'A header line, then a line a day' }), example: csvExample },
      'application/geo+json': { schema: BoundaryFeature, example: geoJsonExample },
      'image/svg+xml': { schema: Type.String({ description: 'A picture' }), example: svgExample },
      'image/tiff': {
        schema: Type.String({
          format: 'binary',
          description:
            'What the record names as its picture: the ground in true colour, a Cloud Optimized GeoTIFF in UTM of at most 300 KB',
        }),
      },
    },
  },
  faults: [commonFaults.notFound, commonFaults.notAcceptable],
  handle: async ({ tenant, params, accept }, services) =>
    readInsight({ ...services, representationsOf })(tenant, params['insightId'] ?? '', accept),
});
