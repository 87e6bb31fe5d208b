import type { Grid } from '../raster/grid.js';
import type { FieldDate } from './fieldDate.js';
import type { GeoBox } from './footprint.js';
import { ITEM_FILE } from './imageryPaths.js';
import { OWN_PREFIX, placeOf, STAC_VERSION } from './itemDocument.js';

type Json = Readonly<Record<string, unknown>>;

/** One day as the index lists it. */
function dayOf({ date, outcome, reason, clearPercent, coveragePercent, layers, skipped, scenes }: FieldDate): Json {
  return {
    date,
    outcome,
    reason,
    clear_percent: clearPercent,
    coverage_percent: coveragePercent,
    layers,
    ...(Object.keys(skipped).length === 0 ? {} : { skipped }),
    scenes,
  };
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
}

/**
 * A field's `index.json`: a STAC Collection that links every day with files, and lists every day on which a scene
 * shows the field with what became of it.
 *
 * @param fieldDates in order of their dates, at least one
 */
export function collectionDocument({ fieldId, bbox, grid }: IndexedField, fieldDates: readonly FieldDate[]): Json {
  const done = fieldDates.filter(({ outcome }) => outcome === 'done');
  return {
    type: 'Collection',
    stac_version: STAC_VERSION,
    stac_extensions: [],
    id: fieldId,
    title: `Imagery of field ${fieldId}`,
    description:
      `Layers of field ${fieldId}, made of the scenes that each day names. \`${OWN_PREFIX}:dates\` lists every day on which a ` +
      'scene shows the field: done, cloud, coverage, no_data or failed, with the reason.',
    license: 'other',
    extent: { spatial: { bbox: [bbox] }, temporal: { interval: [intervalOf(fieldDates)] } },
    links: [
      { rel: 'root', href: './index.json', type: 'application/json' },
      {
        rel: 'license',
        href: 'https://sentinels.copernicus.eu/documents/247904/690755/Sentinel_Data_Legal_Notice',
        type: 'application/pdf',
        title: 'Terms of the Copernicus Sentinel data, for the days whose item names that programme',
      },
      ...done.map(({ date }) => ({
        rel: 'item',
        href: `./${date}/${ITEM_FILE}`,
        type: 'application/geo+json',
        title: date,
      })),
    ],
    [`${OWN_PREFIX}:field_id`]: fieldId,
    ...(grid === undefined ? {} : { [`${OWN_PREFIX}:grid`]: placeOf(grid) }),
    [`${OWN_PREFIX}:dates`]: fieldDates.map(dayOf),
  };
}
