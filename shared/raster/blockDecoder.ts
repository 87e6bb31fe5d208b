import { inflateAtMost } from '#inflate';
import { alignedTo, samplesOf, SAMPLE_BYTES, type Pixels, type SampleArray } from './pixels.js';
import { undoPredictor } from './predictor.js';
import { RasterError } from './rasterError.js';
import { neededColumns, type BlockCopy, type PlannedBlock } from './readPlan.js';
import { unpackedBytes, type TiffImage } from './tiffImage.js';

/** The block's values, the predictor undone where a copy needs it. */
async function valuesOf(image: TiffImage, block: PlannedBlock, packed: Uint8Array): Promise<SampleArray> {
  const whole = unpackedBytes(image);
  const unpacked = image.compression === 'none' ? packed.subarray(0, whole) : await inflateAtMost(packed, whole);
  const bytes = alignedTo(SAMPLE_BYTES[image.sampleType], unpacked);
  const needed = (whole / image.blockHeight) * block.rows;
  if (bytes.length < needed) throw new RasterError('corrupt', `it holds ${bytes.length} bytes, ${needed} are needed`);
  if (image.predictor !== 1) undoPredictor(bytes, image, neededColumns(block, image.blockHeight));
  return samplesOf(image.sampleType, bytes);
}

/** How the values of one band lie in a block: `stride` apart, the first at `plane`. */
interface BandInBlock {
  readonly blockWidth: number;
  readonly stride: number;
  readonly plane: number;
  /** Index of the band in the window. */
  readonly band: number;
}

/** Copies one rectangle of one band. */
function copyBand(values: SampleArray, target: Pixels, copy: BlockCopy, from: BandInBlock): void {
  const { blockWidth, stride, plane, band } = from;
  for (let row = 0; row < copy.height; row += 1) {
    const source = ((copy.fromRow + row) * blockWidth + copy.fromColumn) * stride + plane;
    const at = (band * target.height + copy.toRow + row) * target.width + copy.toColumn;
    if (stride === 1) {
      target.data.set(values.subarray(source, source + copy.width), at);
    } else {
      for (let column = 0; column < copy.width; column += 1)
        target.data[at + column] = values[source + column * stride] ?? 0;
    }
  }
}

/**
 * Unpacks a block and copies what the windows need of it.
 *
 * @param packed the block's bytes as stored
 * @returns puts the block into `windows`, the targets in the order of the plan
 * @throws RasterError `corrupt` when the bytes don't unpack to the block
 */
export async function decodeBlock(image: TiffImage, block: PlannedBlock, packed: Uint8Array) {
  const values = await valuesOf(image, block, packed);
  const stride = image.isPlanar ? 1 : image.bands;
  return (windows: readonly Pixels[]): void => {
    for (const copy of block.copies) {
      const target = windows[copy.window];
      if (target === undefined) continue;
      for (let plane = 0; plane < stride; plane += 1) {
        const band = image.isPlanar ? block.plane : plane;
        copyBand(values, target, copy, { blockWidth: image.blockWidth, stride, plane, band });
      }
    }
  };
}

/** Bytes of a window of an image, unpacked. */
export function windowBytes(image: TiffImage, window: { readonly width: number; readonly height: number }): number {
  return window.width * window.height * image.bands * SAMPLE_BYTES[image.sampleType];
}
