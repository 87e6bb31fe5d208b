// What there is: a submission is tried out without storing it, the fields and the newest jobs are listed.
import { openAsBlob, writeFileSync } from 'node:fs';
import { client, daysAgo } from './service.js';

const tried = await client.tryOut(
  { image_source: 'sentinel-2-l2a', start_date: daysAgo(20), end_date: daysAgo(0), layers: [{ layer: 'ndvi' }] },
  await openAsBlob(process.argv[2] ?? 'examples/fields.geojson'),
);
for (const { field_id: id, area_ha: areaHa, errors } of tried.fields) {
  console.log(`${id}: ${errors?.map(({ message }) => message).join(' ') ?? `${areaHa} ha, sound`}`);
}

const features = [];
let newest = '';
for await (const { geometry, field_id, group, area_ha, newest_picture } of client.fields()) {
  features.push({ type: 'Feature', properties: { field_id, group, area_ha, newest_picture }, geometry });
  if (newest_picture !== null && newest_picture > newest) newest = newest_picture;
}
writeFileSync('listed.geojson', JSON.stringify({ type: 'FeatureCollection', features }));
console.log(`${features.length} fields are in listed.geojson; the newest picture is of ${newest || 'no day yet'}.`);

// The token needs the role Jobs.Read. Further pages are asked for only as far as somebody reads.
let shown = 0;
for await (const { jobCreatedDateTime, kind, crop = '', status } of client.jobs()) {
  console.log(`${jobCreatedDateTime.slice(0, 10)} ${kind} ${crop}: ${status}`);
  shown += 1;
  if (shown === 5) break;
}
