import { inflateAtMost } from '#inflate';
import { alignedTo, samplesOf, SAMPLE_BYTES, type Pixels, type SampleArray } from '../tiff/pixels.js';
import { undoPredictor } from '../tiff/predictor.js';
import { RasterError } from '../tiff/rasterError.js';
import { neededColumns, type BlockCopy, type PlannedBlock } from './readPlan.js';
import { unpackedBytes, type TiffImage } from '../tiff/tiffImage.js';

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

/** Copies the planned rectangles of a block into the windows. */
export function copyBlock(
  image: TiffImage,
  block: PlannedBlock,
  values: SampleArray,
  windows: readonly Pixels[],
): void {
  const stride = image.isPlanar ? 1 : image.bands;
  for (const copy of block.copies) {
    const target = windows[copy.window];
    if (target === undefined) continue;
    for (let plane = 0; plane < stride; plane += 1) {
      copyBand(values, target, copy, { blockWidth: image.blockWidth, stride, plane, band: block.plane + plane });
    }
  }
}

/**
 * Unpacks a block.
 *
 * @param packed the block's bytes as stored
 * @param part `needed`: only the values that the block's windows need are right
 * @throws RasterError `corrupt` when the bytes don't unpack to the block
 */
export async function decodeBlock(
  image: TiffImage,
  block: PlannedBlock,
  { packed, part }: { readonly packed: Uint8Array; readonly part: 'needed' | 'whole' },
): Promise<SampleArray> {
  const whole = unpackedBytes(image);
  const unpacked = image.compression === 'none' ? packed.subarray(0, whole) : await inflateAtMost(packed, whole);
  const bytes = alignedTo(SAMPLE_BYTES[image.sampleType], unpacked);
  const wanted = (whole / image.blockHeight) * block.rows;
  if (bytes.length < wanted) throw new RasterError('corrupt', `it holds ${bytes.length} bytes, ${wanted} are needed`);
  const columns =
    part === 'needed'
      ? neededColumns(block, image.blockHeight)
      : new Uint32Array(image.blockHeight).fill(image.blockWidth, 0, block.rows);
  if (image.predictor !== 1) undoPredictor(bytes, image, columns);
  return samplesOf(image.sampleType, bytes);
}
