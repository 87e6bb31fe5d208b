import type { Position } from '../../geo/shapes/geoJson.js';
import { element, pathOf, textElement } from '../../jobs/insight/svg.js';
import { toPixel, type Grid } from '../../geo/grid/grid.js';
import { projectionOf } from '../../geo/grid/utm.js';
import type { BoundaryRecord } from './boundaryRecord.js';
import type { ScenePicture } from '../stack/scenePicture.js';

/** What the picture draws of a scene. */
type Ground = Omit<ScenePicture, 'geoTiff'>;

const MARGIN = 12;
const TITLE_HEIGHT = 46;
const FOOT_HEIGHT = 34;
/** The picture of the scene is drawn this wide at least, so that text beside it can be read. */
const LEAST_WIDTH = 640;
const SCALE_BAR_M = 500;
const OUTLINE = '#ffd400';

/**
 * A picture of the boundary as SVG: the search region in true colour (an embedded PNG), the outline, the point and a
 * scale.
 *
 * @param picture the ground under the outline; grey without
 */
export function boundaryPicture(record: BoundaryRecord, picture: Ground | undefined, region: Grid): string {
  const grid = picture?.grid ?? region;
  const zoom = Math.max(1, Math.ceil(LEAST_WIDTH / grid.width));
  const [width, height] = [grid.width * zoom, grid.height * zoom];
  const size = { width: width + 2 * MARGIN, height: height + TITLE_HEIGHT + FOOT_HEIGHT };
  return element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      ...size,
      viewBox: `0 0 ${size.width} ${size.height}`,
      role: 'img',
      'aria-labelledby': 'title description',
      'font-family': 'Helvetica, Arial, sans-serif',
      'font-size': 12,
      fill: '#1f2933',
    },
    element('title', { id: 'title' }, headline(record)),
    element('desc', { id: 'description' }, subline(record, picture)),
    element('rect', { width: size.width, height: size.height, fill: '#ffffff' }),
    textElement(headline(record), { x: MARGIN, y: 20, 'font-size': 15, 'font-weight': 'bold' }),
    textElement(subline(record, picture), { x: MARGIN, y: 38 }),
    element(
      'g',
      { transform: `translate(${MARGIN} ${TITLE_HEIGHT})` },
      ground(picture, { width, height }),
      outlines(record, grid, zoom),
      pointMark(record, grid, zoom),
    ),
    scaleBar(size.height - FOOT_HEIGHT, (SCALE_BAR_M / grid.pixelWidth) * zoom),
  );
}

const headline = ({ areaHectares, confidence, confidenceClass }: BoundaryRecord): string =>
  `Field boundary: ${areaHectares.toFixed(2)} ha, confidence ${confidence.toFixed(2)} (${confidenceClass})`;

function subline({ scenes, pointOnSurface: { longitude, latitude } }: BoundaryRecord, picture?: Ground): string {
  const used = scenes.filter(({ isUsed }) => isUsed).map(({ date }) => date);
  const shown = picture === undefined ? '' : `, ${picture.date} shown`;
  return `Point ${longitude.toFixed(5)}, ${latitude.toFixed(5)}; Sentinel-2 of ${used.join(', ')}${shown}; north is up.`;
}

function ground(picture: Ground | undefined, size: { readonly width: number; readonly height: number }): string {
  if (picture === undefined) return element('rect', { ...size, fill: '#808080' });
  const href = `data:image/png;base64,${Buffer.from(picture.png).toString('base64')}`;
  return element('image', { ...size, href, style: 'image-rendering: pixelated' });
}

function outlines({ boundary, alternatives }: BoundaryRecord, grid: Grid, zoom: number): string {
  const others = alternatives.map((other) => pathAround(other.boundary, grid, zoom));
  const d = pathAround(boundary, grid, zoom);
  return [
    ...others.map((path) =>
      element('path', { d: path, fill: 'none', stroke: '#ffffff', 'stroke-width': 1, 'stroke-dasharray': '5 4' }),
    ),
    element('path', {
      d,
      fill: 'none',
      stroke: '#000000',
      'stroke-width': 4,
      'stroke-opacity': 0.55,
      'stroke-linejoin': 'round',
    }),
    element('path', { d, fill: 'none', stroke: OUTLINE, 'stroke-width': 2, 'stroke-linejoin': 'round' }),
  ].join('');
}

function pathAround({ coordinates }: BoundaryRecord['boundary'], grid: Grid, zoom: number): string {
  return coordinates.map((ring) => `${pathOf(ring.map((position) => placeOn(grid, zoom, position)))}Z`).join('');
}

function placeOn(grid: Grid, zoom: number, position: Position): { readonly x: number; readonly y: number } {
  const [column, row] = toPixel(grid, projectionOf(grid.epsg).toMap(position));
  return { x: column * zoom, y: row * zoom };
}

function pointMark({ pointOnSurface: { longitude, latitude } }: BoundaryRecord, grid: Grid, zoom: number): string {
  const { x, y } = placeOn(grid, zoom, [longitude, latitude]);
  return element('circle', { cx: x, cy: y, r: 4, fill: '#e02020', stroke: '#ffffff', 'stroke-width': 1.5 });
}

function scaleBar(top: number, lengthPixels: number): string {
  const y = top + 16;
  return [
    element('path', { d: `M${MARGIN} ${y - 4}v4h${Math.round(lengthPixels)}v-4`, fill: 'none', stroke: '#1f2933' }),
    textElement(`${SCALE_BAR_M} m`, { x: MARGIN + Math.round(lengthPixels) + 6, y: y + 1 }),
    textElement('Yellow: boundary. White, dashed: other readings. Red: the point.', {
      x: MARGIN + Math.round(lengthPixels) + 64,
      y: y + 1,
    }),
  ].join('');
}
