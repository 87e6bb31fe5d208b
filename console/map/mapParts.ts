import type Interaction from 'ol/interaction/Interaction.js';
import { defaults as defaultInteractions } from 'ol/interaction/defaults.js';
import type OlMap from 'ol/Map.js';
import type MapBrowserEvent from 'ol/MapBrowserEvent.js';
import type Collection from 'ol/Collection.js';
import TileLayer from 'ol/layer/Tile.js';
import XYZ from 'ol/source/XYZ.js';
import type { Position } from '../../shared/geo/shapes/geoJson.js';
import { isMotionReduced } from './mapCamera.js';
import type { FieldMapOptions } from './mapScene.js';
import { fromMercator, toMercator, type MercatorPoint } from './mercator.js';

/** The map ends before the poles. */
const [SOUTHERNMOST, NORTHERNMOST] = [-85, 85];

/** Tiles below the fields, where some are set; none is asked for where there are none. */
export function tileLayers({ tiles }: FieldMapOptions): TileLayer[] {
  if (tiles === null) return [];
  const { urls, minZoom, maxZoom, bounds } = tiles;
  const zooms = { ...(minZoom === undefined ? {} : { minZoom }), ...(maxZoom === undefined ? {} : { maxZoom }) };
  const layer = new TileLayer({ source: new XYZ({ urls: [...urls], ...zooms }), className: 'map-tiles' });
  // Below the least zoom, each tile of the screen would be hundreds.
  if (minZoom !== undefined) layer.setMinZoom(minZoom - 1);
  if (bounds !== undefined) {
    const [west, south, east, north] = bounds;
    const corners = [
      toMercator([west, Math.max(south, SOUTHERNMOST)]),
      toMercator([east, Math.min(north, NORTHERNMOST)]),
    ];
    layer.setExtent(corners.flat());
  }
  return [layer];
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

/**
 * Tells of clicks: at once of one that hits something, of another when it is no double click, which zooms.
 *
 * @param hits whether something can be clicked at a place
 */
export function whenClicked(
  map: OlMap,
  hits: (point: MercatorPoint) => boolean,
  told: (point: MercatorPoint) => void,
): void {
  const tellOf = (isHit: boolean) => (event: MapBrowserEvent) => {
    const [x = 0, y = 0] = event.coordinate;
    if (hits([x, y]) === isHit) told([x, y]);
  };
  map.on('click', tellOf(true));
  map.on('singleclick', tellOf(false));
}

/** Tells where the pointer is; undefined when it has left the map. */
export function whenPointed(element: HTMLElement, map: OlMap, told: (place: Position | undefined) => void): void {
  map.on('pointermove', ({ dragging, coordinate: [x = 0, y = 0] }) => {
    if (!dragging) told(fromMercator([x, y]));
  });
  element.addEventListener('pointerleave', () => {
    told(undefined);
  });
}
