import type { MultiPolygon, Polygon } from '../../geo/geoJson.js';
import type { Grid } from '../../raster/grid.js';
import type { FieldDate } from '../records/fieldDate.js';
import type { GeoBox } from '../catalogue/footprint.js';
import { ITEM_FILE } from '../records/imageryPaths.js';
import { seriesCsv, type DayStatistics } from './timeSeries.js';
import { OWN_PREFIX, placeOf, STAC_VERSION } from './itemDocument.js';

type Json = Readonly<Record<string, unknown>>;

const DATES = `${OWN_PREFIX}:dates`;

/** One day as the index lists it. */
function dayOf(day: FieldDate, statistics: DayStatistics = {}): Json {
  const { date, outcome, reason, clearPercent, coveragePercent, layers, skipped, scenes } = day;
  return {
    date,
    outcome,
    reason,
    clear_percent: clearPercent,
    coverage_percent: coveragePercent,
    layers,
    ...(Object.keys(skipped).length === 0 ? {} : { skipped }),
    scenes,
    ...(Object.keys(statistics).length === 0 ? {} : { statistics }),
  };
}

/** The `statistics.csv` that goes with a stored index, undefined without one. */
export function seriesCsvOf(document: unknown): string | undefined {
  const { [DATES]: days } = (document ?? {}) as { readonly [DATES]?: readonly ListedDay[] };
  return (
    days &&
    seriesCsv(days.map(({ clear_percent: clearPercent, statistics, ...day }) => ({ ...day, clearPercent, statistics })))
  );
}

interface ListedDay extends Pick<FieldDate, 'date' | 'scenes'> {
  readonly clear_percent: number | null;
  readonly statistics?: DayStatistics;
}

/** From the first to the last day that was looked at; `to` is inclusive. */
function intervalOf(fieldDates: readonly FieldDate[]): readonly [string | null, string | null] {
  const [first, last] = [fieldDates[0]?.date, fieldDates.at(-1)?.date];
  return [first === undefined ? null : `${first}T00:00:00Z`, last === undefined ? null : `${last}T23:59:59Z`];
}

/** A field as its index tells it. */
export interface IndexedField {
  readonly fieldId: string;
  readonly bbox: GeoBox;
  /** The grid of its pictures. */
  readonly grid?: Grid;
  /** Of its geometry, by which that is found. */
  readonly geometryHash?: string;
}

/** A field's boundary as its index has it. */
export interface Outline {
  readonly geometry: Polygon | MultiPolygon;
  readonly geometryHash: string;
}

/** The statistics of a day, undefined for one without. */
export type StatisticsOn = (day: FieldDate) => DayStatistics | undefined;

type Link = Readonly<Record<'rel' | 'href' | 'type', string>> & { readonly title?: string };

/** A field's `index.json` as far as its days are concerned. */
export interface IndexDocument extends Json {
  readonly extent: { readonly spatial: Json; readonly temporal: Json };
  readonly links: readonly Link[];
}

const GEOMETRY = `${OWN_PREFIX}:geometry`;
const GEOMETRY_HASH = `${OWN_PREFIX}:geometry_hash`;

/** The boundary that a stored index has, undefined for one of before. */
export function outlineIn(document: unknown): Outline | undefined {
  const { [GEOMETRY]: geometry, [GEOMETRY_HASH]: geometryHash } = (document ?? {}) as Json;
  if (geometry === undefined || typeof geometryHash !== 'string') return undefined;
  return { geometry: geometry as Outline['geometry'], geometryHash };
}

/** An index with these days in place of its own: their list, the links to those with files, the time they span. */
export function withDays(
  index: IndexDocument,
  fieldDates: readonly FieldDate[],
  statisticsOn: StatisticsOn,
): IndexDocument {
  const done = fieldDates.filter(({ outcome }) => outcome === 'done');
  const items = done.map(({ date }): Link => ({
    rel: 'item',
    href: `./${date}/${ITEM_FILE}`,
    type: 'application/geo+json',
    title: date,
  }));
  return {
    ...index,
    extent: { ...index.extent, temporal: { interval: [intervalOf(fieldDates)] } },
    links: [...index.links.filter(({ rel }) => rel !== 'item'), ...items],
    [DATES]: fieldDates.map((day) => dayOf(day, statisticsOn(day))),
  };
}

/**
 * A field's `index.json`: a STAC Collection that links every day with files, and lists every day on which a scene
 * shows the field with what became of it.
 *
 * @param fieldDates in order of their dates, at least one
 */
export function collectionDocument(
  { fieldId, bbox, grid, outline }: IndexedField & { readonly outline: Outline | undefined },
  fieldDates: readonly FieldDate[],
  statisticsOn: StatisticsOn,
): IndexDocument {
  const index = {
    type: 'Collection',
    stac_version: STAC_VERSION,
    stac_extensions: [],
    id: fieldId,
    title: `Imagery of field ${fieldId}`,
    description:
      `Layers of field ${fieldId}, made of the scenes that each day names. \`${DATES}\` lists every day on which a ` +
      'scene shows the field: done, cloud, coverage, no_data, failed or expired, with the reason.',
    license: 'other',
    extent: { spatial: { bbox: [bbox] }, temporal: {} },
    links: [
      { rel: 'root', href: './index.json', type: 'application/json' },
      {
        rel: 'license',
        href: 'https://sentinels.copernicus.eu/documents/247904/690755/Sentinel_Data_Legal_Notice',
        type: 'application/pdf',
        title: 'Terms of the Copernicus Sentinel data, for the days whose item names that programme',
      },
    ],
    [`${OWN_PREFIX}:field_id`]: fieldId,
    ...(grid === undefined ? {} : { [`${OWN_PREFIX}:grid`]: placeOf(grid) }),
    ...(outline === undefined ? {} : { [GEOMETRY]: outline.geometry, [GEOMETRY_HASH]: outline.geometryHash }),
  };
  return withDays(index, fieldDates, statisticsOn);
}
