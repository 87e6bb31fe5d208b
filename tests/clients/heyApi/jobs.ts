// The six calls that a farm system makes, with the client as hey-api has generated it; run beside it as program.ts.
import { readFileSync } from 'node:fs';
import { client } from './hey/client.gen.js';
import {
  enrollmentsList,
  enrollmentsSubmit,
  gddCreate,
  gddFetch,
  insightGet,
  storageAccessSasToken,
} from './hey/sdk.gen.js';

const service = JSON.parse(readFileSync(process.env['SERVICE_FILE'] ?? '', 'utf8'));
client.setConfig({
  baseUrl: service.baseUrl,
  auth: ({ scheme }) => (scheme === 'bearer' ? service.jwt : service.apiKey),
  throwOnError: true,
});
const throwOnError = true;

const requestPath = `/v1/gdd/hey-${Date.now()}`;
const { data: created } = await gddCreate({
  throwOnError,
  body: {
    requestPath,
    partnerRequestBody: {
      partyId: service.partyId,
      resourceType: 'Field',
      resourceId: service.fieldIds[0],
      crop: 'CORN',
      gddStartDate: '2025-05-01',
      gddEndDate: '2025-09-30',
    },
  },
});
console.log('create', created.status);
let { data: job } = await gddFetch({ throwOnError, body: { requestPath } });
while (job.status === 'WAITING' || job.status === 'RUNNING') {
  await new Promise((resolve) => setTimeout(resolve, 1000));
  ({ data: job } = await gddFetch({ throwOnError, body: { requestPath } }));
}
console.log('fetch', job.status);
const { data: insight } = await insightGet({ throwOnError, path: { insightId: job.insightId ?? '' } });
if (typeof insight !== 'object' || !('kind' in insight) || insight.kind !== 'GDD') throw new Error('another insight');
console.log('insight', insight.total);

const day = (ahead: number) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
const { data: enrollment } = await enrollmentsSubmit({
  throwOnError,
  body: {
    request: { image_source: 'sentinel-2-l2a', start_date: day(2), end_date: day(20), layers: [{ layer: 'ndvi' }] },
    geojson: JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')),
  },
});
console.log('submit', enrollment.status);
const { data: page } = await enrollmentsList({ throwOnError });
console.log('list', page.items.filter((item) => item.enrollment_id === enrollment.enrollment_id).length);
const { data: access } = await storageAccessSasToken({ throwOnError });
console.log('storage', access.path);
