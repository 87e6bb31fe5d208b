import { valueAt } from '../../console/map/readValue.js';
import type { Position } from '../../shared/geo/shapes/geoJson.js';
import { memorySource } from '../../shared/raster/read/memorySource.js';
import { openRaster } from '../../shared/raster/read/rasterReader.js';
import { readWindows } from '../../shared/raster/read/windowReader.js';
import { callWithKey } from '../contract/enrollmentCalls.js';
import { service } from '../contract/service.js';

interface Access {
  readonly file_system: string;
  readonly sas_token: string;
  readonly path: string;
}

/** A customer's file, fetched beside the page with a token of its own. */
export async function storedFile(apiKey: string, path: string): Promise<Buffer> {
  const {
    file_system: container,
    sas_token: sas,
    path: folder,
  } = (await callWithKey('/v1/auth/sas-token', apiKey)).json as Access;
  const settings = (await (await fetch(`${service.baseUrl}/console/settings.json`)).json()) as { blobEndpoint: string };
  const address = [container, ...`${folder}/${path}`.split('/')].map(encodeURIComponent).join('/');
  const answer = await fetch(`${settings.blobEndpoint}/${address}?${sas}`);
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return Buffer.from(await answer.arrayBuffer());
}

/** Path of a layer's file. */
export const layerPath = (fieldId: string, date: string, layer: string): string =>
  `sentinel-2/${fieldId}/${date}/${layer}.tiff`;

/** Reads values of a layer's file with the service's own reader. */
export async function storedLayer(apiKey: string, path: string): Promise<(place: Position) => unknown> {
  const raster = await openRaster(memorySource(await storedFile(apiKey, path)));
  const { grid, image, nodata } = raster;
  const [pixels] = await readWindows(raster, [{ column: 0, row: 0, width: image.width, height: image.height }]);
  if (grid === undefined || pixels === undefined) throw new Error(`${path} has no pixels.`);
  return (place) => valueAt({ pixels, grid, nodata, isFullSize: true }, place);
}
