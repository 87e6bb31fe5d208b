import type { Position } from '../../../../shared/geo/shapes/geoJson.js';
import { type Exchange, isJsonObject, jsonReply, type Reply } from '../http/exchange.js';
import type { ItemSource } from './itemSource.js';
import { SyntheticSource } from './syntheticSource.js';

function placeIn(body: Buffer): Position | undefined {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'));
    const place = isJsonObject(parsed) ? parsed['place'] : undefined;
    if (!Array.isArray(place) || place.length !== 2 || !place.every((value) => typeof value === 'number'))
      return undefined;
    const [longitude = 0, latitude = 0] = place;
    return Math.abs(longitude) <= 180 && Math.abs(latitude) < 80 ? [longitude, latitude] : undefined;
  } catch {
    return undefined; // the caller is told what a place looks like
  }
}

/** `POST /.control/scenes` with `{"place": [longitude, latitude]}` publishes a scene of that place now, a synthetic one. */
export const sceneControl =
  (source: ItemSource) =>
  ({ body }: Exchange): Reply => {
    if (!(source instanceof SyntheticSource))
      return jsonReply(409, { message: 'Put the files of the scene into STAC_DIR.' });
    const place = placeIn(body);
    return place === undefined
      ? jsonReply(400, { message: 'Send {"place": [longitude, latitude]}, in degrees.' })
      : jsonReply(200, source.publish(place));
  };
