import { LAYER_NAMES, type LayerName } from '../../../shared/scenes/layers/layers.js';
import type { IndexDay, LayerStatistics, ListedField } from '../../api/fields.js';
import type { Curve } from '../../charts/curve.js';
import type { MapLayer, MapPosition } from '../../map/mapScene.js';
import { go, hrefOf, place, type Place } from '../../router.js';
import type { KnownDays } from './dayState.js';
import { filtered, filteredHref, filterOf, filterParts, isFilterPart, type FieldsFilter } from './fieldsFilter.js';
import { comparedOf, comparedPart, isDay, positionOf, positionPart, type Compared } from './fieldsAddress.js';

/** What is looked at: a field, a day, a layer. */
export interface Selection {
  readonly field: ListedField | undefined;
  readonly date: string;
  readonly layer: LayerName;
  readonly compared?: Compared | undefined;
  /** Id of a field that the address names and that is not among the fields. */
  readonly missing?: string | undefined;
  /** What else the address holds that means nothing. */
  readonly unknown?: readonly string[];
}

/** Names of the layers, in the order of the card. */
export const LAYERS: readonly { readonly layer: LayerName; readonly name: string; readonly about: string }[] = [
  { layer: 'true-color', name: 'True colour', about: 'As the eye would see it.' },
  { layer: 'ndvi', name: 'NDVI', about: 'Green biomass, comparable over fields and dates.' },
  { layer: 'vegetation', name: 'Vegetation', about: 'EVI2 in percent: less saturated than NDVI in dense crops.' },
  { layer: 'scouting', name: 'Scouting', about: 'Each part against the middle of its field on that day.' },
];

const newestOf = (fields: readonly ListedField[]): string =>
  fields.reduce((latest, { newest_picture: date }) => (date !== null && date > latest ? date : latest), '');

const largest = (fields: readonly ListedField[]): ListedField | undefined =>
  fields.reduce<ListedField | undefined>(
    (most, field) => (most === undefined || field.area_ha > most.area_ha ? field : most),
    undefined,
  );

/** The field with most to show: the largest of those with a picture of the newest day. */
function firstOf(fields: readonly ListedField[]): ListedField | undefined {
  const newest = newestOf(fields);
  return largest(fields.filter(({ newest_picture: date }) => date === newest)) ?? fields[0];
}

/** The newest day with a picture, else the last that was looked at. */
function firstDateOf(
  field: ListedField | undefined,
  fields: readonly ListedField[],
  days: KnownDays | undefined,
): string {
  const date = field?.newest_picture ?? newestOf(fields);
  return date === '' ? (days?.days.at(-1)?.date ?? '') : date;
}

const isLayer = (part: string): part is LayerName => LAYER_NAMES.some((name) => name === part);
const isMeant = (part: string): boolean =>
  isDay(part) || isLayer(part) || comparedOf([part]) !== undefined || positionOf([part]) !== undefined;

/**
 * What the address names, filled up with what a newcomer would look at first. A field that has no day yet is looked at
 * with a layer alone.
 */
export function selectionOf(
  { parts }: Place,
  fields: readonly ListedField[],
  days: ReadonlyMap<string, KnownDays>,
): Selection {
  const [id, ...others] = parts.filter((part) => !isFilterPart(part));
  const shown = filtered(fields, filterOf(parts));
  const field = id === undefined ? firstOf(shown) : fields.find(({ field_id: each }) => each === id);
  return {
    field,
    missing: field === undefined ? id : undefined,
    unknown: others.filter((part) => !isMeant(part)),
    date: others.find(isDay) ?? firstDateOf(field, shown, days.get(field?.field_id ?? '')),
    layer: others.find(isLayer) ?? 'ndvi',
    compared: comparedOf(others),
  };
}

/**
 * Shows the fields of a filter alone. The field that is looked at stays where it is one of them; else it is the one with most
 * to show, on the newest day.
 *
 * @param fields all of them
 */
export function showOnly(filter: FieldsFilter, selection: Selection, fields: readonly ListedField[]): void {
  const shown = filtered(fields, filter);
  const stays = selection.field !== undefined && shown.includes(selection.field);
  const field = stays ? selection.field : firstOf(shown);
  if (field === undefined) go(filteredHref(filter), 'replace');
  else {
    const date = stays ? selection.date : firstDateOf(field, shown, undefined);
    goTo({ ...selection, field, date }, undefined, { filter });
  }
}

/** Changes what is looked at; the way back leads out of the view, not through every day. */
export function look(selection: Selection): void {
  goTo(selection, positionOf(place.value.parts.slice(1)));
}

/** Notes in the address where the map is; nothing for a map that shows all. What means nothing stays: it is said. */
export function notePosition(selection: Selection, position: MapPosition | undefined): void {
  if (place.value.view === 'fields') goTo(selection, position, { unknown: selection.unknown });
}

function goTo(
  { field, date, layer, compared }: Selection,
  position: MapPosition | undefined,
  {
    unknown = [],
    filter = filterOf(place.value.parts),
  }: { readonly unknown?: readonly string[] | undefined; readonly filter?: FieldsFilter } = {},
): void {
  if (field === undefined) return;
  const parts = [
    ...filterParts(filter),
    ...(compared === undefined ? [] : [comparedPart(compared)]),
    ...(position === undefined ? [] : [positionPart(position)]),
    ...unknown,
  ];
  go(hrefOf('fields', field.field_id, date, layer, ...parts), 'replace');
}

/** Layers whose mean says something over time; the others have the curve of NDVI. */
const CURVES: Readonly<Record<LayerName, 'ndvi' | 'vegetation'>> = {
  ndvi: 'ndvi',
  scouting: 'ndvi',
  'true-color': 'ndvi',
  vegetation: 'vegetation',
};

/** The curve of a layer, its name and how its figures are written. */
type NamedCurve = Curve & { readonly name: string; readonly text: (value: number) => string };

const NAMED_CURVES: Readonly<Record<'ndvi' | 'vegetation', NamedCurve>> = {
  ndvi: {
    name: 'NDVI',
    top: 1,
    of: (day: IndexDay): LayerStatistics | undefined => day.statistics?.ndvi,
    text: (value) => value.toFixed(2),
  },
  vegetation: {
    name: 'vegetation',
    top: 100,
    of: (day: IndexDay): LayerStatistics | undefined => day.statistics?.vegetation,
    text: (value) => `${Math.round(value)} %`,
  },
};

/** The curve that goes with a layer: the same one each time. */
export const curveOf = (layer: LayerName): NamedCurve => NAMED_CURVES[CURVES[layer]];

/** The value under the pointer, in words. */
export function valueText(layer: MapLayer, value: number | readonly [number, number, number] | undefined): string {
  if (value === undefined) return 'no data';
  if (typeof value !== 'number') return value.join(' · ');
  if (layer === 'difference') return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`;
  return layer === 'ndvi' ? value.toFixed(3) : `${Math.round(value)} %`;
}

const VALUES_OF: Readonly<Record<MapLayer, string>> = {
  ndvi: 'NDVI',
  vegetation: 'EVI2',
  scouting: 'of the range of this field on this day',
  'true-color': 'red · green · blue',
  difference: 'NDVI, later minus earlier',
};

/** What a value under the pointer is of. */
export const valueOfText = (layer: MapLayer): string => VALUES_OF[layer];
