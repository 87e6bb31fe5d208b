import { mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Grid } from '../../shared/geo/grid/grid.js';
import { utmProjection } from '../../shared/geo/grid/utm.js';
import { utmEpsgAt } from '../../shared/geo/grid/utmZone.js';
import { callWithKey, newCustomer, submit, untilIngested } from '../contract/enrollmentCalls.js';
import { service, tokenOf } from '../contract/service.js';
import { positionOf, writeScene } from '../support/sceneFiles.js';
import type { Session } from './consolePage.js';
import { storedFile } from './storedLayers.js';

const { longitude, latitude } = service.pointOnSurface;
const epsg = utmEpsgAt([longitude, latitude]);
const [x, y] = utmProjection(epsg).toMap([longitude, latitude]);
const SIDE = 512;

/** The country around the farm, so that a boundary found there is seen as well. */
export const GRID: Grid = {
  epsg,
  originX: Math.round((x - (SIDE / 2) * 10) / 20) * 20,
  originY: Math.round((y + (SIDE / 2) * 10) / 20) * 20,
  pixelWidth: 10,
  pixelHeight: 10,
  width: SIDE,
  height: SIDE,
};

/** Clear, western half under cloud, all under cloud, clear and greener. */
export const DAYS = ['2026-06-02', '2026-06-07', '2026-06-12', '2026-06-17'] as const;
export const PERIOD = { start_date: '2026-06-01', end_date: '2026-06-20' };

function classAt(day: string, column: number): number {
  if (day === DAYS[2]) return 9;
  return day === DAYS[1] && column < SIDE / 2 ? 9 : 4;
}

const valueAt =
  (day: string) =>
  (file: 'scl' | 'red' | 'green' | 'blue' | 'nir', column: number, row: number): number => {
    if (file === 'scl') return classAt(day, column);
    const hills = Math.sin(column / 9) * Math.cos(row / 7);
    const green = day === DAYS[3] ? 600 : 0;
    return Math.round({ red: 700 - 250 * hills, green: 800, blue: 500, nir: 2600 + 900 * hills + green }[file]);
  };

/** Rectangles of pixels [left, top, right, bottom] by field id; the ids are as awkward as the service takes them. */
const FIELDS: Readonly<Record<string, readonly [number, number, number, number]>> = {
  'North Forty': [60, 60, 110, 100],
  'Süd & Söhne': [130, 70, 150, 95],
  "=1+1;alert('x')": [300, 80, 340, 120],
  '&lt;b&gt;Hill': [310, 200, 350, 230],
  'Back Field': [70, 200, 100, 260],
};

const featureOf = (
  fieldId: string,
  [left, top, right, bottom]: readonly [number, number, number, number],
): { readonly type: 'Feature'; readonly properties: object; readonly geometry: object } => {
  // A little aslant, so that edges cut through pixels.
  const corners = [
    [left, top + 1],
    [left + 2, bottom],
    [right, bottom - 1],
    [right - 1, top],
    [left, top + 1],
  ] as const;
  const ring = corners.map((corner) => positionOf(GRID, corner));
  return { type: 'Feature', properties: { field_id: fieldId }, geometry: { type: 'Polygon', coordinates: [ring] } };
};

/** The fields of the farm as features. */
export const features = Object.entries(FIELDS).map(([fieldId, corners]) => featureOf(fieldId, corners));
export const LAYERS = ['ndvi', 'vegetation', 'scouting', 'true-color'] as const;

/**
 * What making a farm may take: its pictures are made by the service itself, and an attempt that is cut short on a busy
 * machine comes again when its lease has run out, minutes later.
 */
export const FARM_LIMIT_MS = 540_000;

/** Puts a folder in its place as a whole, unless another test file has: what is read there never changes. */
function putOnce(folder: string, place: string): void {
  try {
    renameSync(folder, place);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST'].includes(String((error as NodeJS.ErrnoException).code))) throw error;
  }
}

/** Writes the scenes into the catalogue's folder, which the test files share. */
export async function drawScenes(): Promise<void> {
  const home = dirname(process.env['SERVICE_FILE'] ?? '');
  const drawn = mkdtempSync(join(home, 'drawn-'));
  for (const date of DAYS) {
    const id = `S2B_15TVG_${date}`;
    const properties = date === DAYS[2] ? { 'eo:cloud_cover': 100 } : {};
    await writeScene(drawn, { id, date, grid: GRID, valueAt: valueAt(date), properties });
    putOnce(join(drawn, id), join(home, 'scenes', id));
  }
  rmSync(drawn, { recursive: true });
}

/** A new customer's session, with a farm whose ids are typed: the token is for jobs alone. */
export async function newSession(): Promise<Session & { readonly customer: string }> {
  const { customer, apiKey } = await newCustomer();
  const { partyId, farmId, pointOnSurface: point } = service;
  const token = tokenOf('demo', '--roles', 'Jobs.ReadWrite');
  return { apiKey, token, farm: { partyId, farmId, point, fields: [] }, customer };
}

interface FieldsPage {
  readonly items: readonly { readonly field_id: string; readonly newest_picture: string | null }[];
}

/** The fields that haven't been looked at on every day yet, with what they have. */
async function unfinished(apiKey: string): Promise<readonly string[]> {
  const { items } = (await callWithKey('/v1/fields', apiKey)).json as FieldsPage;
  if (items.length < features.length) return [`${items.length} fields of ${features.length}`];
  const found: string[] = [];
  for (const { field_id: fieldId, newest_picture: picture } of items) {
    if (picture === null) {
      found.push(`${fieldId} has no picture`);
      continue;
    }
    const index = String(await storedFile(apiKey, `sentinel-2/${fieldId}/index.json`));
    const { 'fieldimagery:dates': dates } = JSON.parse(index) as { readonly 'fieldimagery:dates': readonly unknown[] };
    if (dates.length < DAYS.length) found.push(`${fieldId} has ${JSON.stringify(dates)}`);
  }
  return found;
}

/** What the service said last of an enrollment's work. */
function saidOf(enrollmentId: string): string {
  const log = readFileSync(join(dirname(process.env['SERVICE_FILE'] ?? ''), 'output.log'), 'utf8');
  return log
    .split('\n')
    .filter((line) => line.includes(enrollmentId) && /"event":"(Imagery|Scene):/.test(line))
    .slice(-20)
    .join('\n');
}

/** A customer whose fields have pictures of all days. */
export async function aFarm(): Promise<Session & { readonly customer: string }> {
  await drawScenes();
  const session = await newSession();
  const request = { ...PERIOD, layers: LAYERS.map((layer) => ({ layer })) };
  const reply = await submit(features, request, { apiKey: session.apiKey });
  if (reply.status !== 202) throw new Error(`The farm was refused: ${reply.text}`);
  const { enrollment_id: enrollmentId } = reply.json as { readonly enrollment_id: string };
  await untilIngested(enrollmentId, session.apiKey);
  const deadline = Date.now() + FARM_LIMIT_MS;
  for (;;) {
    const missing = await unfinished(session.apiKey);
    if (missing.length === 0) return session;
    if (Date.now() > deadline) {
      throw new Error(`The farm lacks pictures:\n${missing.join('\n')}\n${saidOf(enrollmentId)}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** The field of the north, whose picture the tests look at. */
export const NORTH = 'North Forty';
/** A place within that field. */
export const MIDDLE = positionOf(GRID, [85.5, 80.5]);

/** Address of a field on a day. */
export const at = (fieldId: string, date: string, layer = 'ndvi'): string =>
  `#/fields/${encodeURIComponent(fieldId)}/${date}/${layer}`;
