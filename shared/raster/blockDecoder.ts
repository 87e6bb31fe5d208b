import { inflateAtMost } from '#inflate';
import { alignedTo, samplesOf, SAMPLE_BYTES, type Pixels, type SampleArray } from './pixels.js';
import { undoPredictor } from './predictor.js';
import { RasterError } from './rasterError.js';
import { neededColumns, type BlockCopy, type PlannedBlock } from './readPlan.js';
import { unpackedBytes, type TiffImage } from './tiffImage.js';

/** The part of a block that is needed; `columns` as from `neededColumns`. */
type Needed = Pick<PlannedBlock, 'rows'> & { readonly columns: Uint32Array };

/** The block's values, the predictor undone where they are needed. */
async function valuesOf(image: TiffImage, needed: Needed, packed: Uint8Array): Promise<SampleArray> {
  const whole = unpackedBytes(image);
  const unpacked = image.compression === 'none' ? packed.subarray(0, whole) : await inflateAtMost(packed, whole);
  const bytes = alignedTo(SAMPLE_BYTES[image.sampleType], unpacked);
  const wanted = (whole / image.blockHeight) * needed.rows;
  if (bytes.length < wanted) throw new RasterError('corrupt', `it holds ${bytes.length} bytes, ${wanted} are needed`);
  if (image.predictor !== 1) undoPredictor(bytes, image, needed.columns);
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
      const band = image.isPlanar ? block.plane : plane;
      copyBand(values, target, copy, { blockWidth: image.blockWidth, stride, plane, band });
    }
  }
}

/**
 * Unpacks the part of a block that its windows need.
 *
 * @param packed the block's bytes as stored
 * @throws RasterError `corrupt` when the bytes don't unpack to the block
 */
export const decodeBlock = (image: TiffImage, block: PlannedBlock, packed: Uint8Array): Promise<SampleArray> =>
  valuesOf(image, { rows: block.rows, columns: neededColumns(block, image.blockHeight) }, packed);

/** Unpacks all of a block. @throws as `decodeBlock` */
export function decodeWhole(image: TiffImage, { rows }: PlannedBlock, packed: Uint8Array): Promise<SampleArray> {
  const columns = new Uint32Array(image.blockHeight).fill(image.blockWidth, 0, rows);
  return valuesOf(image, { rows, columns }, packed);
}
