import Feature from 'ol/Feature.js';
import PolygonOnMap from 'ol/geom/Polygon.js';
import Draw from 'ol/interaction/Draw.js';
import Modify from 'ol/interaction/Modify.js';
import VectorLayer from 'ol/layer/Vector.js';
import type OlMap from 'ol/Map.js';
import VectorSource from 'ol/source/Vector.js';
import type { Polygon, Position } from '../../shared/geo/geoJson.js';
import type { MapColours } from './mapColours.js';
import { fromMercator } from './mercator.js';
import { mercatorRings } from './outlineLayers.js';
import { editStyles } from './outlineStyles.js';

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
  readonly #onEdge: (geometry: Polygon) => void;
  readonly #source = new VectorSource<Feature<PolygonOnMap>>();
  readonly #layer = new VectorLayer({ source: this.#source, className: 'map-edit', zIndex: 4 });
  #modify: Modify | undefined;
  #draw: Draw | undefined;

  constructor(map: OlMap, colours: MapColours, onEdge: (geometry: Polygon) => void) {
    this.#map = map;
    this.#onEdge = onEdge;
    map.addLayer(this.#layer);
    this.setColours(colours);
  }

  /** Whether clicks belong to the edge. */
  get isOn(): boolean {
    return this.#modify !== undefined || this.#draw !== undefined;
  }

  setColours(colours: MapColours): void {
    this.#layer.setStyle([...editStyles(colours)]);
  }

  /** Lets the corners be dragged, edges be bent by dragging them, corners be removed with Alt and a click. */
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
      this.#onEdge(polygonOf(feature.getGeometry() as PolygonOnMap));
      this.#startModify();
    });
    this.#draw = draw;
    this.#map.addInteraction(draw);
  }

  #startModify(): void {
    const modify = new Modify({ source: this.#source, pixelTolerance: TOUCH_TOLERANCE });
    modify.on('modifyend', () => {
      const shape = this.#source.getFeatures()[0]?.getGeometry();
      if (shape !== undefined) this.#onEdge(polygonOf(shape));
    });
    this.#modify = modify;
    this.#map.addInteraction(modify);
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
  }
}
