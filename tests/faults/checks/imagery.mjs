// I6 and I7 of imagery: what the demo customer finds in the storage, by its own SAS.
import { createHash } from 'node:crypto';
import { CustomerFiles } from '../imageryInspection.mjs';

const ITEM = /^(sentinel-2\/[^/]+\/\d{4}-\d\d-\d\d)\/metadata\.json$/;
const INDEX = /^(sentinel-2\/[^/]+)\/index\.json$/;

/** I7: the layers that a day's document names are there, whole. */
async function checkItem(files, folder, named, breaches) {
  const { assets } = await files.json(`${folder}/metadata.json`);
  for (const [layer, asset] of Object.entries(assets)) {
    const name = `${folder}/${layer}.tiff`;
    named.add(name);
    const bytes = await files.read(name).catch(() => undefined);
    const checksum = bytes && `1220${createHash('sha256').update(bytes).digest('hex')}`;
    if (bytes?.length !== asset['file:size'] || checksum !== asset['file:checksum'])
      breaches.push(`I7: ${name} is not what its document says`);
  }
}

/** I6: every day that a field's index calls done has its document, and no other day has one. */
async function checkIndex(files, root, documents, breaches) {
  const index = await files.json(`${root}/index.json`);
  for (const { date, outcome, reason } of index['fieldimagery:dates']) {
    if ((outcome === 'done') !== documents.has(`${root}/${date}`))
      breaches.push(`I6: ${root}/${date} is ${outcome}, its document is ${outcome === 'done' ? 'missing' : 'there'}`);
    if (outcome !== 'done' && !reason) breaches.push(`I6: ${root}/${date} is ${outcome} without a reason`);
  }
}

export async function checkImagery({ storage, client, service }, breaches) {
  if ((await storage.rows('fieldDates')).length === 0) return {};
  const headers = { 'api-key': service.apiKey };
  const { json: access } = await client.insist(() => client.call('sas', '/v1/auth/sas-token', { headers }));
  const files = new CustomerFiles(service, access);
  const names = await files.list();
  const documents = new Set(names.flatMap((name) => ITEM.exec(name)?.[1] ?? []));
  const named = new Set();
  for (const folder of documents) await checkItem(files, folder, named, breaches);
  for (const name of names) {
    const root = INDEX.exec(name)?.[1];
    if (root !== undefined) await checkIndex(files, root, documents, breaches);
    if (name.endsWith('.tiff') && !named.has(name)) breaches.push(`I7: ${name} is named by no document`);
  }
  return { days: documents.size, layers: named.size };
}
