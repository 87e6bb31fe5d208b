import type { MultiPolygon, Polygon, Position } from '../../shared/geo/shapes/geoJson.js';
import type { PageTiles } from '../../shared/http/pages/pageTiles.js';
import type { LayerName } from '../../shared/scenes/layers/layers.js';

/** A layer of the files, or what one day has more of than another: the difference of two pictures of NDVI. */
export type MapLayer = LayerName | 'difference';

/** Where somebody has moved the map to. */
export interface MapPosition {
  readonly centre: Position;
  /** Metres on the ground of a CSS pixel in the middle. */
  readonly metresPerPixel: number;
}

/** A field as the map knows it, whatever the day. */
export interface MapField {
  readonly id: string;
  readonly geometry: Polygon | MultiPolygon;
  /** Written beside it; the id when absent. */
  readonly name?: string;
}

/**
 * What a day has for a field: a picture, or why it has none. `waiting`: asked for, not yet known; `searching`: the service
 * has not looked at any day of the field yet.
 */
export type FieldState = 'picture' | 'cloud' | 'failed' | 'waiting' | 'searching' | 'none';

/** One field on one day. */
export interface FieldDay {
  readonly state: FieldState;
  /**
   * Path of each layer's GeoTIFF within the customer's container, without a signature; it names the picture for good. That
   * of a difference names two, as `differencePath` has it.
   */
  readonly pictures: Readonly<Partial<Record<MapLayer, string>>>;
}

/** Lowest and highest value that colours tell apart, in the layer's unit. */
export type ValueRange = readonly [lowest: number, highest: number];

/**
 * One layer of one day, by field id. A field that isn't named is left as it is; one that is named without a picture is
 * hatched.
 */
export interface DayOnMap {
  readonly layer: MapLayer;
  /** The values that the ends of the colours stand for; those of the layer when absent. */
  readonly range?: ValueRange | undefined;
  readonly fields: ReadonlyMap<string, FieldDay>;
}

/** The value under the pointer, or at a place that was asked for. */
export interface Readout {
  readonly place: Position;
  readonly fieldId?: string;
  /** The pixel's value in the layer's unit: NDVI −1 to 1, percent, or red, green, blue. Undefined without data. */
  readonly value?: number | readonly [red: number, green: number, blue: number];
  /** True while there is no value because the picture is still on its way. */
  readonly isReading?: boolean;
  /** Which side of the divider the value was read from; undefined when nothing is compared. */
  readonly side?: 'left' | 'right';
  /** The outline of `setOutlines` that the place lies in. */
  readonly outlineId?: string;
}

/** A picture below the fields, which the page has already. */
export interface GroundPicture {
  /** Names it for good. */
  readonly path: string;
  /** The file: a GeoTIFF of red, green and blue. */
  readonly bytes: ArrayBuffer;
}

/** An outline that isn't a field of the list. */
export interface MapOutline {
  readonly id: string;
  readonly geometry: Polygon | MultiPolygon;
  /**
   * `found`: a boundary; `alternative`: another candidate; `compared`: one that is pointed at; `draft`: a field to be
   * enrolled; `fault`: one that is refused.
   */
  readonly kind: 'found' | 'alternative' | 'compared' | 'draft' | 'fault';
  /** Drawn as text beside it; never as HTML. */
  readonly label?: string;
}

/** A place with a mark: where somebody clicked, or where a geometry breaks a rule. */
export interface MapMark {
  readonly place: Position;
  readonly kind: 'place' | 'fault';
  readonly label?: string;
}

/**
 * Fetches bytes of a picture. The storage client adds the signature to the path, renews it once when it has run out
 * and never shows it to the map.
 *
 * @param range value of the `Range` header, both ends given: `bytes=0-32767`
 */
export type FetchPicture = (path: string, range: string, signal: AbortSignal) => Promise<Response>;

/**
 * The address that a picture is read from, with a signature; whoever reads keeps it to themselves.
 *
 * @param refused an address that storage takes no more: another signature is asked for, once
 */
export type AddressOf = (path: string, refused?: string) => Promise<string>;

/**
 * Why a picture isn't shown. `broken`: the file is damaged; `refused`: storage said no, or has no such file; `away`:
 * storage could not be reached, or lets nobody through from here; `old-page`: the page's own files are gone.
 */
export type PictureFault = 'broken' | 'refused' | 'away' | 'old-page';

/** What the map is made with, and whom it tells. */
export interface FieldMapOptions {
  readonly fetchPicture: FetchPicture;
  readonly addressOf: AddressOf;
  /** Tiles below the fields; when null, the built-in base. */
  readonly tiles: PageTiles | null;
  readonly theme: 'light' | 'dark';
  /** Name of the region for screen readers. */
  readonly label: string;
  /** Undefined when the pointer has left the map. Told again when day or layer change under a resting pointer. */
  readonly onHover?: (readout: Readout | undefined) => void;
  /** A click or tap; with the field's id when it hits one. */
  readonly onClick?: (place: Position, fieldId: string | undefined) => void;
  /** A click on an outline of `setOutlines`. `onClick` isn't told of it. */
  readonly onOutlineClick?: (outlineId: string) => void;
  /** The edge that is being adjusted, after each change. */
  readonly onEdge?: (geometry: Polygon) => void;
  /** Where the map is once somebody has moved it; undefined when it shows all again. */
  readonly onMoved?: (position: MapPosition | undefined) => void;
  /** How far the edge is that is drawn or adjusted; undefined when none is. */
  readonly onEditing?: (editing: EdgeEditing | undefined) => void;
  /** How many pictures of the view are on their way. */
  readonly onReading?: (count: number) => void;
  /** A picture that can't be read, once while it is shown. */
  readonly onUnreadable?: (fieldId: string, fault: PictureFault) => void;
}

/** An edge while it is drawn or adjusted. */
export interface EdgeEditing {
  readonly isDrawing: boolean;
  /** How many corners it has, while it is drawn those that are set. */
  readonly corners: number;
  /** The marked one, from 1. */
  readonly marked: number | undefined;
  readonly canUndo: boolean;
  /** Why the last step was not taken: the edge would cross itself, or has too few corners to be one. */
  readonly refused: 'crossing' | 'few' | undefined;
}

/**
 * What can be done with the edge: mark the `next` corner or the one `before`, `remove` the marked one (a triangle keeps
 * its corners), `undo` the last step; while it is drawn, set a `corner` in the middle of the map, `finish` or `cancel` it.
 */
export type EdgeAction = 'next' | 'before' | 'remove' | 'undo' | 'corner' | 'finish' | 'cancel';

/** Values of a field as its picture has them, of one band. */
export interface ShownPixels {
  readonly data: ArrayLike<number>;
  readonly nodata: number | undefined;
}

/** The map as it is seen. */
export interface MapPicture {
  readonly canvas: HTMLCanvasElement;
  /** Device pixels of a CSS pixel. */
  readonly pixelRatio: number;
  readonly metresPerPixel: number;
}

/** Where fields, pictures and edges are shown. */
export interface FieldMap {
  /** The fields; fits them into view until somebody has moved the map. */
  setFields(fields: readonly MapField[]): void;
  /**
   * Shows a day, or none; with `left`, that one left of the divider. Settles when every picture in view is drawn or
   * failed, or when another call has taken its place.
   *
   * @param ahead days that may be shown next, asked for when this one is there
   */
  show(day: DayOnMap | undefined, left?: DayOnMap, ahead?: () => readonly DayOnMap[]): Promise<void>;
  /** Shows a picture below the fields in place of the one before; none when undefined. */
  setGround(ground: GroundPicture | undefined): void;
  /** Draws the built-in base below the fields, where there are no tiles: what is asked for first comes first. */
  showBase(): void;
  /** Asks once more for the pictures of the day that could not be read. */
  readAgain(): void;
  /** Halo around a field. */
  select(fieldId: string | undefined): void;
  /** @param fraction 0 to 1 */
  setOpacity(fraction: number): void;
  /** Where the compared days meet, from the left edge. @param fraction 0 to 1 */
  setDivider(fraction: number): void;
  /** CSS pixels at each side that panels cover: what is brought into view stays beside them. */
  setPadding(padding: readonly [top: number, right: number, bottom: number, left: number]): void;
  setTheme(theme: 'light' | 'dark'): void;
  /** Brings these fields into view, or all with all outlines. */
  fit(fieldIds?: readonly string[]): void;
  /** Brings a field into view without a change of scale where it fits; nothing moves when it is in view. */
  reveal(fieldId: string): void;
  /** Goes to where somebody had moved a map. */
  setPosition(position: MapPosition): void;
  /** Brings a place into view, about 1 km around it. */
  goTo(place: Position): void;
  /** @param steps above 0 nearer, below 0 farther */
  zoomBy(steps: number): void;
  /** Replaces all outlines. */
  setOutlines(outlines: readonly MapOutline[]): void;
  /** Brings all outlines, or one, into view. */
  fitOutlines(outlineId?: string): void;
  setMarks(marks: readonly MapMark[]): void;
  /** Lets the edge of a polygon be dragged; undefined ends it. */
  editEdge(geometry: Polygon | undefined): void;
  actOnEdge(action: EdgeAction): void;
  /** Lets a new polygon be drawn; `onEdge` tells it, then it is edited. False ends it. */
  drawEdge(isOn: boolean): void;
  /** Id of the field that a place lies in. */
  fieldAt(place: Position): string | undefined;
  /** The pixels of a field that are shown; undefined while they are on their way, and where there are none. */
  pixelsOf(fieldId: string): ShownPixels | undefined;
  /** What the map shows now, in device pixels, and the ground below it. */
  picture(): MapPicture;
  /** Value and field at a place, from the pictures that are shown. */
  readAt(place: Position): Readout;
  destroy(): void;
}
