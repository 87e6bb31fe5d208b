import { sampleArray, sampleTypeOf, type Pixels } from '../tiff/pixels.js';

/**
 * Pictures of the same grid laid over each other: each pixel is taken from the first picture that has data there.
 *
 * @param pictures best first, all of one size and data type
 * @returns nodata where none has any
 * @throws RangeError without a picture, or when they differ in size or type
 */
export function mosaic(pictures: readonly Pixels[], nodata: number): Pixels {
  const [first, ...others] = pictures;
  if (first === undefined) throw new RangeError('There is no picture to lay.');
  const { width, height, bands } = first;
  const sampleType = sampleTypeOf(first.data);
  const data = sampleArray(sampleType, first.data.length);
  data.set(first.data);
  for (const picture of others) {
    const isAlike = picture.width === width && picture.height === height && picture.bands === bands;
    if (!isAlike || sampleTypeOf(picture.data) !== sampleType) throw new RangeError('The pictures are not alike.');
    picture.data.forEach((value, index) => {
      if (data[index] === nodata) data[index] = value;
    });
  }
  return { width, height, bands, data };
}
