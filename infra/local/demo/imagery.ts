import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addDays } from '../../../shared/kit/validation/calendar.js';
import type { DemoClient } from './client.js';
import { demoFarm, type DemoField } from './demoFarm.js';
import { layerPicture, PICTURED_LAYERS, type PicturedLayer } from './layerPicture.js';
import type { DemoFigure, DemoSection } from './page.js';
import { StoredImagery } from './storedImagery.js';
import { tableOf } from './textTable.js';

/** One day of a field's index, as far as the demo looks. */
interface IndexedDay {
  readonly date: string;
  readonly outcome: string;
  readonly clear_percent: number | null;
  readonly layers: readonly string[];
}

/** What is being waited for. */
interface Watched {
  readonly imagery: StoredImagery;
  readonly span: { readonly start_date: string; readonly end_date: string };
}

/** What is there of a field. */
interface FieldState {
  readonly field: DemoField;
  /** Oldest first. */
  readonly days: readonly IndexedDay[];
}

/** Crops stand high then; the service computes a period of the past as it does the present. */
const SEASON_ENDS = '07-20';
const DAYS = 20;
const FIELDS = 6;
const LAYERS = ['ndvi', ...PICTURED_LAYERS];
const LOOK_EVERY_MS = 1_000;
/** The two satellites see every place at least this often. */
const PASSES_EVERY_DAYS = 5;
/** How long the demo waits for the next news, on a busy machine too. */
const PATIENCE_MS = 180_000;

const CAPTIONS: Readonly<Record<PicturedLayer, string>> = {
  'true-color': 'true colour',
  vegetation: 'vegetation, violet (bare) to yellow (dense)',
  scouting: 'scouting, brown below and green above the middle of the field',
};

/** Enrols the demo farm for three weeks of its last summer and shows what the service makes of it: a picture of each layer. */
export async function demonstrateImagery(client: DemoClient, folder: string): Promise<DemoSection> {
  const fields = demoFarm(client.service.pointOnSurface, FIELDS);
  const end = lastSeasonEnd(new Date().toISOString().slice(0, 10));
  const span = { start_date: addDays(end, -DAYS), end_date: end };
  console.log(`\nField imagery: ${fields.length} fields, ${span.start_date} to ${span.end_date}, ${LAYERS.join(', ')}`);
  await client.submitEnrollment({ image_source: 'sentinel-2-l2a', ...span, layers: LAYERS }, collectionOf(fields));
  const imagery = await StoredImagery.open(client);
  const states = await untilShown({ imagery, span }, fields);
  const head = ['field', 'days looked at', 'with layers', 'newest', 'clear %'];
  console.log(`\n${tableOf(head, states.map(rowOf))}`);
  const figures: DemoFigure[] = [];
  for (const state of states) figures.push(...(await newestOf(imagery, folder, state)));
  return {
    title: 'Field imagery',
    text: `The newest day with every layer of each field between ${span.start_date} and ${span.end_date}, fetched with the storage token alone. The local scenes are synthetic.`,
    figures,
    columns: PICTURED_LAYERS.length,
  };
}

function lastSeasonEnd(today: string): string {
  const year = Number(today.slice(0, 4));
  const end = `${year}-${SEASON_ENDS}`;
  return end < today ? end : `${year - 1}-${SEASON_ENDS}`;
}

/** Fields as they are submitted. */
export const collectionOf = (fields: readonly DemoField[]): object => ({
  type: 'FeatureCollection',
  features: fields.map(({ fieldId, geometry }) => ({ type: 'Feature', properties: { field_id: fieldId }, geometry })),
});

const shownDay = ({ days }: FieldState): IndexedDay | undefined =>
  days.findLast(({ layers }) => PICTURED_LAYERS.every((layer) => layers.includes(layer)));

/** Days of the index that lie in the period: an earlier enrollment may have left others. */
export async function stateOf({ imagery, span }: Watched, field: DemoField): Promise<FieldState> {
  const index = await imagery.readJson<{ readonly 'fieldimagery:dates': readonly IndexedDay[] }>(
    `sentinel-2/${field.fieldId}/index.json`,
  );
  const days = index?.['fieldimagery:dates'] ?? [];
  return { field, days: days.filter(({ date }) => span.start_date <= date && date <= span.end_date) };
}

/** Looks at every field's index until the pictures are there, and tells each day that has come. */
async function untilShown(watched: Watched, fields: readonly DemoField[]): Promise<readonly FieldState[]> {
  const told = new Set<string>();
  let lastNews = Date.now();
  for (;;) {
    const states = await Promise.all(fields.map((field) => stateOf(watched, field)));
    if (tellNews(states, told)) lastNews = Date.now();
    if (states.every((state) => isLookedThrough(state, watched))) return states;
    if (Date.now() - lastNews > PATIENCE_MS) return states;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
}

/** Whether no five days of the period are without a day that was looked at. */
function isLookedThrough({ days }: FieldState, { span }: Watched): boolean {
  const looked = [addDays(span.start_date, -1), ...days.map(({ date }) => date), addDays(span.end_date, 1)];
  return looked.every((date, index) => addDays(date, PASSES_EVERY_DAYS) >= (looked[index + 1] ?? date));
}

function tellNews(states: readonly FieldState[], told: Set<string>): boolean {
  const before = told.size;
  for (const { field, days } of states) {
    for (const { date, outcome, clear_percent: clear, layers } of days) {
      const line = `  ${field.fieldId}, ${date}: ${outcome}${clear === null ? '' : `, ${clear} % clear`}, ${layers.length} of ${LAYERS.length} layers`;
      if (!told.has(line)) console.log(line);
      told.add(line);
    }
  }
  return told.size > before;
}

function rowOf(state: FieldState): string[] {
  const { field, days } = state;
  const newest = shownDay(state);
  const made = days.filter(({ layers }) => layers.length > 0).length;
  return [
    field.fieldId,
    String(days.length),
    String(made),
    newest?.date ?? '–',
    newest?.clear_percent?.toFixed(1) ?? '–',
  ];
}

/** The newest pictures of a field, as PNG, which browsers can show. */
async function newestOf(imagery: StoredImagery, folder: string, state: FieldState): Promise<readonly DemoFigure[]> {
  const day = shownDay(state);
  return day === undefined ? [] : picturesOf(imagery, folder, { fieldId: state.field.fieldId, date: day.date });
}

/** Fetches the layers of a field on a day and writes each as PNG. */
export async function picturesOf(
  imagery: StoredImagery,
  folder: string,
  {
    fieldId,
    date,
    name = `imagery-${fieldId}`,
  }: { readonly fieldId: string; readonly date: string; readonly name?: string },
): Promise<readonly DemoFigure[]> {
  return Promise.all(
    PICTURED_LAYERS.map(async (layer) => {
      const path = `sentinel-2/${fieldId}/${date}/${layer}.tiff`;
      const tiff = await imagery.read(path);
      if (tiff === undefined) throw new Error(`${path} is in the index and not in the storage.`);
      const file = `${name.replaceAll(' ', '-')}-${layer}`;
      writeFileSync(join(folder, `${file}.tiff`), tiff);
      writeFileSync(join(folder, `${file}.png`), await layerPicture(layer, tiff));
      return { file: `${file}.png`, caption: `${fieldId}, ${date}: ${CAPTIONS[layer]}` };
    }),
  );
}
