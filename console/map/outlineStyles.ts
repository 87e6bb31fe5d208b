import { getCenter } from 'ol/extent.js';
import type { FeatureLike } from 'ol/Feature.js';
import MultiPoint from 'ol/geom/MultiPoint.js';
import PointOnMap from 'ol/geom/Point.js';
import PolygonOnMap from 'ol/geom/Polygon.js';
import CircleStyle from 'ol/style/Circle.js';
import Fill from 'ol/style/Fill.js';
import Stroke from 'ol/style/Stroke.js';
import Style from 'ol/style/Style.js';
import Text from 'ol/style/Text.js';
import type { MapColours } from './mapColours.js';
import type { MapMark, MapOutline } from './mapScene.js';

const FONT = '600 12px "Figtree Variable", Figtree, system-ui, sans-serif';
const FAULT_FONT = '700 13px "Figtree Variable", Figtree, system-ui, sans-serif';

/** A text on the canvas, so that no name is ever read as HTML. Left out where it would cover what is below it. */
function label(text: string, colours: MapColours, offsetY = 0): Text {
  return new Text({
    text,
    font: FONT,
    offsetY,
    fill: new Fill({ color: colours.text }),
    stroke: new Stroke({ color: colours.halo, width: 3 }),
  });
}

/** Two strokes: a wide one below, so that the line stands out from any picture. */
function haloed(colours: MapColours, color: string, width: number, lineDash?: number[]): Style[] {
  const dash = lineDash === undefined ? {} : { lineDash };
  return [
    new Style({ stroke: new Stroke({ color: colours.halo, width: width + 3 }) }),
    new Style({ stroke: new Stroke({ color, width, ...dash }) }),
  ];
}

/** How a field's edge is drawn: dashed where the day has no picture of it, with a halo when it is selected. */
export function fieldStyles(
  colours: MapColours,
  {
    name,
    hasPicture,
    isSelected,
  }: { readonly name: string; readonly hasPicture: boolean; readonly isSelected: boolean },
): readonly Style[] {
  const dash = hasPicture ? {} : { lineDash: [4, 4] };
  const edge = isSelected
    ? haloed(colours, colours.selected, 2.25)
    : [new Style({ stroke: new Stroke({ color: colours.outline, width: 1, ...dash }) })];
  return [...edge, new Style({ text: label(name, colours), zIndex: 1 })];
}

/** A field whose longer side is shorter than this on the screen is a dot, CSS pixels. */
export const SMALLEST_SIDE = 8;

/** How a field is drawn that is too small for its edge to be seen: a dot in its middle, with its name where there is room. */
export function dotStyles(
  colours: MapColours,
  { name, isSelected }: { readonly name: string; readonly isSelected: boolean },
): readonly Style[] {
  const dot = new CircleStyle({
    radius: isSelected ? 6 : 5,
    fill: new Fill({ color: isSelected ? colours.selected : colours.found }),
    stroke: new Stroke({ color: colours.halo, width: 2 }),
    declutterMode: 'none',
  });
  const geometry = (feature: FeatureLike) => {
    const extent = feature.getGeometry()?.getExtent();
    return extent === undefined ? undefined : new PointOnMap(getCenter(extent));
  };
  return [new Style({ geometry, image: dot }), new Style({ geometry, text: label(name, colours, 16), zIndex: 1 })];
}

/** How an outline that is no field of the list is drawn: each kind has its own dashes as well as its own colour. */
export function outlineStyles(colours: MapColours, { kind, label: text }: MapOutline): readonly Style[] {
  const named = text === undefined ? [] : [new Style({ text: label(text, colours) })];
  const edges = {
    found: () => haloed(colours, colours.found, 3, [10, 6]),
    alternative: () => haloed(colours, colours.alternative, 2, [3, 5]),
    compared: () => haloed(colours, colours.alternative, 4),
    draft: () => haloed(colours, colours.found, 2),
    fault: () => haloed(colours, colours.fault, 2, [8, 4]),
  };
  // Clicks count inside as well: a fill that isn't seen is still hit.
  return [new Style({ fill: new Fill({ color: 'rgb(0 0 0 / 0.004)' }) }), ...edges[kind](), ...named];
}

/** How a place is marked: a disc, or a disc with an exclamation mark where something is wrong. */
export function markStyles(colours: MapColours, { kind, label: text }: MapMark): readonly Style[] {
  const color = kind === 'fault' ? colours.fault : colours.found;
  const radius = kind === 'fault' ? 9 : 7;
  const disc = new CircleStyle({
    radius,
    fill: new Fill({ color }),
    stroke: new Stroke({ color: colours.halo, width: 3 }),
  });
  const sign = new Text({ text: '!', font: FAULT_FONT, fill: new Fill({ color: colours.halo }) });
  return [
    new Style({ image: disc, ...(kind === 'fault' ? { text: sign } : {}) }),
    ...(text === undefined ? [] : [new Style({ text: label(text, colours, 20) })]),
  ];
}

/** Corners and edge of a polygon that is being adjusted. */
export function editStyles(colours: MapColours): readonly Style[] {
  const corner = new CircleStyle({
    radius: 6,
    fill: new Fill({ color: colours.halo }),
    stroke: new Stroke({ color: colours.found, width: 2.5 }),
  });
  const corners = new Style({
    image: corner,
    geometry: (feature) => {
      const shape = feature.getGeometry();
      return shape instanceof PolygonOnMap ? new MultiPoint(shape.getCoordinates().flat()) : shape;
    },
  });
  return [...haloed(colours, colours.found, 2.5), corners];
}

/** The corner that can be taken away: filled, and larger than the others. */
export function cornerStyles(colours: MapColours): readonly Style[] {
  const image = new CircleStyle({
    radius: 9,
    fill: new Fill({ color: colours.fault }),
    stroke: new Stroke({ color: colours.halo, width: 3 }),
  });
  return [new Style({ image })];
}
