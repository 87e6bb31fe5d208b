import Feature from 'ol/Feature.js';
import PointOnMap from 'ol/geom/Point.js';
import PolygonOnMap from 'ol/geom/Polygon.js';
import Draw from 'ol/interaction/Draw.js';
import Modify from 'ol/interaction/Modify.js';
import VectorLayer from 'ol/layer/Vector.js';
import type OlMap from 'ol/Map.js';
import VectorSource from 'ol/source/Vector.js';
import type { Polygon, Position } from '../../shared/geo/shapes/geoJson.js';
import { edgesOf } from '../../shared/geo/soundness/boundaryEdges.js';
import { selfCrossing } from '../../shared/geo/soundness/edgeContact.js';
import { sweepEdges } from '../../shared/geo/soundness/edgeSweep.js';
import { edgeKeys } from './edgeKeys.js';
import type { MapColours } from './mapColours.js';
import type { EdgeAction, EdgeEditing } from './mapScene.js';
import { fromMercator } from './mercator.js';
import { hiddenEmpty, mercatorRings } from './outlineLayers.js';
import { cornerStyles, editStyles } from './outlineStyles.js';

/** Whom the edge tells. */
export interface EdgeEvents {
  readonly onEdge: (geometry: Polygon) => void;
  readonly onEditing: (editing: EdgeEditing | undefined) => void;
}

/** An outline has at least a triangle. */
const LEAST_CORNERS = 3;
/** A finger is this wide, in CSS pixels. */
const TOUCH_TOLERANCE = 14;
/** Seven decimals are a centimetre: more would only make the submission long. */
const DECIMALS = 1e7;

function polygonOf(rings: readonly (readonly number[][])[]): Polygon {
  const rounded = (place: Position): Position => [
    Math.round(place[0] * DECIMALS) / DECIMALS,
    Math.round(place[1] * DECIMALS) / DECIMALS,
  ];
  return {
    type: 'Polygon',
    coordinates: rings.map((ring) => ring.map(([x = 0, y = 0]) => rounded(fromMercator([x, y])))),
  };
}

/** Whether an outline crosses itself, as the service sees it. */
function doesCross({ coordinates }: Polygon): boolean {
  const edges = edgesOf([coordinates]);
  let doesIt = false;
  sweepEdges(edges, (a, b) => {
    doesIt ||= selfCrossing(edges, a, b) !== undefined;
  });
  return doesIt;
}

/** The edge of one polygon: drawn corner by corner, or there already; then dragged, with a way back from each step. */
export class BoundaryEdit {
  readonly #map: OlMap;
  readonly #told: EdgeEvents;
  readonly #source = new VectorSource<Feature<PolygonOnMap>>();
  readonly #layer = hiddenEmpty(new VectorLayer({ source: this.#source, className: 'map-edit', zIndex: 4 }));
  readonly #marks = new VectorSource();
  readonly #markLayer = hiddenEmpty(new VectorLayer({ source: this.#marks, className: 'map-corner', zIndex: 5 }));
  #colours: MapColours;
  #modify: Modify | undefined;
  #draw: Draw | undefined;
  /** What is drawn, the corner that follows the pointer with it; undefined before the first corner. */
  #sketch: PolygonOnMap | undefined;
  /** The outline after each step, first as it was at the beginning. */
  #steps: readonly Polygon[] = [];
  /** Index of the marked corner in the outer ring. */
  #marked: number | undefined;
  #endKeys: (() => void) | undefined;

  constructor(map: OlMap, colours: MapColours, told: EdgeEvents) {
    [this.#map, this.#colours, this.#told] = [map, colours, told];
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
    this.#colours = colours;
    this.#layer.setStyle([...editStyles(colours)]);
    this.#markLayer.setStyle([...cornerStyles(colours)]);
    this.#draw?.getOverlay().setStyle([...editStyles(colours)]);
  }

  /** Lets the corners be dragged, edges be bent by dragging them, marked corners be removed. */
  edit(geometry: Polygon | undefined): void {
    this.#end();
    if (geometry !== undefined) this.#adjust(geometry);
  }

  /** Lets a polygon be drawn, which is then adjusted. */
  draw(isOn: boolean): void {
    this.#end();
    if (!isOn) return;
    const draw = new Draw({
      type: 'Polygon',
      snapTolerance: TOUCH_TOLERANCE,
      // The click that ends the outline marks no corner and brings nothing nearer.
      stopClick: true,
      style: [...editStyles(this.#colours)],
      finishCondition: () => this.#canFinish(),
    });
    draw.on('drawstart', ({ feature }) => {
      this.#sketch = feature.getGeometry() as PolygonOnMap;
      let count = 1;
      this.#tell();
      this.#sketch.on('change', () => {
        // It changes with each move of the pointer, too.
        if (count === this.#corners().length) return;
        count = this.#corners().length;
        this.#tell();
      });
    });
    draw.on('drawend', () => {
      this.#finish();
    });
    draw.on('drawabort', () => {
      this.#sketch = undefined;
      this.#tell();
    });
    this.#draw = draw;
    this.#map.addInteraction(draw);
    this.#listenToKeys();
    // So that its keys move it.
    this.#map.getTargetElement()?.focus();
    this.#tell();
  }

  /** What buttons and keys do. */
  act(action: EdgeAction): void {
    const actions: Readonly<Record<EdgeAction, () => void>> = {
      next: () => {
        this.#step(1);
      },
      before: () => {
        this.#step(-1);
      },
      remove: () => {
        this.#removeCorner();
      },
      undo: () => {
        this.#undo();
      },
      corner: () => this.#draw?.appendCoordinates([this.#map.getView().getCenter() ?? [0, 0]]),
      finish: () => {
        if (this.#draw !== undefined && this.#canFinish()) this.#draw.finishDrawing();
      },
      cancel: () => {
        if (this.#draw !== undefined) this.#end();
      },
    };
    if (this.isOn) actions[action]();
  }

  #listenToKeys(): void {
    this.#endKeys ??= edgeKeys({
      map: this.#map.getTargetElement() ?? undefined,
      isDrawing: () => this.#draw !== undefined,
      onAction: (action) => {
        this.act(action);
      },
    });
  }

  #adjust(geometry: Polygon): void {
    this.#steps = [geometry];
    this.#source.addFeature(new Feature(new PolygonOnMap(mercatorRings(geometry.coordinates))));
    const modify = new Modify({ source: this.#source, pixelTolerance: TOUCH_TOLERANCE });
    modify.on('modifyend', () => {
      this.#take(this.#shape()?.getCoordinates() ?? []);
    });
    this.#modify = modify;
    this.#map.addInteraction(modify);
    this.#listenToKeys();
    this.#tell();
  }

  #shape(): PolygonOnMap | undefined {
    return this.#source.getFeatures()[0]?.getGeometry();
  }

  /** Corners that are set: the last position of a ring is the first again, that of a sketch before it the pointer's. */
  #corners(): number[][] {
    const [ring = []] = (this.#shape() ?? this.#sketch)?.getCoordinates() ?? [];
    // With its first corner a sketch is not closed yet.
    return ring.slice(0, this.#sketch === undefined ? -1 : Math.max(1, ring.length - 2));
  }

  #tell(refused?: EdgeEditing['refused']): void {
    const isDrawing = this.#draw !== undefined;
    const corners = this.#corners().length;
    this.#told.onEditing({
      isDrawing,
      corners,
      marked: this.#marked === undefined ? undefined : this.#marked + 1,
      canUndo: isDrawing ? corners > 0 : this.#steps.length > 1,
      refused,
    });
  }

  /** Takes a step, but none by which a sound outline would cross itself. */
  #take(rings: readonly (readonly number[][])[]): void {
    const [last, taken] = [this.#steps.at(-1), polygonOf(rings)];
    if (last !== undefined && doesCross(taken) && !doesCross(last)) {
      this.#show(last, 'crossing');
      return;
    }
    this.#steps = [...this.#steps, taken];
    this.#show(taken);
    this.#told.onEdge(taken);
  }

  #show({ coordinates }: Polygon, refused?: EdgeEditing['refused']): void {
    this.#shape()?.setCoordinates(mercatorRings(coordinates));
    // Dragged, the marked corner lies elsewhere; where one was added or removed, another one may be meant.
    this.#mark(this.#marked, refused);
  }

  #undo(): void {
    if (this.#draw !== undefined) {
      this.#draw.removeLastPoint();
      return;
    }
    const before = this.#steps.at(-2);
    if (before === undefined) return;
    this.#steps = this.#steps.slice(0, -1);
    this.#show(before);
    this.#told.onEdge(before);
  }

  #mark(corner: number | undefined, refused?: EdgeEditing['refused']): void {
    const place = corner === undefined ? undefined : this.#corners()[corner];
    this.#marked = place === undefined ? undefined : corner;
    this.#marks.clear();
    if (place !== undefined) this.#marks.addFeature(new Feature(new PointOnMap(place)));
    this.#tell(refused);
  }

  #markNear([x = 0, y = 0]: readonly number[], most: number): void {
    const distances = this.#corners().map(([cornerX = 0, cornerY = 0]) => Math.hypot(cornerX - x, cornerY - y));
    const nearest = distances.indexOf(Math.min(...distances));
    this.#mark((distances[nearest] ?? Infinity) <= most ? nearest : undefined);
  }

  #step(by: 1 | -1): void {
    const { length } = this.#corners();
    if (length === 0 || this.#modify === undefined) return;
    const from = this.#marked ?? (by === 1 ? -1 : 0);
    this.#mark((from + by + length) % length);
  }

  #removeCorner(): void {
    const [shape, marked] = [this.#shape(), this.#marked];
    const corners = this.#corners();
    if (shape === undefined || marked === undefined || corners.length <= LEAST_CORNERS) return;
    const left = corners.filter((_, index) => index !== marked);
    const [first = []] = left;
    this.#marked = marked % left.length;
    this.#take([[...left, first], ...shape.getCoordinates().slice(1)]);
  }

  #drawn(): Polygon {
    const corners = this.#corners();
    return polygonOf([[...corners, ...corners.slice(0, 1)]]);
  }

  #canFinish(): boolean {
    const refused = this.#corners().length < LEAST_CORNERS ? 'few' : doesCross(this.#drawn()) ? 'crossing' : undefined;
    if (refused !== undefined) this.#tell(refused);
    return refused === undefined;
  }

  #finish(): void {
    // The corner that followed the pointer is gone by now.
    const drawn = polygonOf(this.#sketch?.getCoordinates() ?? []);
    this.#stopDraw();
    this.#adjust(drawn);
    this.#told.onEdge(drawn);
  }

  #stopDraw(): void {
    if (this.#draw !== undefined) this.#map.removeInteraction(this.#draw);
    [this.#draw, this.#sketch] = [undefined, undefined];
  }

  #end(): void {
    this.#stopDraw();
    if (this.#modify !== undefined) this.#map.removeInteraction(this.#modify);
    this.#modify = undefined;
    this.#endKeys?.();
    this.#endKeys = undefined;
    this.#source.clear();
    this.#marks.clear();
    [this.#steps, this.#marked] = [[], undefined];
    this.#told.onEditing(undefined);
  }
}
