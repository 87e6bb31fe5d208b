import { boxAround } from '../../../../shared/geo/shapes/box.js';
import type { Position } from '../../../../shared/geo/shapes/geoJson.js';
import type { GeoBox } from '../../../../shared/scenes/place/footprint.js';
import { type Exchange, isJsonObject, jsonReply, type Reply } from '../http/exchange.js';
import { meetsQuery, operandOf, unknownOperator, withFields } from './itemQuery.js';
import type { ItemFilter, ItemSource } from './itemSource.js';
import { asAnswered } from './oddForms.js';
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

/** The tiles that a query names, where it names any: a source need not look at the others. */
function tilesOf(query: unknown): readonly string[] | undefined {
  const [one, several] = [operandOf(query, 'grid:code', 'eq'), operandOf(query, 'grid:code', 'in')];
  const codes = Array.isArray(several) ? several.map(String) : typeof one === 'string' ? [one] : undefined;
  return codes && [...new Set(codes.map((code) => code.replace(/^MGRS-/, '').padStart(5, '0')))];
}

const stringsIn = (list: unknown): readonly string[] | undefined =>
  Array.isArray(list) ? list.map(String) : undefined;

/** What the source is asked for; undefined when the search is malformed. */
function filterOf(body: Body): ItemFilter | undefined {
  const [box, interval] = [boxOf(body), intervalOf(body['datetime'])];
  if (box === undefined || interval === undefined) return undefined;
  const [tiles, ids] = [tilesOf(body['query']), stringsIn(body['ids'])];
  return {
    box,
    from: interval[0],
    to: interval[1],
    collections: stringsIn(body['collections']) ?? [COLLECTION_1, COLLECTION_0],
    isPlaced: body['bbox'] !== undefined || body['intersects'] !== undefined,
    isOfChanges: operandOf(body['query'], 'updated', 'gte') !== undefined,
    ...(tiles === undefined ? {} : { tiles }),
    ...(ids === undefined ? {} : { ids }),
  };
}

/** Newest first, as the catalogue sorts by default. */
function sortKey({ properties, collection, id }: ItemDocument): string {
  return `${properties.datetime},${collection},${id}`;
}

function found(source: ItemSource, body: Body, origin: string): readonly ItemDocument[] | undefined {
  const filter = filterOf(body);
  if (filter === undefined) return undefined;
  return source
    .find(filter, origin)
    .filter((item) => filter.ids?.includes(item.id) !== false && meetsQuery(item, body['query']))
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

/**
 * POST /v1/search: `next` is the sort key of the last item of the page before.
 *
 * @param largestPage items of a page beyond which the server fails, as behind a gateway that bounds answers
 */
export function searchReply(source: ItemSource, exchange: Exchange, largestPage = Infinity): Reply {
  const body = bodyOf(exchange);
  if (body === undefined) return refusal('The body is no JSON object.');
  if ((limitOf(body['limit']) ?? 0) > largestPage) return jsonReply(502, { message: 'Internal server error' });
  const unknown = unknownOperator(body['query']);
  return unknown === undefined ? pageOf(source, body, exchange.url.origin) : refusal(`A query has no ${unknown}.`);
}

function pageOf(source: ItemSource, body: Body, origin: string): Reply {
  const limit = limitOf(body['limit']);
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
      features: features.map(asAnswered).map((item) => withFields(item, body['fields'])),
      links: next === undefined ? [root] : [link, root],
    },
    { 'content-type': 'application/geo+json; charset=utf-8' },
  );
}
