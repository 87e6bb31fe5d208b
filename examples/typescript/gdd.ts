// Growing degree days of last year's corn on one field: the job, its total and its chart.
import { writeFileSync } from 'node:fs';
import { client, service } from './service.js';

const jobId = `example-${Date.now()}`;
const year = new Date().getUTCFullYear() - 1;
await client.gdd.create(jobId, {
  partyId: service.partyId,
  resourceType: 'Field',
  resourceId: service.fieldIds[0],
  crop: 'CORN',
  gddStartDate: `${year}-05-01`,
  gddEndDate: `${year}-09-30`,
});

const job = await client.gdd.ended(jobId, ({ status }) => {
  console.log(status);
});
if (job.insightId === undefined) throw new Error(job.message);

const insight = await client.insight(job.insightId);
if (insight.kind !== 'GDD') throw new Error('A GDD job makes a GDD insight.');
console.log(`${insight.total} °${insight.temperatureUnit}·day in ${insight.days} days`);
writeFileSync('gdd.svg', await client.insightAs(job.insightId, 'image/svg+xml'));
console.log('The chart is in gdd.svg.');
