import type Interaction from 'ol/interaction/Interaction.js';
import { defaults as defaultInteractions } from 'ol/interaction/defaults.js';
import type OlMap from 'ol/Map.js';
import type Collection from 'ol/Collection.js';
import TileLayer from 'ol/layer/Tile.js';
import XYZ from 'ol/source/XYZ.js';
import { isMotionReduced } from './mapCamera.js';
import type { FieldMapOptions } from './mapScene.js';

/** Tiles below the fields, where some are set. */
export function tileLayers({ tiles }: FieldMapOptions): TileLayer[] {
  return tiles === null ? [] : [new TileLayer({ source: new XYZ({ url: tiles.url }), className: 'map-tiles' })];
}

/** How the map is moved: north stays up. */
export const mapInteractions = (): Collection<Interaction> =>
  defaultInteractions({
    altShiftDragRotate: false,
    pinchRotate: false,
    ...(isMotionReduced() ? { zoomDuration: 0 } : {}),
  });

/** Tells of what moves a map by somebody's hand. */
export function whenMoved(element: HTMLElement, map: OlMap, told: () => void): void {
  for (const moved of ['wheel', 'keydown', 'dblclick'] as const) {
    element.addEventListener(moved, told, { passive: true });
  }
  map.on('pointerdrag', told);
}
