import { Type } from 'typebox';
import { commonFaults } from '../../shared/kit/errors/catalogue.js';
import { ServiceError } from '../../shared/kit/errors/serviceError.js';
import { route } from '../../shared/wiring/declare.js';

/** Where there are UTM zones. */
const [SOUTHERNMOST, NORTHERNMOST] = [-80, 84];

/**
 * GET /console/scene.tiff — the newest scene around a place, for the console's maps that have no tiles. Its day is that
 * of `Last-Modified`.
 */
export const consoleScene = route({
  name: 'consoleScene',
  method: 'GET',
  path: 'console/scene.tiff',
  caller: 'apiKey',
  tag: 'Console',
  summary: 'The newest scene around a place',
  errors: 'enrollments',
  rate: 'scene',
  query: Type.Object({
    longitude: Type.Number({ minimum: -180, maximum: 180 }),
    latitude: Type.Number({ minimum: SOUTHERNMOST, maximum: NORTHERNMOST }),
  }),
  success: {
    status: 200,
    description: 'A Cloud Optimized GeoTIFF of red, green and blue.',
    content: { 'image/tiff': { schema: Type.String({ format: 'binary' }) } },
  },
  faults: [commonFaults.notFound, commonFaults.unavailable],
  handle: async ({ query: { longitude, latitude } }, { config, newestScene }) => {
    if (!config.CONSOLE) throw new ServiceError(commonFaults.notFound, 'The console is switched off.');
    const { date, geoTiff } = await newestScene([longitude, latitude]);
    const headers = { 'last-modified': new Date(date).toUTCString() };
    return { status: 200, content: { type: 'image/tiff', data: geoTiff }, headers };
  },
});
