import { readFileSync } from 'node:fs';
import { addDays } from '../../../shared/kit/validation/calendar.js';
import { settingsFileIn } from '../settings.js';
import type { DemoClient } from './client.js';
import { demoFarm, type DemoField } from './demoFarm.js';
import { collectionOf, picturesOf, stateOf } from './imagery.js';
import { PICTURED_LAYERS } from './layerPicture.js';
import type { DemoSection } from './page.js';
import { StoredImagery } from './storedImagery.js';

/** Days before today that are monitored: they have a scene, so that one sees when the searches of the past are done. */
const DAYS_BEFORE = 14;
const DAYS_AFTER = 30;
const LOOK_EVERY_MS = 500;
/** How long the demo waits, on a busy machine too. */
const PATIENCE_MS = 300_000;

/** The local catalogue; undefined when the service asks a real one. */
function localCatalogueIn(directory: string): string | undefined {
  const settings = JSON.parse(readFileSync(settingsFileIn(directory), 'utf8')) as Readonly<Record<string, string>>;
  const url = settings['EARTH_SEARCH_URL'];
  return url === undefined || !['127.0.0.1', 'localhost'].includes(new URL(url).hostname)
    ? undefined
    : new URL(url).origin;
}

/** Publishes a scene of a place. @returns its UTC day; undefined when the catalogue serves files of the user's own */
async function publish(
  catalogue: string,
  place: readonly [longitude: number, latitude: number],
): Promise<string | undefined> {
  const reply = await fetch(`${catalogue}/.control/scenes`, { method: 'POST', body: JSON.stringify({ place }) });
  if (!reply.ok) return undefined;
  return ((await reply.json()) as { readonly day: string }).day;
}

interface Watch {
  readonly imagery: StoredImagery;
  readonly span: { readonly start_date: string; readonly end_date: string };
  readonly field: DemoField;
}

/** Looks at the field's index until a day is in it. @returns whether it came, and after how many seconds */
async function untilIndexed(watch: Watch, isDay: (date: string) => boolean): Promise<number | undefined> {
  const begin = Date.now();
  while (Date.now() - begin < PATIENCE_MS) {
    const { days } = await stateOf(watch, watch.field);
    if (days.some(({ date }) => isDay(date))) return (Date.now() - begin) / 1000;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  return undefined;
}

/**
 * Monitors a field, publishes a scene of it in the local catalogue and waits for its pictures: nobody asks for them, the
 * service notices by itself.
 *
 * @param directory LOCAL_DIR of the service
 * @returns undefined where the catalogue is not the local one with synthetic scenes
 */
export async function demonstrateNewScene(
  client: DemoClient,
  { directory, folder }: { readonly directory: string; readonly folder: string },
): Promise<DemoSection | undefined> {
  const catalogue = localCatalogueIn(directory);
  const point = client.service.pointOnSurface;
  const [field] = demoFarm(point, 1);
  if (catalogue === undefined || field === undefined) return undefined;
  const today = new Date().toISOString().slice(0, 10);
  const span = { start_date: addDays(today, -DAYS_BEFORE), end_date: addDays(today, DAYS_AFTER) };
  console.log(`\nA new scene: ${field.fieldId} is monitored from ${span.start_date} to ${span.end_date}`);
  const layers = [...PICTURED_LAYERS];
  await client.submitEnrollment({ image_source: 'sentinel-2-l2a', ...span, layers }, collectionOf([field]));
  const watch = { imagery: await StoredImagery.open(client), span, field };
  await untilIndexed(watch, () => true);
  const day = await publish(catalogue, [point.longitude, point.latitude]);
  if (day === undefined) return undefined;
  console.log(`  the catalogue has published a scene of ${day} …`);
  const seconds = await untilIndexed(watch, (date) => date === day);
  if (seconds === undefined) throw new Error(`The scene of ${day} did not become a picture.`);
  const told = `${Math.round(seconds)} s after its publication a scene of ${day} is a picture`;
  console.log(`  ${told}.`);
  const figures = await picturesOf(watch.imagery, folder, { fieldId: field.fieldId, date: day, name: 'new-scene' });
  const text = `${told}: the service asks the catalogue what it has shown, every 15 s locally, and nobody asked for this one.`;
  return { title: 'A new scene', text, figures, columns: PICTURED_LAYERS.length };
}
