import type { TableSceneStore } from '../products/tableSceneStore.js';
import type { Product } from '../products/product.js';
import { coverOf } from '../../scenes/place/footprint.js';
import { dayOfScene, type Scene, type UnusableScene } from '../../scenes/item/scene.js';
import { sceneDays, type SceneDay } from '../../scenes/item/sceneChoice.js';
import { gridAround, type Interest, type InterestedField } from '../interest/interest.js';
import { LAYER_NAMES, type LayerName } from '../../scenes/layers/layers.js';
import type { TableInterestStore } from '../interest/tableInterestStore.js';
import { epsgOfTile, nameOfTile, tilesOfField } from '../../scenes/place/tiles.js';
import { basisOf } from '../../enrollments/fields/fieldDate.js';
import { productsOfDay } from './productsOfDay.js';
import type { RenderUnit, UnitField } from './renderUnit.js';
import { slicesOf, type Slice } from './slices.js';
import type { Unit } from './unit.js';

/** What `sliceWorks` needs. */
export interface CellPorts {
  readonly scenes: Pick<TableSceneStore, 'listDays'>;
  readonly interest: Pick<TableInterestStore, 'listTile' | 'listCustomer'>;
}

/** A slice with the scenes that show its fields. */
export interface SliceWork {
  readonly key: string;
  readonly customer: string;
  readonly unit: RenderUnit;
}

/** A product's scenes without repeats: the second collection has scenes with the same pixels as the first. */
function scenesOfProduct({ scenes }: Product): readonly Scene[] {
  const isEcho = (scene: Scene, other: Scene): boolean =>
    scene.baseline === other.baseline && scene.generatedAt === other.generatedAt && scene.generatedAt !== '';
  return scenes.filter((scene, index) => !scenes.slice(0, index).some((before) => isEcho(scene, before)));
}

/** The overpasses that show a field on one day; none when only a scene shows it that can't be used. */
export interface FieldDay extends SceneDay {
  readonly unusable?: UnusableScene;
}

/** The days on which products show a field of a tile, newest first. */
export function fieldDays(products: readonly Product[], { bbox }: InterestedField, tile: string): readonly FieldDay[] {
  const days = sceneDays(products.flatMap(scenesOfProduct), { bbox, epsg: epsgOfTile(tile) });
  const unusable = products.flatMap((product) =>
    product.unusable !== undefined && product.scenes.length === 0 ? [product.unusable] : [],
  );
  const odd = new Map<string, FieldDay>();
  for (const scene of unusable) {
    const date = dayOfScene(scene);
    const isShown = days.some((day) => day.date === date) || coverOf(scene.footprint, bbox) === 'none';
    if (!isShown && !odd.has(date)) odd.set(date, { date, overpasses: [], unusable: scene });
  }
  return [...days, ...odd.values()].toSorted((a, b) => (a.date > b.date ? -1 : 1));
}

/** The tiles that show a field, its home first: only the home when that shows the whole field. */
export const tilesOf = (
  tile: string,
  { bbox, grid = gridAround(bbox, epsgOfTile(tile)) }: InterestedField,
): readonly string[] => tilesOfField(grid).map(nameOfTile);

/** The products of a day, for each field those of all its tiles. */
async function productsAround(
  ports: CellPorts,
  { tile, date }: Unit,
  fields: readonly InterestedField[],
): Promise<(field: InterestedField) => readonly Product[]> {
  const shown = new Map<string, readonly Product[]>();
  const tiles = new Map(fields.map((field) => [field, tilesOf(tile, field)]));
  for (const name of new Set([tile, ...[...tiles.values()].filter(({ length }) => length > 1).flat()])) {
    shown.set(name, await productsOfDay(ports, name, date));
  }
  const own = shown.get(tile) ?? [];
  return (field) => {
    const names = tiles.get(field) ?? [];
    return names.length > 1 ? names.flatMap((name) => shown.get(name) ?? []) : own;
  };
}

type WantedLayers = (
  customer: string,
  field: Pick<InterestedField, 'fieldId' | 'geometryHash'>,
) => readonly LayerName[];

/** The layers that these entries together want of a field, whichever enrollments they are of. */
function wantedBy(entries: readonly Interest[]): WantedLayers {
  const textOf: (...field: Parameters<WantedLayers>) => string = (customer, { fieldId, geometryHash }) =>
    JSON.stringify([customer, fieldId, geometryHash]);
  const wanted = new Map<string, Set<LayerName>>();
  for (const { customer, layers, fields } of entries) {
    for (const field of fields) {
      const text = textOf(customer, field);
      wanted.set(text, new Set([...(wanted.get(text) ?? []), ...layers]));
    }
  }
  return (customer, field) => LAYER_NAMES.filter((name) => wanted.get(textOf(customer, field))?.has(name) === true);
}

/** The entries that monitor a day. A unit is completed even when it had to wait beyond their end. */
const presentOn = (entries: readonly Interest[], date: string): readonly Interest[] =>
  entries.filter(({ firstDate, lastDate }) => firstDate <= date && date <= lastDate);

/** A field of a slice, and the overpasses that show it. */
export interface ShownField {
  readonly field: InterestedField;
  readonly day: FieldDay;
  /** The layers that all enrollments want of the field; absent where they have to be read. */
  readonly wanted?: readonly LayerName[];
}

/** The work of a slice on a day; undefined when no scene shows any of its fields. */
export function sliceWorkOf(
  { key, customer, enrollmentId, layers }: Omit<Slice, 'fields'>,
  date: string,
  shown: readonly ShownField[],
): SliceWork | undefined {
  if (shown.length === 0) return undefined;
  const scenes = [...new Set(shown.flatMap(({ day }) => day.overpasses.flat()))];
  const indexes = new Map(scenes.map((scene, index) => [scene, index]));
  const members = shown.map(({ field, day: { overpasses, unusable }, wanted }): UnitField => ({
    ...field,
    basis: basisOf(field.geometryHash, overpasses),
    ...(wanted === undefined ? {} : { wanted }),
    ...(unusable === undefined ? {} : { unusable: { id: unusable.id, fault: unusable.fault } }),
    overpasses: overpasses.map((overpass) => overpass.map((scene) => indexes.get(scene) ?? 0)),
  }));
  return { key, customer, unit: { enrollmentId, date, layers, scenes, fields: members } };
}

/**
 * The slices of a unit with the scenes of their fields, the customer with the fewest fields first. It takes one query for
 * the scenes and one for the fields, and more queries when a field needs several tiles.
 */
export const sliceWorks =
  (ports: CellPorts) =>
  async (unit: Unit): Promise<readonly SliceWork[]> => {
    const { tile, date, from, to } = unit;
    const entries = await ports.interest.listTile(tile, { from, to });
    const present = presentOn(entries, date);
    const productsOf = await productsAround(
      ports,
      unit,
      present.flatMap(({ fields }) => fields),
    );
    const wantedOf = wantedBy(present);
    return slicesOf(present).flatMap((slice) => {
      const shown = slice.fields.flatMap((field) => {
        const day = fieldDays(productsOf(field), field, tile).find((found) => found.date === date);
        return day === undefined ? [] : [{ field, day, wanted: wantedOf(slice.customer, field) }];
      });
      return sliceWorkOf(slice, date, shown) ?? [];
    });
  };

/** The work of a slice with the layers that are wanted now: enrollments may have been stopped since the unit began. */
export const asWantedNow =
  ({ interest }: Pick<CellPorts, 'interest'>) =>
  async ({ tile, cell, date }: Unit, { key, customer, unit }: SliceWork): Promise<SliceWork> => {
    const wantedOf = wantedBy(presentOn(await interest.listCustomer({ tile, cell }, customer), date));
    const fields = unit.fields.map((field) => ({ ...field, wanted: wantedOf(customer, field) }));
    return { key, customer, unit: { ...unit, fields } };
  };
