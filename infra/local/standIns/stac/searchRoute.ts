import { boxAround } from '../../../../shared/raster/grid.js';
import type { Position } from '../../../../shared/geo/geoJson.js';
import type { GeoBox } from '../../../../shared/imagery/catalogue/footprint.js';
import { type Exchange, isJsonObject, jsonReply, type Reply } from '../http/exchange.js';
import type { ItemSource } from './itemSource.js';
import { COLLECTION_0, COLLECTION_1, type ItemDocument } from './sceneItems.js';

const DEFAULT_LIMIT = 10;
const LARGEST_LIMIT = 1_000;

type Body = Readonly<Record<string, unknown>>;

/** Every position of a geometry's coordinates, however deep they lie. */
function positionsOf(coordinates: unknown): Position[] {
  if (!Array.isArray(coordinates)) return [];
  const [x, y] = coordinates as unknown[];
  if (typeof x === 'number' && typeof y === 'number') return [[x, y]];
  return coordinates.flatMap((inner) => positionsOf(inner));
}

const WORLD: GeoBox = [-180, -90, 180, 90];

function boxOf({ bbox, intersects }: Body): GeoBox | undefined {
  if (Array.isArray(bbox)) {
    const [west, south, east, north] = bbox as number[];
    return bbox.length === 4 ? ([west, south, east, north] as GeoBox) : undefined;
  }
  if (!isJsonObject(intersects)) return intersects === undefined ? WORLD : undefined;
  const positions = positionsOf(intersects['coordinates']);
  return positions.length === 0 ? undefined : boxAround(positions);
}

const isOpen = (end: string): boolean => end === '' || end === '..';

/** `A/B`, either end `..` for open, or one instant. */
function intervalOf(datetime: unknown): readonly [from: number, to: number] | undefined {
  if (datetime !== undefined && typeof datetime !== 'string') return undefined;
  const [first = '', last = first] = (datetime ?? '../..').split('/');
  const from = Date.parse(isOpen(first) ? '2015-06-01T00:00:00Z' : first);
  const to = Date.parse(isOpen(last) ? '9999-01-01T00:00:00Z' : last);
  return Number.isNaN(from + to) || from > to ? undefined : [from, to];
}

/** The comparisons of the query extension on numbers; other conditions let everything through. */
function meetsQuery({ properties }: ItemDocument, query: unknown): boolean {
  if (!isJsonObject(query)) return true;
  return Object.entries(query).every(([name, conditions]) => {
    const value = properties[name];
    if (!isJsonObject(conditions) || typeof value !== 'number') return true;
    const { lt, lte, gt, gte } = conditions as Record<string, number | undefined>;
    return (
      (lt === undefined || value < lt) &&
      (lte === undefined || value <= lte) &&
      (gt === undefined || value > gt) &&
      (gte === undefined || value >= gte)
    );
  });
}

/** Newest first, as the catalogue sorts by default. */
function sortKey({ properties, collection, id }: ItemDocument): string {
  return `${properties.datetime},${collection},${id}`;
}

function found(source: ItemSource, body: Body, origin: string): readonly ItemDocument[] | undefined {
  const [box, interval] = [boxOf(body), intervalOf(body['datetime'])];
  if (box === undefined || interval === undefined) return undefined;
  const asked = body['collections'];
  const collections = Array.isArray(asked) ? asked.map(String) : [COLLECTION_1, COLLECTION_0];
  return source
    .find({ box, from: interval[0], to: interval[1], collections }, origin)
    .filter((item) => meetsQuery(item, body['query']))
    .toSorted((a, b) => (sortKey(a) < sortKey(b) ? 1 : -1));
}

const refusal = (description: string): Reply => jsonReply(400, { code: 'BadRequest', description });

function bodyOf({ body }: Exchange): Body | undefined {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'));
    return isJsonObject(parsed) ? parsed : undefined;
  } catch {
    return undefined; // the caller is told that it is no JSON object
  }
}

function limitOf(limit: unknown): number | undefined {
  if (limit === undefined) return DEFAULT_LIMIT;
  return Number.isInteger(limit) && Number(limit) >= 1 ? Math.min(LARGEST_LIMIT, Number(limit)) : undefined;
}

/** POST /v1/search: `next` is the sort key of the last item of the page before. */
export function searchReply(source: ItemSource, exchange: Exchange): Reply {
  const body = bodyOf(exchange);
  if (body === undefined) return refusal('The body is no JSON object.');
  const limit = limitOf(body['limit']);
  const origin = exchange.url.origin;
  const matched = limit === undefined ? undefined : found(source, body, origin);
  if (limit === undefined || matched === undefined) return refusal('intersects, bbox, datetime or limit is malformed.');
  const after = typeof body['next'] === 'string' ? body['next'] : undefined;
  const rest = after === undefined ? matched : matched.filter((item) => sortKey(item) < after);
  const features = rest.slice(0, limit);
  const last = features.at(-1);
  const next = rest.length > features.length && last !== undefined ? sortKey(last) : undefined;
  const link = {
    rel: 'next',
    method: 'POST',
    type: 'application/geo+json',
    href: `${origin}/v1/search`,
    merge: false,
    body: { ...body, next },
  };
  const root = { rel: 'root', type: 'application/json', href: `${origin}/v1` };
  return jsonReply(
    200,
    {
      type: 'FeatureCollection',
      stac_version: '1.0.0',
      numberMatched: matched.length,
      numberReturned: features.length,
      features,
      links: next === undefined ? [root] : [link, root],
    },
    { 'content-type': 'application/geo+json; charset=utf-8' },
  );
}
