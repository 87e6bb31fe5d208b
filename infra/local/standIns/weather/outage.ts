import { type Exchange, jsonReply, type Reply } from '../http/exchange.js';
import type { Place, WeatherRecord } from './weatherRecord.js';

/** A place for which no forecast can be had, by nobody and at any time: what an outage leaves of a result can be seen there. */
export const WITHOUT_FORECAST: Place = { latitude: 48.21, longitude: 1.62 };
const REACH_DEGREES = 0.05;

/** 503 to a forecast of that place; undefined elsewhere, and where the record was measured. */
export function outageReply({ url }: Exchange, record: WeatherRecord): Reply | undefined {
  const at = (...names: readonly string[]): number =>
    Number(names.map((name) => url.searchParams.get(name)).find((value) => value !== null) ?? NaN);
  const north = at('latitude', 'lat') - WITHOUT_FORECAST.latitude;
  const east = at('longitude', 'lon') - WITHOUT_FORECAST.longitude;
  const isThere = Math.abs(north) < REACH_DEGREES && Math.abs(east) < REACH_DEGREES;
  if (record.isAllMeasured || !isThere) return undefined;
  return jsonReply(503, { error: true, reason: 'The forecast is away.' });
}
