import { mosaic } from '../../raster/mask/mosaic.js';
import type { Pixels } from '../../raster/tiff/pixels.js';
import { RasterError } from '../../raster/tiff/rasterError.js';
import type { KnownOffset } from '../item/boaOffset.js';
import { readFiles, type FieldView, type FileRequest, type GivenPixels } from './fieldView.js';
import { drawnOn, placementIn } from './fieldWindow.js';
import type { SceneReader } from './pixelPorts.js';
import type { BandName, FieldScene } from '../layers/layers.js';
import type { Scene } from '../item/scene.js';
import { withOffset } from './withOffset.js';

/** A view and the bands that its layers need. */
export interface BandOrder {
  readonly view: FieldView;
  readonly bands: readonly BandName[];
}

/** The bands of a field, and the offset to add to their digital numbers. */
export interface FieldBands {
  readonly bands: FieldScene['bands'];
  readonly offset: KnownOffset;
}

/** What layers are made of, with some of the bands that were read. */
export const fieldSceneOf = (
  { window: { grid }, mask, clear }: FieldView,
  { bands, offset }: FieldBands,
  names: readonly BandName[],
): FieldScene => ({
  width: grid.width,
  height: grid.height,
  field: mask,
  clear,
  bands: Object.fromEntries(names.map((name) => [name, bands[name]])),
  offsetDn: offset.offsetDn,
});

/** A scene's offset, or the fault that hides it. */
async function offsetOf(reader: SceneReader, scene: Scene): Promise<KnownOffset | RasterError> {
  try {
    return await reader.offsetOf(scene);
  } catch (error) {
    if (error instanceof RasterError && !error.isTransient) return error;
    throw error;
  }
}

/** What was read of one scene for one band of a view. */
interface ReadPart {
  readonly scene: Scene;
  readonly pixels: Pixels | RasterError;
  readonly offset: KnownOffset | RasterError;
}

/** The fault of a part, undefined when it can be used. */
const faultOf = ({ pixels, offset }: ReadPart): RasterError | undefined =>
  [pixels, offset].find((value) => value instanceof RasterError);

/** The pixels of a mask, 0 elsewhere. */
const onlyIn = (mask: Uint8Array, pixels: Pixels): Pixels => ({
  ...pixels,
  data: pixels.data.map((value, index) => (mask[index] === 1 ? value : 0)),
});

/**
 * Joins the parts into one band: what each scene knows, then what it has at the edge of that. Only the main scene has to be
 * readable; scenes that complete the field may be missing.
 */
function joinedBand({ window, given }: FieldView, parts: readonly ReadPart[]): Uint16Array | RasterError {
  const [main] = parts;
  const fault = main === undefined ? new RasterError('corrupt', 'no scene was read') : faultOf(main);
  if (fault !== undefined) return fault;
  const pictures = parts.flatMap(({ scene, pixels, offset }) => {
    const masks = given.get(scene);
    if (pixels instanceof RasterError || offset instanceof RasterError || masks === undefined) return [];
    const drawn = drawnOn(pixels, { file: scene.grid, target: window.grid, by: 'bilinear' });
    return [{ drawn, masks, offsetDn: offset.offsetDn }];
  });
  const to = pictures[0]?.offsetDn ?? 0;
  const pixelsIn = (which: keyof GivenPixels): readonly Pixels[] =>
    pictures.map(({ drawn, masks, offsetDn }) => withOffset(onlyIn(masks[which], drawn), offsetDn, to));
  const { data } = mosaic([...pixelsIn('known'), ...pixelsIn('edge')], 0);
  return data instanceof Uint16Array ? data : Uint16Array.from(data);
}

async function offsetsOf(
  reader: SceneReader,
  orders: readonly BandOrder[],
): Promise<ReadonlyMap<Scene, KnownOffset | RasterError>> {
  const known = new Map<Scene, KnownOffset | RasterError>();
  for (const scene of new Set(orders.flatMap(({ view }) => view.scenes))) {
    known.set(scene, await offsetOf(reader, scene));
  }
  return known;
}

const unread = new RasterError('corrupt', 'pixels are missing');

/**
 * Reads the 10 m bands of many views, all windows of a file together.
 *
 * @returns one per order; a fault when a band of its main scene cannot be read
 */
export async function readBands(
  reader: SceneReader,
  orders: readonly BandOrder[],
  signal: AbortSignal,
): Promise<readonly (FieldBands | RasterError)[]> {
  const requests = orders.flatMap(({ view, bands }) =>
    bands.flatMap((file) =>
      view.scenes.map((scene): FileRequest => ({
        scene,
        file,
        window: placementIn(scene.grid, view.window.grid).window,
      })),
    ),
  );
  const offsets = await offsetsOf(reader, orders);
  const read = await readFiles(reader, requests, signal);
  let at = 0;
  return orders.map(({ view, bands }) => {
    const joined = bands.map((band): readonly [BandName, Uint16Array | RasterError] => {
      const parts = view.scenes.map((scene): ReadPart => {
        const pixels = read[at] ?? unread;
        at += 1;
        return { scene, pixels, offset: offsets.get(scene) ?? unread };
      });
      return [band, joinedBand(view, parts)];
    });
    return bandsOrFault(joined, offsets.get(view.scenes[0]) ?? unread);
  });
}

function bandsOrFault(
  joined: readonly (readonly [BandName, Uint16Array | RasterError])[],
  offset: KnownOffset | RasterError,
): FieldBands | RasterError {
  if (offset instanceof RasterError) return offset;
  const bands: Partial<Record<BandName, Uint16Array>> = {};
  for (const [name, band] of joined) {
    if (band instanceof RasterError) return band;
    bands[name] = band;
  }
  return { bands, offset };
}
