import Feature, { type FeatureLike } from 'ol/Feature.js';
import MultiPolygonOnMap from 'ol/geom/MultiPolygon.js';
import PointOnMap from 'ol/geom/Point.js';
import PolygonOnMap from 'ol/geom/Polygon.js';
import VectorLayer from 'ol/layer/Vector.js';
import VectorSource from 'ol/source/Vector.js';
import type Style from 'ol/style/Style.js';
import type { MultiPolygon, Polygon } from '../../shared/geo/shapes/geoJson.js';
import { boxAroundAll } from './fieldsOnMap.js';
import type { MapColours } from './mapColours.js';
import type { MapField, MapMark, MapOutline } from './mapScene.js';
import { toMercator, type MercatorPoint } from './mercator.js';
import { dotStyles, fieldStyles, markStyles, outlineStyles, SMALLEST_SIDE } from './outlineStyles.js';
import type { MercatorBox } from './warp.js';

/** Where a field's edge gets its look from. */
export interface FieldLook {
  readonly selected: string | undefined;
  readonly hasPicture: (fieldId: string) => boolean;
}

/** Rings of one part in the map's coordinates. */
export function mercatorRings(part: Polygon['coordinates']): number[][][] {
  return part.map((ring) => ring.map(toMercator));
}

/** A GeoJSON geometry in the map's coordinates. */
function onMap(geometry: Polygon | MultiPolygon): PolygonOnMap | MultiPolygonOnMap {
  return geometry.type === 'Polygon'
    ? new PolygonOnMap(mercatorRings(geometry.coordinates))
    : new MultiPolygonOnMap(geometry.coordinates.map(mercatorRings));
}

/**
 * A layer of lines with a canvas of its own: sharing that of the pictures would fade the lines with them.
 *
 * @param name of the canvas
 */
function lines(name: string, source: VectorSource, zIndex: number, declutter = false) {
  return hiddenEmpty(new VectorLayer({ source, className: name, zIndex, declutter, updateWhileInteracting: true }));
}

/** Takes a layer away while nothing is on it: without a graphics card the browser copies every canvas with each frame. */
export function hiddenEmpty<L extends VectorLayer>(layer: L): L {
  const source = layer.getSource();
  const look = (): void => {
    layer.setVisible(source?.isEmpty() === false);
  };
  source?.on('change', look);
  look();
  return layer;
}

const areaOf = (feature: Feature): number => (feature.getGeometry() as ReturnType<typeof onMap>).getArea();

function longerSideOf(feature: FeatureLike): number {
  const [west = 0, south = 0, east = 0, north = 0] = feature.getGeometry()?.getExtent() ?? [];
  return Math.max(east - west, north - south);
}

/** The edges of the fields, outlines that are none, and marks. */
export class OutlineLayers {
  readonly #fields = new VectorSource();
  readonly #outlines = new VectorSource();
  readonly #marks = new VectorSource();
  readonly layers = [
    lines('map-fields', this.#fields, 2, true),
    lines('map-outlines', this.#outlines, 3),
    lines('map-marks', this.#marks, 5),
  ] as const;

  #colours: MapColours | undefined;
  #looks = '';

  constructor(colours: MapColours, look: FieldLook) {
    this.restyle(colours, look);
  }

  /** Draws lines anew where they change: in other colours, or for another day or selection. */
  restyle(colours: MapColours, look: FieldLook): void {
    this.#restyleFields(colours, look);
    if (this.#colours === colours) return;
    this.#colours = colours;
    const [, outlines, marks] = this.layers;
    outlines.setStyle((feature) => [...outlineStyles(colours, feature.get('outline') as MapOutline)]);
    marks.setStyle((feature) => [...markStyles(colours, feature.get('mark') as MapMark)]);
  }

  /** Names are measured and placed each time, so a day that looks like the one before changes nothing. */
  #restyleFields(colours: MapColours, { selected, hasPicture }: FieldLook): void {
    const pictured = new Set(this.#ids().filter(hasPicture));
    const looks = JSON.stringify([selected, [...pictured]]);
    if (this.#colours === colours && this.#looks === looks) return;
    this.#looks = looks;
    const known = new Map<string, Style[]>();
    this.layers[0].setStyle((feature, resolution) => {
      const id = String(feature.getId());
      const isDot = longerSideOf(feature) / resolution < SMALLEST_SIDE;
      const look = {
        name: String(feature.get('name') ?? id),
        hasPicture: pictured.has(id),
        isSelected: id === selected,
      };
      const key = `${id} ${isDot}`;
      const styles = known.get(key) ?? [...(isDot ? dotStyles : fieldStyles)(colours, look)];
      known.set(key, styles);
      return styles;
    });
  }

  #ids(): readonly string[] {
    return this.#fields.getFeatures().map((feature) => String(feature.getId()));
  }

  setFields(fields: readonly MapField[]): void {
    this.#fields.clear();
    this.#fields.addFeatures(
      fields.map(({ id, geometry, name }) => {
        const feature = new Feature({ geometry: onMap(geometry), name });
        feature.setId(id);
        return feature;
      }),
    );
  }

  setOutlines(outlines: readonly MapOutline[]): void {
    this.#outlines.clear();
    this.#outlines.addFeatures(outlines.map((outline) => new Feature({ geometry: onMap(outline.geometry), outline })));
  }

  /** The smallest outline at a place: a part of a field is meant, not what lies around it. */
  outlineAt(point: MercatorPoint): MapOutline | undefined {
    const [smallest] = this.#outlines
      .getFeaturesAtCoordinate([...point])
      .sort((one, other) => areaOf(one) - areaOf(other));
    return smallest?.get('outline') as MapOutline | undefined;
  }

  /** What the outlines, or one of them, reach over; undefined when there are none. */
  extentOf(outlineId: string | undefined): MercatorBox | undefined {
    const features = this.#outlines.getFeatures();
    const chosen = features.filter(
      (feature) => outlineId === undefined || (feature.get('outline') as MapOutline).id === outlineId,
    );
    if (chosen.length === 0) return undefined;
    return boxAroundAll(
      chosen.map((feature): MercatorBox => {
        const [west = 0, south = 0, east = 0, north = 0] = feature.getGeometry()?.getExtent() ?? [];
        return [west, south, east, north];
      }),
    );
  }

  setMarks(marks: readonly MapMark[]): void {
    this.#marks.clear();
    this.#marks.addFeatures(
      marks.map((mark) => new Feature({ geometry: new PointOnMap(toMercator(mark.place)), mark })),
    );
  }
}
