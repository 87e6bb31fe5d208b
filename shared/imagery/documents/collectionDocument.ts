import type { MultiPolygon, Polygon } from '../../geo/shapes/geoJson.js';
import { rightHanded } from '../../geo/shapes/rightHanded.js';
import type { FieldDate } from '../../enrollments/fields/fieldDate.js';
import type { InterestedField } from '../interest/interest.js';
import { ITEM_FILE } from '../records/imageryPaths.js';
import { seriesCsv, type DayStatistics } from './timeSeries.js';
import { OWN_PREFIX, placeOf, STAC_VERSION } from './itemDocument.js';

type Json = Readonly<Record<string, unknown>>;

const DATES = `${OWN_PREFIX}:dates`;

/** A day in the index. */
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

/** The `statistics.csv` that belongs to a stored index; undefined without an index. */
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

/** What the index of a field tells about the field itself. */
export type IndexedField = Pick<InterestedField, 'fieldId' | 'geometryHash' | 'bbox' | 'grid'>;

/** A field's boundary in its index, and the hash of the geometry that it is of. */
export interface Outline {
  readonly geometry: Polygon | MultiPolygon;
  readonly geometryHash: string;
}

/** The statistics of a day, undefined for one without. */
export type StatisticsOn = (day: FieldDate) => DayStatistics | undefined;

type Link = Readonly<Record<'rel' | 'href' | 'type', string>> & { readonly title?: string };

/** The members of a field's `index.json` that change with its days. */
export interface IndexDocument extends Json {
  readonly extent: { readonly spatial: Json; readonly temporal: Json };
  readonly links: readonly Link[];
}

const GEOMETRY = `${OWN_PREFIX}:geometry`;
const GEOMETRY_HASH = `${OWN_PREFIX}:geometry_hash`;

/** The boundary in a stored index; undefined without an index. */
export function outlineIn(document: unknown): Outline | undefined {
  if (document === undefined) return undefined;
  const { [GEOMETRY]: geometry, [GEOMETRY_HASH]: geometryHash } = document as Json;
  return { geometry, geometryHash } as Outline;
}

/** An index with these days instead of its own: the list, the links to the days with files, the period. */
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
 * shows the field, with its outcome.
 *
 * @param fieldDates in order of their dates, at least one
 */
export function collectionDocument(
  { fieldId, bbox, grid, outline }: IndexedField & { readonly outline: Outline },
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
    [GEOMETRY]: rightHanded(outline.geometry),
    [GEOMETRY_HASH]: outline.geometryHash,
  };
  return withDays(index, fieldDates, statisticsOn);
}
