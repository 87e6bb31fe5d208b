import { type Clock, systemClock } from '../../../shared/kit/clock.js';
import { type Exchange, jsonReply, type Reply } from './http/exchange.js';
import { FaultScript } from './http/faultScript.js';
import { startServer } from './http/server.js';
import { readCsvWeather } from './weather/csvWeather.js';
import { MetNorway } from './weather/metNorway.js';
import { powerReply } from './weather/nasaPower.js';
import { archiveReply, forecastReply } from './weather/openMeteo.js';
import { outageReply } from './weather/outage.js';
import { syntheticWeather } from './weather/syntheticWeather.js';
import { TerrainTiles } from './weather/terrainTile.js';
import type { WeatherRecord } from './weather/weatherRecord.js';

export interface WeatherOptions {
  /** A table `date,tmax_c,tmin_c` whose days are served for every place instead of synthetic ones. */
  readonly csvFile?: string;
  readonly port?: number;
  readonly clock?: Pick<Clock, 'now'>;
}

export interface Weather {
  readonly url: string;
  /** Take the places of the addresses of Open-Meteo, NASA POWER, MET Norway and the bucket of Copernicus DEM GLO-90. */
  readonly archiveUrl: string;
  readonly forecastUrl: string;
  readonly powerUrl: string;
  readonly metNorwayUrl: string;
  readonly terrainUrl: string;
  readonly script: FaultScript;
  close(): Promise<void>;
}

type ReplyOf = (exchange: Exchange, record: WeatherRecord, now: Date) => Reply;

const PATHS = { archive: '/v1/archive', forecast: '/v1/forecast', power: '/api/temporal/daily/point' };
const MET_NORWAY = '/weatherapi/locationforecast/2.0/complete';
const FORECASTS: readonly string[] = [PATHS.forecast, MET_NORWAY];
const TERRAIN = '/dem';
const REPLIES: ReadonlyMap<string, ReplyOf> = new Map([
  [PATHS.archive, archiveReply],
  [PATHS.forecast, forecastReply],
  [PATHS.power, powerReply],
]);

/**
 * Stands in for Open-Meteo, NASA POWER, MET Norway and a terrain model. The weather is synthetic unless a file is
 * given; every answer says which in `source` (Open-Meteo), `header.sources` (POWER) or `meta.source` (MET Norway).
 * Synthetic sources disagree as real ones do: each has its bias, its grid and its delay, and for one place
 * nobody has a forecast.
 */
export async function startWeather({ csvFile, port, clock = systemClock }: WeatherOptions = {}): Promise<Weather> {
  const record = csvFile === undefined ? syntheticWeather : readCsvWeather(csvFile);
  const script = new FaultScript();
  const metNorway = new MetNorway(record);
  const terrain = new TerrainTiles(record);
  const answer = async (exchange: Exchange): Promise<Reply> => {
    const { pathname } = exchange.url;
    const outage = FORECASTS.includes(pathname) ? outageReply(exchange, record) : undefined;
    if (outage !== undefined) return outage;
    if (pathname === MET_NORWAY) return metNorway.reply(exchange, clock.now());
    const tile = await terrain.reply(exchange);
    if (tile !== undefined) return tile;
    const replyOf = REPLIES.get(pathname);
    if (replyOf === undefined || exchange.method !== 'GET') return jsonReply(404, { error: true, reason: 'Not Found' });
    return replyOf(exchange, record, clock.now());
  };
  const server = await startServer({ answer, script, port });
  return {
    ...server,
    archiveUrl: server.url + PATHS.archive,
    forecastUrl: server.url + PATHS.forecast,
    powerUrl: server.url + PATHS.power,
    metNorwayUrl: server.url + MET_NORWAY,
    terrainUrl: server.url + TERRAIN,
    script,
  };
}
