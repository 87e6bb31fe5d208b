import { addDays } from '../../../shared/kit/validation/calendar.js';
import { demoFarm, type DemoPoint } from '../demo/demoFarm.js';

/** Fields of the farm that the console shows first. */
const FIELDS = 22;
/** Crops stand high, are ripe and are cut then; the service computes a period of the past as it does the present. */
const SEASON = { from: '05-28', to: '08-26' };

const NAMES = [
  ...['Ridge', 'Creek Bottom', 'North Forty', 'Home Quarter', 'River Bend', 'Hilltop', 'Miller East', 'Miller West'],
  ...['Cemetery', 'Back Forty', 'Coop Corner', 'Grain Leg', 'Long Eighty', 'Maple Row', 'Old Orchard', 'Pump House'],
  ...['Railroad', 'School Section', 'Sandy Point', 'Three Oaks', 'Twin Elms', 'Windmill', 'Willow Draw', 'Stone Wall'],
];

/** What is submitted for the farm of the local console: its last summer, every layer. */
export function farmEnrollment(point: DemoPoint, now: Date): { readonly request: object; readonly geojson: object } {
  const today = now.toISOString().slice(0, 10);
  const year = Number(today.slice(0, 4)) - (today > addDays(`${today.slice(0, 4)}-${SEASON.to}`, 7) ? 0 : 1);
  return {
    request: {
      image_source: 'sentinel-2-l2a',
      start_date: `${year}-${SEASON.from}`,
      end_date: `${year}-${SEASON.to}`,
      layers: ['ndvi', 'vegetation', 'scouting', 'true-color'].map((layer) => ({ layer })),
      description: `The demo farm, summer ${year} (synthetic scenes)`,
    },
    geojson: {
      type: 'FeatureCollection',
      features: demoFarm(point, FIELDS).map(({ fieldId, geometry }, index) => ({
        type: 'Feature',
        properties: { field_id: NAMES[index] ?? fieldId },
        geometry,
      })),
    },
  };
}

/** Enrols the farm for a customer that has no enrollment yet. @param apiKey of that customer */
export async function enrolFarm(baseUrl: string, apiKey: string, point: DemoPoint): Promise<void> {
  const headers = { 'api-key': apiKey };
  const listed = await fetch(`${baseUrl}/v1/enrollments?limit=1`, { headers });
  if (!listed.ok) throw new Error(`The enrollments could not be listed: ${listed.status}.`);
  if (((await listed.json()) as { readonly items: readonly unknown[] }).items.length > 0) return;
  const { request, geojson } = farmEnrollment(point, new Date());
  const form = new FormData();
  form.append('request', new Blob([JSON.stringify(request)], { type: 'application/json' }));
  form.append('geojson', new Blob([JSON.stringify(geojson)], { type: 'application/geo+json' }));
  const submitted = await fetch(`${baseUrl}/v1/enrollments`, { method: 'POST', headers, body: form });
  if (!submitted.ok) throw new Error(`The demo farm could not be enrolled: ${submitted.status}.`);
}
