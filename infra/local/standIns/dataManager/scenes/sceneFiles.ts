import { encodeCog } from '../../../../../shared/raster/write/encodeCog.js';
import { resample } from '../../../../../shared/raster/read/resample.js';
import { foundScenes } from './foundScenes.js';
import type { IngestJob } from './ingestJobs.js';
import { geographicGridOf } from './geographicGrid.js';
import { sceneImages, type SceneLibrary, type SceneRaster } from './sceneLibrary.js';

/** The SCL class of a dense cloud, and what it looks like. */
const CLOUD_CLASS = 9;
const CLOUD_REFLECTANCE = 6500;

/** The bytes of one image of a scene; undefined when the ingest has none of that name. */
export async function sceneFile(
  job: IngestJob,
  { key, image }: { readonly key: string; readonly image: string },
  library: SceneLibrary,
): Promise<Uint8Array | undefined> {
  const name = sceneImages.find((each) => each === image);
  const scenes = await foundScenes(job, library);
  if (name === undefined || !scenes.some((scene) => scene.key === key)) return undefined;
  const raster = await library.read(key, name, job.region);
  if (raster === undefined) return undefined;
  const bytes = await encoded(asOdd(raster, job, name));
  const isNewest = scenes.at(-1)?.key === key;
  const isBroken = job.oddity === 'brokenFiles' || (job.oddity === 'oneBrokenFile' && isNewest && name === 'B04');
  return isBroken ? bytes.subarray(0, Math.floor(bytes.length / 2)) : bytes;
}

function asOdd(raster: SceneRaster, { oddity, region }: IngestJob, image: string): SceneRaster {
  if (oddity === 'overcast') return covered(raster, image === 'SCL' ? CLOUD_CLASS : CLOUD_REFLECTANCE);
  if (oddity !== 'geographic') return raster;
  const to = geographicGridOf(region);
  const by = image === 'SCL' ? 'nearest' : 'bilinear';
  const pixels = resample(raster.pixels, { from: raster.grid, to, nodata: 0, by });
  const data = image === 'SCL' ? pixels.data : Float32Array.from(pixels.data, (value) => value / 10_000);
  return { ...raster, grid: to, pixels: { ...pixels, data } };
}

function covered(raster: SceneRaster, value: number): SceneRaster {
  return { ...raster, pixels: { ...raster.pixels, data: raster.pixels.data.slice().fill(value) } };
}

function encoded({ grid, pixels, origin }: SceneRaster): Promise<Uint8Array> {
  return encodeCog({ grid, pixels, nodata: 0, metadata: { ORIGIN: origin }, overviewsBy: 'nearest' });
}
