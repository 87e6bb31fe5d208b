import { crops } from '../../shared/gdd/days/crops.js';
import { gddSolution } from '../../shared/gdd/form/gddSolution.js';
import { route } from '../../shared/wiring/declare.js';
import { listedView } from '../../shared/jobs/operations/jobView.js';
import { listJobs } from '../../shared/jobs/operations/listJobs.js';
import { smartBoundarySolution } from '../../shared/boundary/form/smartBoundarySolution.js';
import { JobListParameters, jobPage } from '../../shared/jobs/operations/jobSchemas.js';
import { jobPageExample } from './examples.js';

const solutions = {
  'partnerAgPowered.gdd': gddSolution,
  'partnerAgPowered.smartBoundary': smartBoundarySolution,
} as const;

/** GET /v1/jobs — the jobs of the caller's tenant, newest first, a page at a time. */
export const jobsList = route({
  name: 'jobsList',
  method: 'GET',
  path: 'v1/jobs',
  caller: 'jwt',
  role: 'Jobs.Read',
  tag: 'Jobs',
  summary: 'List jobs',
  description:
    'Jobs of both kinds unless `kind` names one, which is the quicker. Members are named as in a fetched job; fetch one by its `requestPath` to see the rest.',
  errors: 'jobs',
  rate: 'list',
  query: JobListParameters,
  success: {
    status: 200,
    description: 'One page. Go on with its `cursor`, the same `kind` and the same `status` until `cursor` is null.',
    content: { 'application/json': { schema: jobPage(crops), example: jobPageExample } },
  },
  faults: [],
  handle: async ({ tenant, query }, services) => {
    const { items, cursor } = await listJobs(services)(tenant, query);
    return { status: 200, json: { items: items.map((job) => listedView(job, solutions[job.solution])), cursor } };
  },
});
