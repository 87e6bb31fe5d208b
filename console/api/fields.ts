import type { MultiPolygon, Polygon } from '../../shared/geo/shapes/geoJson.js';
import type { LayerName } from '../../shared/scenes/layers/layers.js';
import { callJson } from './client.js';
import { customerFolder, readDocument } from './storage.js';

/** What became of a day on which a scene shows the field. */
export type Outcome = 'done' | 'cloud' | 'coverage' | 'no_data' | 'failed' | 'expired';

/** A field as `GET /v1/fields` lists it. */
export interface ListedField {
  readonly field_id: string;
  readonly group: string | null;
  readonly geometry: Polygon | MultiPolygon;
  readonly area_ha: number;
  readonly enrollments: readonly {
    readonly enrollment_id: string;
    readonly status: string;
    readonly layers: readonly string[];
    readonly start_date: string;
    readonly end_date: string;
  }[];
  readonly errors: readonly { readonly code: string; readonly message: string }[] | null;
  readonly newest: {
    readonly date: string;
    readonly outcome: Outcome;
    readonly clear_percent: number | null;
    readonly layers: readonly string[];
  } | null;
  readonly newest_picture: string | null;
}

/** Figures of one layer of one day, in the layer's unit. */
export interface LayerStatistics {
  readonly mean: number;
  readonly p2: number;
  readonly p50: number;
  readonly p98: number;
}

/** One day of a field's index. */
export interface IndexDay {
  readonly date: string;
  readonly outcome: Outcome;
  readonly reason: string | null;
  readonly clear_percent: number | null;
  readonly layers: readonly LayerName[];
  readonly skipped?: Readonly<Partial<Record<LayerName, string>>>;
  readonly scenes: readonly string[];
  readonly statistics?: Readonly<Partial<Record<LayerName, LayerStatistics>>>;
}

interface Page {
  readonly items: readonly ListedField[];
  readonly cursor: string | null;
}

const PAGE_FIELDS = 250;

/** All fields of the customer. */
export async function listFields(signal?: AbortSignal): Promise<readonly ListedField[]> {
  const fields: ListedField[] = [];
  let cursor: string | null = null;
  do {
    const query = new URLSearchParams({ limit: String(PAGE_FIELDS), ...(cursor === null ? {} : { cursor }) });
    const page: Page = await callJson<Page>({ path: `/v1/fields?${query.toString()}`, as: 'key', signal });
    fields.push(...page.items);
    cursor = page.cursor;
  } while (cursor !== null);
  return fields.sort((a, b) => a.field_id.localeCompare(b.field_id, 'en', { numeric: true }));
}

/** Folder of a field's files, below the customer's. */
const fieldFolder = (folder: string, fieldId: string): string => `${folder}/sentinel-2/${fieldId}`;

/** Path of a field's file within the container. */
export const fieldFile = async (fieldId: string, ...parts: readonly string[]): Promise<string> =>
  [fieldFolder(await customerFolder(), fieldId), ...parts].join('/');

/** Path of a layer's picture, where the customer's folder is known. */
export const picturePath = (folder: string, fieldId: string, date: string, layer: LayerName): string =>
  `${fieldFolder(folder, fieldId)}/${date}/${layer}.tiff`;

/** The days of a field, oldest first; none while it has no index. */
export async function readDays(fieldId: string, signal?: AbortSignal): Promise<readonly IndexDay[]> {
  const index = await readDocument<{ readonly 'fieldimagery:dates'?: readonly IndexDay[] }>(
    await fieldFile(fieldId, 'index.json'),
    signal,
  );
  return index?.['fieldimagery:dates'] ?? [];
}

interface Band {
  readonly statistics?: { readonly mean: number };
  readonly 'fieldimagery:percentiles'?: Readonly<Record<'p2' | 'p50' | 'p98', number>>;
}

/** The document of a day, as far as the curve needs it. */
interface DayItem {
  readonly assets: Readonly<Partial<Record<LayerName, { readonly bands?: readonly Band[] }>>>;
}

function figuresOf(band: Band | undefined): LayerStatistics | undefined {
  const percentiles = band?.['fieldimagery:percentiles'];
  if (band?.statistics === undefined || percentiles === undefined) return undefined;
  const { p2, p50, p98 } = percentiles;
  return { mean: band.statistics.mean, p2, p50, p98 };
}

/** The same days with the figures of their own documents, for an index that was written before it had any. */
export function withItemFigures(fieldId: string, days: readonly IndexDay[]): Promise<readonly IndexDay[]> {
  return Promise.all(
    days.map(async (day) => {
      if (day.outcome !== 'done' || day.statistics !== undefined) return day;
      const item = await readDocument<DayItem>(await fieldFile(fieldId, day.date, 'metadata.json'));
      const [ndvi, vegetation] = [figuresIn(item, 'ndvi'), figuresIn(item, 'vegetation')];
      const statistics = {
        ...(ndvi === undefined ? {} : { ndvi }),
        ...(vegetation === undefined ? {} : { vegetation }),
      };
      return { ...day, statistics };
    }),
  );
}

const figuresIn = (item: DayItem | undefined, layer: LayerName): LayerStatistics | undefined =>
  figuresOf(item?.assets[layer]?.bands?.[0]);
