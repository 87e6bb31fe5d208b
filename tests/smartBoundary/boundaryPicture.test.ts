import { describe, expect, test } from '@jest/globals';
import { inflateSync } from 'node:zlib';
import { boundaryPicture } from '../../shared/smartBoundary/boundaryPicture.js';
import { pngImage } from '../../shared/smartBoundary/pngImage.js';
import { scenePicture } from '../../shared/smartBoundary/scenePicture.js';
import { aRecord, pictureGrid as grid } from './aRecord.js';

/** Reads what `pngImage` writes: chunks, then rows of differences to the row above. */
function rgbOf(png: Uint8Array): { readonly width: number; readonly height: number; readonly rgb: number[] } {
  const bytes = Buffer.from(png);
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const start = bytes.indexOf('IDAT') + 4;
  const rows = inflateSync(bytes.subarray(start, start + bytes.readUInt32BE(start - 8)));
  const rgb: number[] = [];
  for (let row = 0; row < height; row += 1) {
    for (let at = 0; at < width * 3; at += 1) {
      const above = row === 0 ? 0 : rgb[(row - 1) * width * 3 + at]!;
      rgb.push((rows[row * (width * 3 + 1) + 1 + at]! + above) & 0xff);
    }
  }
  return { width, height, rgb };
}

describe('a PNG', () => {
  test('holds the pixels it was made of', () => {
    const rgb = Uint8Array.from({ length: 3 * 5 * 4 }, (_, k) => (k * 37) % 256);
    expect(rgbOf(pngImage(rgb, { width: 5, height: 4 }))).toEqual({ width: 5, height: 4, rgb: [...rgb] });
  });

  test('begins and ends as the specification says, with the check sums of RFC 2083', () => {
    const png = pngImage(new Uint8Array(3), { width: 1, height: 1 });
    expect(png.subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a');
    expect(png.subarray(-12).toString('hex')).toBe('0000000049454e44ae426082');
  });
});

describe('the picture of a scene', () => {
  const band = (from: number): Uint16Array =>
    Uint16Array.from({ length: 100 }, (_, k) => (k === 0 ? 0 : from + 10 * k));
  const bands = { B02: band(100), B03: band(200), B04: band(300) };
  const use = { date: '2026-06-08', sceneIds: ['s'], clearFraction: 1, isUsed: true };
  const small = { ...grid, width: 10, height: 10 };

  test('goes from dark to bright, with grey where there is no data', () => {
    const picture = scenePicture({
      grid: small,
      scenes: [{ date: '2026-06-08', sceneIds: ['s'], bands }],
      uses: [use],
    })!;
    const { rgb } = rgbOf(picture.png);
    expect(rgb.slice(0, 3)).toEqual([128, 128, 128]);
    expect(rgb.slice(3, 6)).toEqual([0, 0, 0]);
    expect(rgb.slice(-3)).toEqual([255, 255, 255]);
  });

  test('shows the clearest date, the latest of equals', () => {
    const dates = ['2026-06-01', '2026-06-03', '2026-06-08'];
    const scenes = dates.map((date) => ({ date, sceneIds: [date], bands }));
    const uses = dates.map((date, k) => ({
      date,
      sceneIds: [date],
      clearFraction: k === 0 ? 0.7 : 0.9,
      isUsed: k < 2,
    }));
    expect(scenePicture({ grid: small, scenes, uses })?.date).toBe('2026-06-03');
  });

  test('does not exist without a band of visible light or a used date', () => {
    const { B03: _green, ...two } = bands;
    expect(
      scenePicture({ grid: small, scenes: [{ date: 'd', sceneIds: ['s'], bands: two }], uses: [use] }),
    ).toBeUndefined();
    expect(scenePicture({ grid: small, scenes: [], uses: [] })).toBeUndefined();
  });
});

describe('the picture of a boundary', () => {
  const png = pngImage(new Uint8Array(3 * 256 * 256), { width: 256, height: 256 });
  const svg = boundaryPicture(aRecord(), { date: '2026-06-08', grid, png }, grid);

  test('says area, confidence, point and dates in words', () => {
    expect(svg).toContain('Field boundary: 61.20 ha, confidence 0.87 (high)');
    expect(svg).toContain('Sentinel-2 of 2026-06-08, 2026-06-08 shown');
  });

  test('draws the outline on the pixels, closed, and the other reading dashed', () => {
    expect(/<path d="M[^"]+Z" fill="none" stroke="#ffd400"/.exec(svg)).not.toBeNull();
    expect(svg.match(/stroke-dasharray="5 4"/g)).toHaveLength(1);
    expect(svg).toContain('data:image/png;base64,iVBORw0KGgo');
    const numbers = [...(/ d="(M[^"]+)Z" fill="none" stroke="#ffd400"/.exec(svg)?.[1] ?? '').matchAll(/-?[\d.]+/g)];
    for (const [number] of numbers) {
      expect(Number(number)).toBeGreaterThanOrEqual(0);
      expect(Number(number)).toBeLessThanOrEqual(768);
    }
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
