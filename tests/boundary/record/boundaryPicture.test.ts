import { describe, expect, test } from '@jest/globals';
import { toMapPoint } from '../../../shared/geo/grid/grid.js';
import { utmProjection } from '../../../shared/geo/grid/utm.js';
import { boundaryPicture } from '../../../shared/boundary/record/boundaryPicture.js';
import { pngImage } from '../../../shared/boundary/stack/pngImage.js';
import { aRecord, pictureGrid as grid } from '../job/aRecord.js';

/** A picture of one grey pixel, for what does not depend on the pixels. */
const png = pngImage(new Uint8Array(3).fill(99), { width: 1, height: 1 });

/** The attributes of the first element with this name and text within its tag. */
function attributesOf(svg: string, name: string, within = ''): Record<string, string> {
  const tag = (svg.match(new RegExp(`<${name} [^>]*>`, 'g')) ?? []).find((each) => each.includes(within)) ?? '';
  return Object.fromEntries([...tag.matchAll(/([\w:-]+)="([^"]*)"/g)].map(([, key, value]) => [key!, value!]));
}
/** The corners that a path names. */
const cornersOf = (path: string): number[][] =>
  [...path.matchAll(/[ML](-?[\d.]+) (-?[\d.]+)/g)].map(([, x, y]) => [Number(x), Number(y)]);

describe('the picture of a boundary', () => {
  const svg = boundaryPicture(aRecord(), { date: '2026-06-08', grid, png }, grid);

  test('says area, confidence, point and dates in words', () => {
    expect(svg).toContain('Field boundary: 61.20 ha, confidence 0.87 (high)');
    expect(svg).toContain('Point -92.97247, 41.51823; Sentinel-2 of 2026-06-08, 2026-06-08 shown; north is up.');
    expect(boundaryPicture(aRecord(), undefined, grid)).toContain('Sentinel-2 of 2026-06-08; north is up.');
  });

  test('says the same to readers who hear it', () => {
    expect(attributesOf(svg, 'svg')).toMatchObject({ role: 'img', 'aria-labelledby': 'title description' });
    expect(svg).toMatch(/<title id="title">Field boundary: 61\.20 ha/);
    expect(svg).toMatch(/<desc id="description">Point -92\.97247/);
  });

  test.each([
    { pixels: 256, times: 3, why: 'twice would be 512' },
    { pixels: 512, times: 2, why: 'once would be 512' },
    { pixels: 640, times: 1, why: 'that is wide enough' },
    { pixels: 700, times: 1, why: 'a picture is never made smaller' },
  ])('draws $pixels pixels $times times as large, to be at least 640 wide: $why', ({ pixels, times }) => {
    const ground = { ...grid, width: pixels, height: 100 };
    const [width, height] = [pixels * times, 100 * times];
    for (const picture of [undefined, { date: '2026-06-08', grid: ground, png }]) {
      const drawn = boundaryPicture(aRecord(), picture, ground);
      expect(attributesOf(drawn, picture === undefined ? 'rect' : 'image', picture ? '' : '#808080')).toMatchObject({
        width: String(width),
        height: String(height),
      });
      // 12 to either side, 46 above for two lines of text, 34 below for the scale.
      const whole = [width + 24, height + 80];
      const size = { width: String(whole[0]), height: String(whole[1]) };
      expect(attributesOf(drawn, 'svg')).toMatchObject({ ...size, viewBox: `0 0 ${whole.join(' ')}` });
      expect(attributesOf(drawn, 'rect', '#ffffff')).toMatchObject(size);
      expect(attributesOf(drawn, 'g')).toMatchObject({ transform: 'translate(12 46)' });
    }
  });

  test('puts the point and the corners of the outlines where they lie on the ground', () => {
    const { toPosition } = utmProjection(grid.epsg);
    const places = [
      [64, 32],
      [192, 32],
      [128, 160],
      [64, 32],
    ] as const;
    const ring = places.map((pixel) => toPosition(toMapPoint(grid, pixel)));
    const [longitude, latitude] = toPosition(toMapPoint(grid, [100, 50]));
    const boundary = { type: 'Polygon' as const, coordinates: [ring] };
    const drawn = boundaryPicture(
      aRecord({
        pointOnSurface: { longitude, latitude },
        boundary,
        alternatives: [{ boundary, areaHectares: 1, confidence: 0.5 }],
      }),
      undefined,
      grid,
    );
    // 256 pixels are drawn three times as large.
    const expected = places.map(([column, row]) => [3 * column, 3 * row]);
    for (const stroke of ['stroke="#ffd400"', 'stroke="#000000"', 'stroke-dasharray="5 4"'])
      expect(cornersOf(attributesOf(drawn, 'path', stroke)['d']!)).toEqual(expected);
    expect(attributesOf(drawn, 'circle')).toMatchObject({ cx: '300', cy: '150' });
  });

  test.each([
    { pixels: 256, bar: 150, why: '50 pixels of 10 m, each drawn three times as large' },
    { pixels: 512, bar: 100, why: '50 pixels of 10 m, each drawn twice as large' },
  ])('has a scale of 500 m below the ground, $bar long: $why', ({ pixels, bar }) => {
    const drawn = boundaryPicture(aRecord(), undefined, { ...grid, width: pixels, height: 100 });
    const bottom = 46 + (100 * bar) / 50;
    const path = /<path d="M12 ([\d.]+)v4h(\d+)v-4"/.exec(drawn)!;
    expect(Number(path[2])).toBe(bar);
    const [label, legend] = ['500 m', 'Yellow: boundary'].map((words) => {
      const [, x, y] = new RegExp(`<text x="([\\d.]+)" y="([\\d.]+)">${words}`).exec(drawn)!;
      return { x: Number(x), y: Number(y) };
    });
    // Bar and words stand side by side between the ground and the lower edge.
    expect(label!.x).toBeGreaterThan(12 + bar);
    expect(legend!.x).toBeGreaterThan(label!.x + 30);
    for (const y of [Number(path[1]), label!.y, legend!.y]) {
      expect(y).toBeGreaterThan(bottom);
      expect(y).toBeLessThan(bottom + 34);
    }
    expect(legend!.y).toBe(label!.y);
    // The foot of the bar is the line that the words stand on, but for a pixel.
    expect(label!.y - (Number(path[1]) + 4)).toBe(1);
  });

  test('draws the outline on the pixels, closed, and the other reading dashed', () => {
    expect(/<path d="M[^"]+Z" fill="none" stroke="#ffd400"/.exec(svg)).not.toBeNull();
    expect(svg.match(/stroke-dasharray="5 4"/g)).toHaveLength(1);
    expect(svg).toContain('data:image/png;base64,iVBORw0KGgo');
  });

  test('needs nothing from elsewhere', () => {
    expect(svg.replaceAll('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:|<script|@import|url\(/);
  });

  test('is drawn on grey where there are no pixels', () => {
    const bare = boundaryPicture(aRecord(), undefined, grid);
    expect(bare).toContain('fill="#808080"');
    expect(bare).not.toContain('data:image');
  });
});
