import OlMap from 'ol/Map.js';
import type { Position } from '../../shared/geo/shapes/geoJson.js';
import { BaseOnMap } from './baseOnMap.js';
import { BoundaryEdit } from './boundaryEdit.js';
import { boxAroundAll, fieldOnMap } from './fieldsOnMap.js';
import { MAP_COLOURS } from './mapColours.js';
import { MapValues } from './mapValues.js';
import { MapCamera } from './mapCamera.js';
import { mapFurniture } from './mapFurniture.js';
import { drawnTogether } from './drawnTogether.js';
import type {
  DayOnMap,
  FieldMap,
  FieldMapOptions,
  GroundPicture,
  MapField,
  MapPicture,
  MapPosition,
} from './mapScene.js';
import type { PictureFault, Readout, ShownPixels } from './mapScene.js';
import { fromMercator, toMercator, type MercatorPoint } from './mercator.js';
import { OutlineLayers } from './outlineLayers.js';
import { PictureLayer, fieldWith, pathOf } from './pictureLayer.js';
import { wantedPictures } from './wantedPictures.js';
import { pictureReader, type PictureReader } from './pictureReader.js';
import { pictureStore, type PictureStore } from './pictureStore.js';
import { exactValues } from './readValue.js';
import { mapInteractions, tileLayers, whenClicked, whenMoved, whenPointed } from './mapParts.js';

/** Pictures read ahead at each rest: a few days of a farm, the next one of hundreds of fields. */
const MOST_AHEAD = 300;

class OpenLayersFieldMap implements FieldMap {
  readonly #options: FieldMapOptions;
  readonly #element: HTMLElement;
  readonly #map: OlMap;
  readonly #camera = new MapCamera();
  readonly #reader: PictureReader;
  readonly #store: PictureStore;
  readonly #pictures: PictureLayer;
  readonly #outlines: OutlineLayers;
  readonly #edit: BoundaryEdit;
  readonly #base: BaseOnMap;
  readonly #values: MapValues;
  readonly #furniture: ReturnType<typeof mapFurniture>;
  #selected: string | undefined;
  #ground: GroundPicture | undefined;
  #pointer: Position | undefined;
  #ahead: () => readonly DayOnMap[] = () => [];
  #theme: 'light' | 'dark';

  constructor(element: HTMLElement, options: FieldMapOptions) {
    this.#options = options;
    this.#element = element;
    this.#theme = options.theme;
    const colours = MAP_COLOURS[options.theme];
    this.#furniture = mapFurniture(element, options);
    this.#reader = pictureReader((path, refused) =>
      path === this.#ground?.path ? Promise.resolve(this.#ground.bytes) : options.addressOf(path, refused),
    );
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
      ground: undefined,
      opacity: 1,
      divider: 0.5,
    });
    this.#pictures.setZIndex(1);
    this.#outlines = new OutlineLayers(colours, this.#look());
    this.#map = new OlMap({
      target: element,
      view: this.#camera.view,
      controls: [],
      interactions: mapInteractions(),
      layers: [...tileLayers(options), this.#pictures, ...this.#outlines.layers],
    });
    this.#base = new BaseOnMap(this.#map, () => MAP_COLOURS[this.#theme], this.#furniture.credit);
    this.#edit = new BoundaryEdit(this.#map, colours, {
      onEdge: (geometry) => this.#options.onEdge?.(geometry),
      onEditing: (editing) => this.#options.onEditing?.(editing),
    });
    this.#values = new MapValues({
      map: this.#map,
      store: this.#store,
      view: () => this.#pictures.view,
      exact: exactValues(options.fetchPicture, () => {
        this.#tellHover();
      }),
    });
    this.#listen(element);
    this.#camera.setSize(this.#map.getSize());
  }

  #listen(element: HTMLElement): void {
    whenPointed(element, this.#map, (place) => {
      this.#pointer = place;
      this.#options.onHover?.(place === undefined ? undefined : this.readAt(place));
    });
    const hits = (point: MercatorPoint): boolean =>
      this.#values.fieldAt(point) !== undefined || this.#outlines.outlineAt(point) !== undefined;
    whenClicked(this.#map, hits, (point) => {
      if (!this.#edit.isOn) this.#onClick(point);
    });
    whenMoved(element, this.#map, () => {
      this.#camera.noteMove();
    });
    // The end of a move is told with the second frame at the earliest, and where all is known already there is but one.
    this.#map.once('postrender', this.#map.render.bind(this.#map));
    this.#map.on('moveend', () => {
      this.#onMoveEnd();
    });
    // With each frame: a bar of the last scale would be a wrong one.
    this.#map.on('precompose', () => {
      this.#furniture.scaled(this.#camera.isAtFields ? this.#camera.groundMetresPerPixel() : undefined);
    });
    this.#map.on('change:size', () => {
      this.#camera.setSize(this.#map.getSize());
    });
  }

  #onMoveEnd(): void {
    const corners = this.#camera.corners();
    if (corners === undefined) return;
    this.#furniture.moved(corners);
    this.#base.moved(this.#camera.position());
    this.#options.onMoved?.(this.#camera.isMoved ? this.#camera.position() : undefined);
    void this.#readWanted();
  }

  #onClick(point: MercatorPoint): void {
    const outline = this.#outlines.outlineAt(point);
    if (outline !== undefined && this.#options.onOutlineClick !== undefined) {
      this.#options.onOutlineClick(outline.id);
      return;
    }
    this.#pointer = fromMercator(point);
    this.#tellHover();
    this.#options.onClick?.(this.#pointer, this.#values.fieldAt(point)?.id);
  }

  #onReading(waiting: number): void {
    this.#furniture.setBusy(waiting > 0);
    this.#options.onReading?.(waiting);
    if (waiting > 0) this.#pictures.repaintSoon();
    else this.#pictures.repaint();
    this.#tellHover();
  }

  #onFault(path: string, fault: PictureFault): void {
    const field = fieldWith(this.#pictures.view, path);
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
    const { day, left, ground, fields } = this.#pictures.view;
    const box = this.#camera.box();
    if (box === undefined || (day === undefined && ground === undefined)) return Promise.resolve();
    const pixelSizeM = this.#camera.groundMetresPerPixel() / window.devicePixelRatio;
    const below = ground === undefined ? [] : [{ path: ground, name: 'true-color' as const, pixelSizeM }];
    const wantedOf = wantedPictures({ fields, box, selected: this.#selected, pixelSizeM });
    const shown = wantedOf([day, left].filter((one) => one !== undefined));
    this.#pictures.awaitPictures();
    return this.#store.want([...below, ...shown], () => wantedOf(this.#ahead()).slice(0, MOST_AHEAD));
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

  async show(day: DayOnMap | undefined, left?: DayOnMap, ahead: () => readonly DayOnMap[] = () => []): Promise<void> {
    this.#ahead = ahead;
    this.#pictures.update({ day, left });
    this.#restyle();
    this.#tellHover();
    await this.#readWanted();
    this.#pictures.paint();
    if (day !== undefined) this.#camera.settle();
  }

  setGround(ground: GroundPicture | undefined): void {
    this.#ground = ground;
    this.#pictures.update({ ground: ground?.path });
    void this.#readWanted();
  }

  showBase(): void {
    if (this.#options.tiles === null) this.#base.show();
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
    this.#base.restyle();
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

  reveal(fieldId: string): void {
    const field = this.#pictures.view.fields.find(({ id }) => id === fieldId);
    if (field !== undefined) this.#camera.reveal(field.box);
  }

  setPosition(position: MapPosition): void {
    this.#camera.setPosition(position);
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

  actOnEdge(...[action]: Parameters<FieldMap['actOnEdge']>): void {
    this.#edit.act(action);
  }

  drawEdge(isOn: boolean): void {
    this.#edit.draw(isOn);
  }

  fieldAt(place: Position): string | undefined {
    return this.#values.fieldAt(toMercator(place))?.id;
  }

  pixelsOf(fieldId: string): ShownPixels | undefined {
    return this.#values.pixelsOf(fieldId);
  }

  picture(): MapPicture {
    this.#map.renderSync();
    const canvas = drawnTogether(this.#element, MAP_COLOURS[this.#theme].ground);
    return { canvas, pixelRatio: window.devicePixelRatio, metresPerPixel: this.#camera.groundMetresPerPixel() };
  }

  readAt(place: Position): Readout {
    const outline = this.#outlines.outlineAt(toMercator(place));
    return { ...this.#values.readAt(place), ...(outline === undefined ? {} : { outlineId: outline.id }) };
  }

  destroy(): void {
    this.#edit.edit(undefined);
    void this.#store.want([]);
    this.#reader.end();
    this.#map.setTarget();
    this.#map.dispose();
    this.#base.end();
    this.#furniture.remove();
  }
}

/** Makes a map in an element, which gets a role, a name and a place in the tab order. */
export function createFieldMap(element: HTMLElement, options: FieldMapOptions): FieldMap {
  return new OpenLayersFieldMap(element, options);
}
