import type OlMap from 'ol/Map.js';
import type { Position } from '../../shared/geo/shapes/geoJson.js';
import { isInField, type FieldOnMap } from './fieldsOnMap.js';
import type { DayOnMap, Readout, ShownPixels } from './mapScene.js';
import { toMercator, type MercatorPoint } from './mercator.js';
import { pathOf, type PictureView } from './pictureLayer.js';
import type { PictureStore } from './pictureStore.js';
import { valueAt, type ExactValues } from './readValue.js';

interface MapValuesOptions {
  readonly map: OlMap;
  readonly store: PictureStore;
  readonly exact: ExactValues;
  readonly view: () => PictureView;
}

/** The values of the pictures that are shown. */
export class MapValues {
  readonly #options: MapValuesOptions;

  constructor(options: MapValuesOptions) {
    this.#options = options;
  }

  fieldAt(point: MercatorPoint): FieldOnMap | undefined {
    return this.#options.view().fields.findLast((field) => isInField(field, point));
  }

  /** The pixels of a field as they are shown, of a layer of one band. */
  pixelsOf(fieldId: string): ShownPixels | undefined {
    const { day } = this.#options.view();
    const path = day === undefined ? undefined : pathOf(day.fields.get(fieldId), day.layer);
    const layer = path === undefined ? undefined : this.#options.store.find(path)?.layer;
    return layer?.pixels.bands === 1 ? { data: layer.pixels.data, nodata: layer.nodata } : undefined;
  }

  readAt(place: Position): Readout {
    const point = toMercator(place);
    const { shown, ...side } = this.#sideAt(point);
    const field = this.fieldAt(point);
    if (field === undefined || shown === undefined) return { place, ...side };
    const path = pathOf(shown.fields.get(field.id), shown.layer);
    return { place, fieldId: field.id, ...this.#valueAt(path, place), ...side };
  }

  /** The day that is shown at a point, and its side of the divider when two are compared. */
  #sideAt(point: MercatorPoint): { shown: DayOnMap | undefined; side?: 'left' | 'right' } {
    const { map, view } = this.#options;
    const { day, left, divider } = view();
    if (left === undefined) return { shown: day };
    const [x = 0] = map.getPixelFromCoordinate([...point]) as readonly number[];
    const [width = 0] = map.getSize() ?? [];
    return x < divider * width ? { shown: left, side: 'left' } : { shown: day, side: 'right' };
  }

  #valueAt(path: string | undefined, place: Position): Pick<Readout, 'value' | 'isReading'> {
    const { store, exact: pieces } = this.#options;
    if (path === undefined || store.faultOf(path) !== undefined) return {};
    const layer = store.find(path)?.layer;
    const exact = layer === undefined || layer.isFullSize ? layer : pieces.find(path, place);
    if (exact === undefined) return { isReading: true };
    const value = valueAt(exact, place);
    return value === undefined ? {} : { value };
  }
}
