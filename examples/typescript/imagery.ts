// Field imagery: fields are submitted from a file, the newest picture of one of them is read from storage.
import { openAsBlob, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { client, daysAgo } from './service.js';

const fields = await openAsBlob(process.argv[2] ?? 'examples/fields.geojson');
const submitted = await client.submit(
  {
    image_source: 'sentinel-2-l2a',
    start_date: daysAgo(20),
    end_date: daysAgo(0),
    layers: [{ layer: 'ndvi' }, { layer: 'true-color' }],
  },
  fields,
  {
    onProgress: (sent, total) => {
      console.log(`${sent} of ${total} bytes`);
    },
  },
);
console.log(`Enrollment ${submitted.enrollment_id}: ${submitted.status}`);

// Pictures follow within minutes; the storage token alone opens them.
const storage = client.storage();
const newest = async () => (await storage.dates('north-40')).findLast(({ layers }) => layers.includes('true-color'));
let day = await newest();
while (day === undefined) {
  await sleep(2_000);
  day = await newest();
}
const picture = await storage.layer('north-40', day.date, 'true-color');
if (picture === undefined) throw new Error('The index names files that are there.');
writeFileSync('true-color.tiff', picture);
console.log(`${day.date}: ${day.clear_percent} % clear; the picture is in true-color.tiff.`);
