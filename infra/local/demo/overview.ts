import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DemoSection } from './page.js';

/** A picture of the overview: its file, its place and what is told below it. */
interface Tile {
  readonly file: string;
  readonly caption: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The sections of the demo that the overview shows. */
export type Overviewed = Readonly<Record<'gdd' | 'boundary' | 'imagery', DemoSection>>;

const SIZE = { width: 1200, height: 760 };

/**
 * One picture of what the service makes, as the README shows it: a chart, a boundary, and the layers of the field whose
 * picture has most pixels.
 */
export function overviewOf(folder: string, { gdd, boundary, imagery }: Overviewed): string {
  const chart = gdd.figures[0]?.file ?? '';
  const edge = boundary.figures[0]?.file ?? '';
  const layers = largestLayers(folder, imagery);
  const tiles: Tile[] = [
    { file: chart, caption: 'Degree days of a season', x: 20, y: 60, width: 640, height: 400 },
    { file: edge, caption: 'The field around a point', x: 680, y: 60, width: 500, height: 400 },
    ...layers.map((file, index) => ({
      file,
      caption: /-(true-color|vegetation|scouting)\.png$/.exec(file)?.[1] ?? '',
      x: 20 + index * 393,
      y: 500,
      width: 373,
      height: 220,
    })),
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE.width} ${SIZE.height}" font-family="system-ui, sans-serif">`,
    `<rect width="${SIZE.width}" height="${SIZE.height}" fill="#fff"/>`,
    '<text x="20" y="36" font-size="20" fill="#222">What the service makes of a field (all data synthetic)</text>',
    ...tiles.map((tile) => drawn(folder, tile)),
    '</svg>',
    '',
  ].join('\n');
}

function drawn(folder: string, { file, caption, x, y, width, height }: Tile): string {
  const type = file.endsWith('.svg') ? 'image/svg+xml' : 'image/png';
  const data = readFileSync(join(folder, file)).toString('base64');
  return (
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="none" stroke="#ddd"/>` +
    `<image x="${x + 4}" y="${y + 4}" width="${width - 8}" height="${height - 8}" href="data:${type};base64,${data}"/>` +
    `<text x="${x}" y="${y + height + 20}" font-size="14" fill="#555">${caption}</text>`
  );
}

function largestLayers(folder: string, imagery: DemoSection): readonly string[] {
  const files = imagery.figures.map(({ file }) => file);
  const sizeOf = (file: string): number => readFileSync(join(folder, file)).length;
  const largest = files.filter((file) => file.endsWith('-true-color.png')).toSorted((a, b) => sizeOf(b) - sizeOf(a))[0];
  const field = largest?.replace('true-color.png', '') ?? '';
  return files.filter((file) => field !== '' && file.startsWith(field));
}
