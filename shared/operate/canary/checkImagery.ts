import { addDays } from '../../kit/validation/calendar.js';
import { expectThat, type CanaryCaller } from './canaryCaller.js';

const INGEST_LIMIT_MS = 5 * 60_000;
const IMAGE_LIMIT_MS = 10 * 60_000;
/** Days before today: a place is seen every five days, and some days are cloudy. */
const DAYS_BACK = 20;
/** Half the side of the field, degrees: some 300 m from side to side. */
const HALF_DEGREES = 0.0015;

/** A new field each day, so that a new image is made each day; all rounds of a day share one enrollment. */
async function enrol(client: CanaryCaller, name: string, today: string): Promise<void> {
  const listed = await client.askWithKey('/v1/enrollments?limit=20');
  expectThat(listed.status === 200, '200 for the list of enrollments', listed);
  if (listed.json.items?.some(({ description }) => description === name) === true) return;
  const form = new FormData();
  const request = {
    image_source: 'sentinel-2-l2a',
    start_date: addDays(today, -DAYS_BACK),
    end_date: today,
    layers: [{ layer: 'ndvi' }],
    description: name,
  };
  form.set('request', new Blob([JSON.stringify(request)], { type: 'application/json' }));
  form.set('geojson', new Blob([JSON.stringify(fieldAt(client, name))], { type: 'application/geo+json' }));
  const submitted = await client.askWithKey('/v1/enrollments', { method: 'POST', body: form });
  expectThat(submitted.status === 202, '202 for the submission', submitted);
  const path = `/v1/enrollments/${submitted.json.enrollment_id ?? ''}`;
  const ingested = await client.until('The end of the ingest', INGEST_LIMIT_MS, async () => {
    const reply = await client.askWithKey(path);
    expectThat(reply.status === 200, '200 for the enrollment', reply);
    return ['completed', 'failed'].includes(reply.json.status ?? '') ? reply : undefined;
  });
  expectThat(ingested.json.processed_fields === 1, 'a field that is taken in', ingested.json);
}

function fieldAt({ target: { point = [0, 0] } }: CanaryCaller, fieldId: string): object {
  const [west, east] = [point[0] - HALF_DEGREES, point[0] + HALF_DEGREES];
  const [south, north] = [point[1] - HALF_DEGREES, point[1] + HALF_DEGREES];
  const ring = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  const geometry = { type: 'Polygon', coordinates: [ring] };
  return {
    type: 'FeatureCollection',
    features: [{ type: 'Feature', properties: { field_id: fieldId }, geometry }],
  };
}

/** Submits a field, waits for its first image and reads the image with a storage token. */
export async function checkImagery(client: CanaryCaller): Promise<string> {
  const today = client.ports.clock.now().toISOString().slice(0, 10);
  const name = `canary-${today}`;
  await enrol(client, name, today);
  const granted = await client.askWithKey('/v1/auth/sas-token');
  expectThat(granted.status === 200, '200 for the storage token', granted.status);
  const { account_name: account = '', file_system: container = '', path = '', sas_token: sas = '' } = granted.json;
  const endpoint = client.target.blobEndpoint ?? `https://${account}.blob.core.windows.net`;
  const prefix = encodeURIComponent(`${path}/sentinel-2/${name}/`);
  const image = await client.until<string>('The first image', IMAGE_LIMIT_MS, async () => {
    const listing = await client.ports.fetch(
      `${endpoint}/${container}?restype=container&comp=list&prefix=${prefix}&${sas}`,
    );
    expectThat(listing.status === 200, '200 for the list of files', listing.status);
    return /<Name>([^<]+\.tiff)<\/Name>/.exec(await listing.text())?.[1];
  });
  const file = await client.ports.fetch(`${endpoint}/${container}/${image}?${sas}`);
  expectThat(file.status === 200, '200 for the file', file.status);
  const head = Buffer.from((await file.arrayBuffer()).slice(0, 4)).toString('latin1');
  expectThat(head === 'II*\0', 'a GeoTIFF', head);
  return image.slice(path.length + 1);
}
