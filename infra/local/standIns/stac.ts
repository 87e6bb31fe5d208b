import { systemClock, type Clock } from '../../../shared/kit/clock.js';
import { renderScene } from '../../../tools/scenes/renderScene.js';
import { type Exchange, jsonReply, type Reply } from './http/exchange.js';
import type { Render } from './stac/render.js';
import { FaultScript, type ScriptedFault } from './http/faultScript.js';
import { startServer } from './http/server.js';
import { rangeReply } from './stac/byteRange.js';
import { FolderSource } from './stac/folderSource.js';
import type { ItemSource } from './stac/itemSource.js';
import type { SceneCases } from './stac/sceneCases.js';
import { searchReply } from './stac/searchRoute.js';
import { sceneControl } from './stac/sceneControl.js';
import { SyntheticSource } from './stac/syntheticSource.js';
import { UntidyFeed } from './stac/untidyFeed.js';
import { WithdrawnItems } from './stac/withdrawnItems.js';

export interface StacOptions {
  /** Folder of STAC items (`*.json`) whose relative asset hrefs name files beside them; synthetic scenes when absent. */
  readonly folder?: string;
  /** What synthetic scenes do that tidy ones don't. */
  readonly cases?: SceneCases;
  /** What goes wrong from the start on. */
  readonly faults?: readonly ScriptedFault[];
  /** Draws synthetic scenes; here and now when absent. */
  readonly render?: Render;
  readonly port?: number;
  readonly clock?: Pick<Clock, 'now'>;
}

export interface StacStandIn {
  readonly url: string;
  /** Takes the place of Earth Search's API. */
  readonly apiUrl: string;
  /** Host and port of API and files, as IMAGERY_HOSTS names it. */
  readonly host: string;
  readonly script: FaultScript;
  readonly withdrawn: WithdrawnItems;
  readonly feed: UntidyFeed;
  close(): Promise<void>;
}

const ITEM = /^\/v1\/collections\/([^/]+)\/items\/([^/]+)$/;

function itemReply(source: ItemSource, path: string, origin: string): Reply {
  const [, collection = '', id = ''] = ITEM.exec(path) ?? [];
  const item = source.item(collection, id, origin);
  return item === undefined ? notFound : jsonReply(200, item);
}

async function answerOf(source: ItemSource, exchange: Exchange, { largestPage }: UntidyFeed): Promise<Reply> {
  const { method, url } = exchange;
  const path = decodeURIComponent(url.pathname);
  if (method === 'POST' && path === '/v1/search') return searchReply(source, exchange, largestPage);
  if (method !== 'GET') return notFound;
  if (path === '/v1') return jsonReply(200, landingPage(url.origin));
  if (!path.startsWith('/files/')) return itemReply(source, path, url.origin);
  const file = source.file(path.slice('/files/'.length));
  return file === undefined ? notFound : rangeReply(exchange, file);
}

const renderHere: Render = ({ grid, date, cloudFraction }) =>
  Promise.resolve(renderScene({ ...grid, date }, { cloudFraction }));

const notFound = jsonReply(404, { code: 'NotFound', description: 'Not Found' });

const landingPage = (origin: string): object => ({
  type: 'Catalog',
  id: 'earth-search-stand-in',
  title: 'Scenes of the local environment',
  stac_version: '1.0.0',
  description: 'Speaks the search of Earth Search v1',
  conformsTo: ['https://api.stacspec.org/v1.0.0/core', 'https://api.stacspec.org/v1.0.0/item-search'],
  links: [{ rel: 'search', method: 'POST', type: 'application/geo+json', href: `${origin}/v1/search` }],
});

/**
 * Stands in for Earth Search v1 and the bucket behind it: `POST /v1/search` with paging, items, and the files of
 * scenes by HTTP range. Without a folder the scenes are synthetic, of any place on earth, every five days.
 */
export async function startStac(options: StacOptions = {}): Promise<StacStandIn> {
  const { folder, cases, faults = [], port, clock = systemClock, render = renderHere } = options;
  const all = folder === undefined ? new SyntheticSource(() => clock.now(), render, cases) : new FolderSource(folder);
  const withdrawn = new WithdrawnItems();
  const feed = new UntidyFeed(() => clock.now());
  const source = withdrawn.within(feed.within(all));
  const script = new FaultScript(
    () => {
      withdrawn.set([]);
      feed.set({});
    },
    {
      'POST withdrawn': (exchange) => withdrawn.control(exchange),
      'POST feed': (exchange) => feed.control(exchange),
      'POST scenes': sceneControl(all),
    },
  );
  script.add(...faults);
  const server = await startServer({ answer: (exchange) => answerOf(source, exchange, feed), script, port });
  return { ...server, apiUrl: `${server.url}/v1`, host: new URL(server.url).host, script, withdrawn, feed };
}
