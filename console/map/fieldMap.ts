import { defaults as defaultInteractions } from 'ol/interaction/defaults.js';
import TileLayer from 'ol/layer/Tile.js';
import OlMap from 'ol/Map.js';
import type MapBrowserEvent from 'ol/MapBrowserEvent.js';
import XYZ from 'ol/source/XYZ.js';
import type { Position } from '../../shared/geo/geoJson.js';
import { BoundaryEdit } from './boundaryEdit.js';
import { boxAroundAll, fieldOnMap, isInField, nearTo, type FieldOnMap } from './fieldsOnMap.js';
import { isInFrame } from './frame.js';
import { MAP_COLOURS } from './mapColours.js';
import { isMotionReduced, MapCamera } from './mapCamera.js';
import { mapFurniture } from './mapFurniture.js';
import type { DayOnMap, FieldMap, FieldMapOptions, MapField, PictureFault, Readout } from './mapScene.js';
import { fromMercator, toMercator, type MercatorPoint } from './mercator.js';
import { OutlineLayers } from './outlineLayers.js';
import { PictureLayer, pathOf } from './pictureLayer.js';
import type { WantedPicture } from './picture.js';
import { pictureReader, type PictureReader } from './pictureReader.js';
import { pictureStore, type PictureStore } from './pictureStore.js';
import { exactValues, valueAt, type ExactValues } from './readValue.js';

/** Pictures read ahead at each rest: a few days of a farm, the next one of hundreds of fields. */
const MOST_AHEAD = 300;

class OpenLayersFieldMap implements FieldMap {
  readonly #options: FieldMapOptions;
  readonly #map: OlMap;
  readonly #camera = new MapCamera();
  readonly #reader: PictureReader;
  readonly #store: PictureStore;
  readonly #pictures: PictureLayer;
  readonly #outlines: OutlineLayers;
  readonly #edit: BoundaryEdit;
  readonly #exact: ExactValues;
  readonly #furniture: ReturnType<typeof mapFurniture>;
  #selected: string | undefined;
  #pointer: Position | undefined;
  #ahead: () => readonly DayOnMap[] = () => [];
  #theme: 'light' | 'dark';

  constructor(element: HTMLElement, options: FieldMapOptions) {
    this.#options = options;
    this.#theme = options.theme;
    const colours = MAP_COLOURS[options.theme];
    this.#furniture = mapFurniture(element, options);
    this.#reader = pictureReader(options.addressOf);
    this.#store = pictureStore({
      read: this.#reader.read,
      onChange: (waiting) => {
        this.#onReading(waiting);
      },
      onFault: (path, fault) => {
        this.#onFault(path, fault);
      },
    });
    this.#pictures = new PictureLayer(this.#store, {
      colours,
      hasTiles: options.tiles !== null,
      fields: [],
      day: undefined,
      left: undefined,
      opacity: 1,
      divider: 0.5,
    });
    this.#pictures.setZIndex(1);
    this.#outlines = new OutlineLayers(colours, this.#look());
    this.#map = new OlMap({
      target: element,
      view: this.#camera.view,
      controls: [],
      interactions: defaultInteractions({
        altShiftDragRotate: false,
        pinchRotate: false,
        ...(isMotionReduced() ? { zoomDuration: 0 } : {}),
      }),
      layers: [...tileLayers(options), this.#pictures, ...this.#outlines.layers],
    });
    this.#edit = new BoundaryEdit(this.#map, colours, (geometry) => this.#options.onEdge?.(geometry));
    this.#exact = exactValues(options.fetchPicture, () => {
      this.#tellHover();
    });
    this.#listen(element);
    this.#camera.setSize(this.#map.getSize());
  }

  #listen(element: HTMLElement): void {
    this.#map.on('pointermove', (event) => {
      if (event.dragging) return;
      this.#pointer = placeOf(event);
      this.#tellHover();
    });
    element.addEventListener('pointerleave', () => {
      this.#pointer = undefined;
      this.#options.onHover?.(undefined);
    });
    // A click on a field is told at once, one beside it when it is no double click, which zooms.
    this.#map.on('click', (event) => {
      this.#onClick(event, true);
    });
    this.#map.on('singleclick', (event) => {
      this.#onClick(event, false);
    });
    for (const moved of ['wheel', 'keydown', 'dblclick'] as const) {
      element.addEventListener(
        moved,
        () => {
          this.#camera.noteMove();
        },
        { passive: true },
      );
    }
    this.#map.on('pointerdrag', () => {
      this.#camera.noteMove();
    });
    this.#map.on('moveend', () => {
      this.#onMoveEnd();
    });
    this.#map.on('change:size', () => {
      this.#camera.setSize(this.#map.getSize());
    });
  }

  #onMoveEnd(): void {
    const corners = this.#camera.corners();
    if (corners === undefined) return;
    this.#furniture.moved(this.#camera.groundMetresPerPixel(), corners);
    void this.#readWanted();
  }

  #onClick(event: MapBrowserEvent, isFirst: boolean): void {
    if (this.#edit.isOn) return;
    const [x = 0, y = 0] = event.coordinate;
    const field = this.#fieldAt([x, y]);
    const outline = this.#outlines.outlineAt([x, y]);
    const hitsSomething = field !== undefined || outline !== undefined;
    if (hitsSomething !== isFirst) return;
    if (outline !== undefined && this.#options.onOutlineClick !== undefined) {
      this.#options.onOutlineClick(outline.id);
      return;
    }
    this.#pointer = fromMercator([x, y]);
    this.#tellHover();
    this.#options.onClick?.(fromMercator([x, y]), field?.id);
  }

  #onReading(waiting: number): void {
    this.#furniture.setBusy(waiting > 0);
    this.#options.onReading?.(waiting);
    this.#pictures.repaint();
    this.#tellHover();
  }

  #onFault(path: string, fault: PictureFault): void {
    const { day, left, fields } = this.#pictures.view;
    const field = fields.find(({ id }) =>
      [day, left].some((shown) => shown && pathOf(shown.fields.get(id), shown.layer) === path),
    );
    if (field !== undefined) this.#options.onUnreadable?.(field.id, fault);
    this.#restyle();
  }

  #look() {
    const { day } = this.#pictures.view;
    return {
      selected: this.#selected,
      hasPicture: (id: string): boolean => {
        // Where no day is shown, none has a picture to miss.
        if (day === undefined) return true;
        const path = pathOf(day.fields.get(id), day.layer);
        return path !== undefined && this.#store.faultOf(path) === undefined;
      },
    };
  }

  #restyle(): void {
    this.#outlines.restyle(MAP_COLOURS[this.#theme], this.#look());
  }

  #readWanted(): Promise<void> {
    const { day, left, fields } = this.#pictures.view;
    const box = this.#camera.box();
    if (day === undefined || box === undefined) return Promise.resolve();
    const inView = fields.filter((field) => isInFrame({ box }, field.box)).sort(nearTo(box, this.#selected));
    const pixelSizeM = this.#camera.groundMetresPerPixel() / window.devicePixelRatio;
    const wantedOf = (days: readonly DayOnMap[]): readonly WantedPicture[] =>
      days.flatMap((shown) =>
        inView.flatMap(({ id }): WantedPicture[] => {
          const path = pathOf(shown.fields.get(id), shown.layer);
          return path === undefined ? [] : [{ path, name: shown.layer, pixelSizeM }];
        }),
      );
    return this.#store.want(wantedOf([day, ...(left === undefined ? [] : [left])]), () =>
      wantedOf(this.#ahead()).slice(0, MOST_AHEAD),
    );
  }

  #fieldAt(point: MercatorPoint): FieldOnMap | undefined {
    return this.#pictures.view.fields.findLast((field) => isInField(field, point));
  }

  #tellHover(): void {
    if (this.#pointer !== undefined) this.#options.onHover?.(this.readAt(this.#pointer));
  }

  setFields(fields: readonly MapField[]): void {
    this.#pictures.update({ fields: fields.map(fieldOnMap) });
    this.#outlines.setFields(fields);
    this.#restyle();
    this.#camera.showAll(boxAroundAll(this.#pictures.view.fields.map(({ box }) => box)));
  }

  async show(day: DayOnMap, left?: DayOnMap, ahead: () => readonly DayOnMap[] = () => []): Promise<void> {
    this.#ahead = ahead;
    this.#pictures.update({ day, left });
    this.#restyle();
    this.#tellHover();
    await this.#readWanted();
    this.#pictures.paint();
  }

  readAgain(): void {
    this.#store.readAgain();
    this.#restyle();
  }

  select(fieldId: string | undefined): void {
    this.#selected = fieldId;
    this.#restyle();
  }

  setOpacity(opacity: number): void {
    this.#pictures.update({ opacity });
  }

  setDivider(divider: number): void {
    this.#pictures.update({ divider });
    this.#tellHover();
  }

  setPadding(...[padding]: Parameters<FieldMap['setPadding']>): void {
    this.#camera.setPadding(padding);
  }

  setTheme(theme: 'light' | 'dark'): void {
    this.#theme = theme;
    this.#furniture.setTheme(theme);
    this.#pictures.update({ colours: MAP_COLOURS[theme] });
    this.#edit.setColours(MAP_COLOURS[theme]);
    this.#restyle();
  }

  fit(fieldIds?: readonly string[]): void {
    const { fields } = this.#pictures.view;
    const chosen = fieldIds === undefined ? fields : fields.filter(({ id }) => fieldIds.includes(id));
    const outlines = fieldIds === undefined ? this.#outlines.extentOf(undefined) : undefined;
    const boxes = [...chosen.map(({ box }) => box), ...(outlines === undefined ? [] : [outlines])];
    this.#camera.fit(boxAroundAll(boxes), fieldIds === undefined);
  }

  goTo(place: Position): void {
    this.#camera.goTo(place);
  }

  zoomBy(steps: number): void {
    this.#camera.zoomBy(steps);
  }

  setOutlines(...[outlines]: Parameters<FieldMap['setOutlines']>): void {
    this.#outlines.setOutlines(outlines);
  }

  fitOutlines(outlineId?: string): void {
    const box = this.#outlines.extentOf(outlineId);
    if (box !== undefined) this.#camera.fit(box, false);
  }

  setMarks(...[marks]: Parameters<FieldMap['setMarks']>): void {
    this.#outlines.setMarks(marks);
  }

  editEdge(...[geometry]: Parameters<FieldMap['editEdge']>): void {
    this.#edit.edit(geometry);
  }

  drawEdge(isOn: boolean): void {
    this.#edit.draw(isOn);
  }

  fieldAt(place: Position): string | undefined {
    return this.#fieldAt(toMercator(place))?.id;
  }

  readAt(place: Position): Readout {
    const point = toMercator(place);
    const { shown, ...side } = this.#sideAt(point);
    const field = this.#fieldAt(point);
    if (field === undefined || shown === undefined) return { place, ...side };
    const path = pathOf(shown.fields.get(field.id), shown.layer);
    return { place, fieldId: field.id, ...this.#valueAt(path, place), ...side };
  }

  /** The day that is shown at a point, and its side of the divider when two are compared. */
  #sideAt(point: MercatorPoint): { shown: DayOnMap | undefined; side?: 'left' | 'right' } {
    const { day, left, divider } = this.#pictures.view;
    if (left === undefined) return { shown: day };
    const [x = 0] = this.#map.getPixelFromCoordinate([...point]) as readonly number[];
    const [width = 0] = this.#map.getSize() ?? [];
    return x < divider * width ? { shown: left, side: 'left' } : { shown: day, side: 'right' };
  }

  #valueAt(path: string | undefined, place: Position): Pick<Readout, 'value' | 'isReading'> {
    if (path === undefined || this.#store.faultOf(path) !== undefined) return {};
    const layer = this.#store.find(path)?.layer;
    const exact = layer === undefined || layer.isFullSize ? layer : this.#exact.find(path, place);
    if (exact === undefined) return { isReading: true };
    const value = valueAt(exact, place);
    return value === undefined ? {} : { value };
  }

  destroy(): void {
    void this.#store.want([]);
    this.#reader.end();
    this.#map.setTarget();
    this.#map.dispose();
    this.#furniture.remove();
  }
}

function placeOf(event: MapBrowserEvent): Position {
  const [x = 0, y = 0] = event.coordinate;
  return fromMercator([x, y]);
}

function tileLayers({ tiles }: FieldMapOptions): TileLayer[] {
  return tiles === null ? [] : [new TileLayer({ source: new XYZ({ url: tiles.url }), className: 'map-tiles' })];
}

/** Makes a map in an element, which gets a role, a name and a place in the tab order. */
export function createFieldMap(element: HTMLElement, options: FieldMapOptions): FieldMap {
  return new OpenLayersFieldMap(element, options);
}
