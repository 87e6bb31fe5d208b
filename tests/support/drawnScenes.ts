import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RenderedScene } from '../../tools/scenes/renderScene.js';

const BANDS = ['B02', 'B03', 'B04', 'B08'] as const;
const drawer = 'tools/scenes';
const all = 'build/scenes';

/** Folder of what the drawer as it is now has drawn; a change of the drawer begins a new one and ends all others. */
function folderOfDrawer(): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(drawer).sort()) hash.update(name).update(readFileSync(join(drawer, name)));
  const name = hash.digest('hex').slice(0, 16);
  mkdirSync(join(all, name), { recursive: true });
  for (const other of readdirSync(all)) if (other !== name) rmSync(join(all, other), { recursive: true, force: true });
  return join(all, name);
}
let folder: string | undefined;

/** Share of cloud, the bands and the classes, one after the other. */
function bytesOf({ bands, scl, cloudFraction }: RenderedScene): Uint8Array {
  const arrays = [Float64Array.of(cloudFraction), ...BANDS.map((band) => bands[band]), scl];
  return Buffer.concat(arrays.map(({ buffer, byteOffset, byteLength }) => Buffer.from(buffer, byteOffset, byteLength)));
}

function sceneOf(file: Uint8Array): RenderedScene {
  const { buffer } = Uint8Array.from(file);
  const pixels = (file.length - 8) / (2 * BANDS.length + 1);
  const bandAt = (index: number): Uint16Array => new Uint16Array(buffer, 8 + 2 * pixels * index, pixels).slice();
  return {
    bands: { B02: bandAt(0), B03: bandAt(1), B04: bandAt(2), B08: bandAt(3) },
    scl: new Uint8Array(buffer, 8 + 2 * pixels * BANDS.length).slice(),
    cloudFraction: new Float64Array(buffer, 0, 1)[0] ?? 0,
  };
}

/**
 * A synthetic scene, drawn once for all tests and runs: the next one reads it from `build/scenes`. Two that draw the
 * same at the same time write the same; a file gets its name when it is whole.
 *
 * @param order all that the drawing depends on, as JSON
 */
export function drawnOnce(order: object, draw: () => RenderedScene): RenderedScene {
  folder ??= folderOfDrawer();
  const file = join(folder, createHash('sha256').update(JSON.stringify(order)).digest('hex'));
  if (existsSync(file)) return sceneOf(readFileSync(file));
  const scene = draw();
  writeFileSync(`${file}.${process.pid}`, bytesOf(scene));
  renameSync(`${file}.${process.pid}`, file);
  return scene;
}
