import Feature from 'ol/Feature.js';
import PointOnMap from 'ol/geom/Point.js';
import PolygonOnMap from 'ol/geom/Polygon.js';
import Draw from 'ol/interaction/Draw.js';
import Modify from 'ol/interaction/Modify.js';
import VectorLayer from 'ol/layer/Vector.js';
import type OlMap from 'ol/Map.js';
import VectorSource from 'ol/source/Vector.js';
import type { Polygon, Position } from '../../shared/geo/geoJson.js';
import type { MapColours } from './mapColours.js';
import type { MarkedCorner } from './mapScene.js';
import { fromMercator } from './mercator.js';
import { hiddenEmpty, mercatorRings } from './outlineLayers.js';
import { cornerStyles, editStyles } from './outlineStyles.js';

/** Whom the edge tells. */
export interface EdgeEvents {
  readonly onEdge: (geometry: Polygon) => void;
  readonly onCorner: (corner: MarkedCorner | undefined) => void;
}

/** An outline has at least a triangle. */
const LEAST_CORNERS = 3;
/** A finger is this wide, in CSS pixels. */
const TOUCH_TOLERANCE = 14;
/** Seven decimals are a centimetre: more would only make the submission long. */
const DECIMALS = 1e7;

function polygonOf(shape: PolygonOnMap): Polygon {
  const rounded = (place: Position): Position => [
    Math.round(place[0] * DECIMALS) / DECIMALS,
    Math.round(place[1] * DECIMALS) / DECIMALS,
  ];
  const rings = shape.getCoordinates().map((ring) => ring.map(([x = 0, y = 0]) => rounded(fromMercator([x, y]))));
  return { type: 'Polygon', coordinates: rings };
}

/** Dragging the edge of a polygon, or drawing a new one. */
export class BoundaryEdit {
  readonly #map: OlMap;
  readonly #told: EdgeEvents;
  readonly #source = new VectorSource<Feature<PolygonOnMap>>();
  readonly #layer = hiddenEmpty(new VectorLayer({ source: this.#source, className: 'map-edit', zIndex: 4 }));
  readonly #marks = new VectorSource();
  readonly #markLayer = hiddenEmpty(new VectorLayer({ source: this.#marks, className: 'map-corner', zIndex: 5 }));
  #modify: Modify | undefined;
  #draw: Draw | undefined;
  /** Index of the marked corner in the outer ring. */
  #corner: number | undefined;

  constructor(map: OlMap, colours: MapColours, told: EdgeEvents) {
    this.#map = map;
    this.#told = told;
    map.addLayer(this.#layer);
    map.addLayer(this.#markLayer);
    map.on('click', ({ coordinate, map: clicked }) => {
      const resolution = clicked.getView().getResolution() ?? 1;
      if (this.#modify !== undefined) this.#markNear(coordinate, TOUCH_TOLERANCE * resolution);
    });
    this.setColours(colours);
  }

  /** Whether clicks belong to the edge. */
  get isOn(): boolean {
    return this.#modify !== undefined || this.#draw !== undefined;
  }

  setColours(colours: MapColours): void {
    this.#layer.setStyle([...editStyles(colours)]);
    this.#markLayer.setStyle([...cornerStyles(colours)]);
  }

  /** Lets the corners be dragged, edges be bent by dragging them, marked corners be removed. */
  edit(geometry: Polygon | undefined): void {
    this.#end();
    if (geometry === undefined) return;
    this.#source.addFeature(new Feature(new PolygonOnMap(mercatorRings(geometry.coordinates))));
    this.#startModify();
  }

  draw(isOn: boolean): void {
    this.#end();
    if (!isOn) return;
    const draw = new Draw({ source: this.#source, type: 'Polygon', snapTolerance: TOUCH_TOLERANCE });
    draw.on('drawend', ({ feature }) => {
      this.#stopDraw();
      this.#told.onEdge(polygonOf(feature.getGeometry() as PolygonOnMap));
      this.#startModify();
    });
    this.#draw = draw;
    this.#map.addInteraction(draw);
  }

  #startModify(): void {
    const modify = new Modify({ source: this.#source, pixelTolerance: TOUCH_TOLERANCE });
    modify.on('modifyend', () => {
      this.#tellEdge();
    });
    this.#modify = modify;
    this.#map.addInteraction(modify);
  }

  #shape(): PolygonOnMap | undefined {
    return this.#source.getFeatures()[0]?.getGeometry();
  }

  #tellEdge(): void {
    const shape = this.#shape();
    if (shape === undefined) return;
    this.#told.onEdge(polygonOf(shape));
    // Dragged, it lies elsewhere; where a corner was added or removed, another one may be meant.
    this.#mark(this.#corner);
  }

  /** Corners of the outer ring; the last position is the first again. */
  #corners(): number[][] {
    return this.#shape()?.getCoordinates()[0]?.slice(0, -1) ?? [];
  }

  #mark(corner: number | undefined): void {
    const corners = this.#corners();
    const place = corner === undefined ? undefined : corners[corner];
    this.#corner = place === undefined ? undefined : corner;
    this.#marks.clear();
    if (place !== undefined) this.#marks.addFeature(new Feature(new PointOnMap(place)));
    const isMarked = this.#corner !== undefined;
    this.#told.onCorner(isMarked ? { number: (this.#corner ?? 0) + 1, count: corners.length } : undefined);
  }

  #markNear([x = 0, y = 0]: readonly number[], most: number): void {
    const distances = this.#corners().map(([cornerX = 0, cornerY = 0]) => Math.hypot(cornerX - x, cornerY - y));
    const nearest = distances.indexOf(Math.min(...distances));
    this.#mark((distances[nearest] ?? Infinity) <= most ? nearest : undefined);
  }

  markCorner(step: 1 | -1): void {
    const { length } = this.#corners();
    if (length === 0) return;
    const from = this.#corner ?? (step === 1 ? -1 : 0);
    this.#mark((from + step + length) % length);
  }

  removeCorner(): void {
    const [shape, corner] = [this.#shape(), this.#corner];
    const corners = this.#corners();
    if (shape === undefined || corner === undefined || corners.length <= LEAST_CORNERS) return;
    const left = corners.filter((_, index) => index !== corner);
    const [first = []] = left;
    const [, ...holes] = shape.getCoordinates();
    shape.setCoordinates([[...left, first], ...holes]);
    this.#told.onEdge(polygonOf(shape));
    this.#mark(corner % left.length);
  }

  #stopDraw(): void {
    if (this.#draw !== undefined) this.#map.removeInteraction(this.#draw);
    this.#draw = undefined;
  }

  #end(): void {
    this.#stopDraw();
    if (this.#modify !== undefined) this.#map.removeInteraction(this.#modify);
    this.#modify = undefined;
    this.#source.clear();
    this.#mark(undefined);
  }
}
