// The boundary of the field around a point.
import { writeFileSync } from 'node:fs';
import { client, daysAgo, service } from './service.js';

const jobId = `example-${Date.now()}`;
await client.boundaries.create(jobId, {
  partyId: service.partyId,
  resourceType: 'Farm',
  resourceId: service.farmId,
  imageStartDate: daysAgo(23),
  imageEndDate: daysAgo(10),
  pointOnSurface: service.pointOnSurface,
});

const job = await client.boundaries.ended(jobId, ({ status }) => {
  console.log(status);
});
if (job.insightId === undefined) throw new Error(job.message);

writeFileSync('boundary.geojson', await client.insightAs(job.insightId, 'application/geo+json'));
console.log('The boundary is in boundary.geojson.');
