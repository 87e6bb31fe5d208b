import type { TableSceneStore } from '../products/tableSceneStore.js';
import type { Product } from '../products/product.js';
import { coverOf } from '../catalogue/footprint.js';
import { dayOfScene, type Scene, type UnusableScene } from '../catalogue/scene.js';
import { sceneDays, type SceneDay } from '../catalogue/sceneChoice.js';
import { gridAround, type Interest, type InterestedField } from '../interest/interest.js';
import { LAYER_NAMES, type LayerName } from '../layers/layers.js';
import type { TableInterestStore } from '../interest/tableInterestStore.js';
import { epsgOfTile, nameOfTile, tilesOfField } from '../catalogue/tiles.js';
import { basisOf } from '../records/fieldDate.js';
import { productsOfDay } from './productsOfDay.js';
import type { RenderUnit, UnitField } from './renderUnit.js';
import { slicesOf, type Slice } from './slices.js';
import type { Unit } from './unit.js';

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

/** The same processing in the second collection shows the same pixels: the one that was shown first is enough. */
function scenesOfProduct({ scenes }: Product): readonly Scene[] {
  const isEcho = (scene: Scene, other: Scene): boolean =>
    scene.baseline === other.baseline && scene.generatedAt === other.generatedAt && scene.generatedAt !== '';
  return scenes.filter((scene, index) => !scenes.slice(0, index).some((before) => isEcho(scene, before)));
}

/** What shows a field on one day; where nothing but what can't be used does, no overpass and that. */
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

/** The tiles that have something of a field: its home alone, unless that doesn't hold it whole. The home is the first. */
export const tilesOf = (
  tile: string,
  { bbox, grid = gridAround(bbox, epsgOfTile(tile)) }: InterestedField,
): readonly string[] => tilesOfField(grid).map(nameOfTile);

/** What the tiles of some fields show on a day. */
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

/** The layers that some entries together want of a field, whichever enrollments they are of. */
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

/** Those who monitor the day. Work that was opened in time is done to its end, however long it had to wait. */
const presentOn = (entries: readonly Interest[], date: string): readonly Interest[] =>
  entries.filter(({ firstDate, lastDate }) => firstDate <= date && date <= lastDate);

/** A field of a slice, and what shows it. */
export interface ShownField {
  readonly field: InterestedField;
  readonly day: FieldDay;
  /** The layers that all who monitor the field want, where that is known. */
  readonly wanted?: readonly LayerName[];
}

/** The work of a slice on a day; undefined when nothing shows any of its fields. */
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
 * What is to be done of a unit, the smallest customer first: who monitors a field of the cell on that day, and the scenes
 * that show it. One query for the scenes and one for the fields, unless some field is larger than its tile has room for.
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

/** The work of a slice as it is wanted by now: whoever has stopped since the unit began gets nothing more. */
export const asWantedNow =
  ({ interest }: Pick<CellPorts, 'interest'>) =>
  async ({ tile, cell, date }: Unit, { key, customer, unit }: SliceWork): Promise<SliceWork> => {
    const wantedOf = wantedBy(presentOn(await interest.listCustomer({ tile, cell }, customer), date));
    const fields = unit.fields.map((field) => ({ ...field, wanted: wantedOf(customer, field) }));
    return { key, customer, unit: { ...unit, fields } };
  };
