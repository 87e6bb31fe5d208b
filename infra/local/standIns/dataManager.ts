import { randomUUID } from 'node:crypto';
import { type Clock, systemClock } from '../../../shared/kit/clock.js';
import { attachmentRoutes } from './dataManager/attachmentRoutes.js';
import { insightRoutes } from './dataManager/insightRoutes.js';
import { landRoutes } from './dataManager/landRoutes.js';
import { ResourceStore } from './dataManager/resourceStore.js';
import { ingestRoutes } from './dataManager/scenes/ingestRoutes.js';
import type { IngestCredentials } from './dataManager/scenes/ingestRules.js';
import { firstOf } from './dataManager/scenes/libraries.js';
import { folderScenes } from './dataManager/scenes/folderScenes.js';
import { sceneRoutes } from './dataManager/scenes/sceneRoutes.js';
import { SceneScript } from './dataManager/scenes/sceneScript.js';
import { type Render, syntheticScenes } from './dataManager/scenes/syntheticScenes.js';
import { plantSeed, SEED, type SeedTenant, seedTenants } from './dataManager/seed.js';
import { answerBy, errorReply, WireError } from './dataManager/wire.js';
import { renderScene } from '../../../tools/scenes/renderScene.js';
import type { SceneLibrary } from './dataManager/scenes/sceneLibrary.js';
import { POINT_ON_SURFACE } from '../demo/farms.js';
import { bearerToken, type Exchange, type Reply } from './http/exchange.js';
import { FaultScript } from './http/faultScript.js';
import { startServer } from './http/server.js';

export const DATA_MANAGER_API_VERSION = '2023-11-01-preview';

export interface DataManagerOptions {
  /** Keeps what is written; left out, everything is in memory. */
  readonly directory?: string;
  readonly port?: number;
  /** Judges bearer tokens; left out, any is good. */
  readonly tokenIsValid?: (token: string) => boolean;
  readonly clock?: Pick<Clock, 'now'>;
  /** Draws synthetic scenes; left out, on the thread of the stand-in itself. */
  readonly render?: Render;
  /** A folder of real scenes that are shown where they lie. */
  readonly scenesFolder?: string;
  /** Whether the imagery provider takes these credentials; left out, it takes any. */
  readonly licenceIsGood?: (credentials: IngestCredentials) => boolean;
}

export interface DataManagerStandIn {
  readonly url: string;
  readonly script: FaultScript;
  /** What is odd about the next ingests of scenes. */
  readonly scenes: SceneScript;
  readonly seed: {
    readonly partyId: string;
    readonly farmId: string;
    readonly fieldIds: readonly string[];
    /** Inside a field of `farmId`. */
    readonly pointOnSurface: { readonly longitude: number; readonly latitude: number };
    /** The value of TENANTS, by `tid`. */
    readonly tenants: Readonly<Record<string, SeedTenant>>;
  };
  close(): Promise<void>;
}

/**
 * Stands in for a data manager that lies elsewhere, as far as the service calls one: parties, farms, fields, scenes,
 * insights and their attachments of REST version 2023-11-01-preview, stricter than the product where a client may err.
 * `POST /.control/reset` brings the seed back.
 *
 * Whether the product tells ids of another case apart is documented nowhere. The stand-in does what is harder for a
 * client: it finds them, and answers with its own spelling. An id with a colon, as in `urn:uuid:`, is answered 400.
 */
export async function startDataManager(options: DataManagerOptions = {}): Promise<DataManagerStandIn> {
  const { directory, port, tokenIsValid = () => true, licenceIsGood = () => true, clock = systemClock } = options;
  const store = new ResourceStore(directory);
  plantSeed(store, clock.now());
  const scenes = new SceneScript();
  const onReset = (): void => {
    store.clear();
    scenes.clear();
    plantSeed(store, clock.now());
  };
  const script = new FaultScript(onReset, { 'POST scenes': (exchange) => scenes.control(exchange) });
  const context = { store, now: () => clock.now() };
  const sceneContext = { ...context, script: scenes, library: libraryOf(options, context.now), licenceIsGood };
  const routes = [
    ...landRoutes(context),
    ...insightRoutes(context),
    ...attachmentRoutes(context),
    ...ingestRoutes(sceneContext),
    ...sceneRoutes(sceneContext),
  ];
  const answer = async (exchange: Exchange): Promise<Reply> => {
    try {
      checkCall(exchange, tokenIsValid);
      return withServiceHeaders(await answerBy(routes, exchange));
    } catch (cause) {
      if (cause instanceof WireError) return withServiceHeaders(errorReply(cause));
      throw cause;
    }
  };
  const server = await startServer({ answer, script, port });
  return { ...server, script, scenes, seed: seedOf(server.url) };
}

function libraryOf({ render = renderHere, scenesFolder }: DataManagerOptions, now: () => Date): SceneLibrary {
  const synthetic = syntheticScenes({ render, now });
  return scenesFolder === undefined ? synthetic : firstOf(folderScenes(scenesFolder), synthetic);
}

const renderHere: Render = ({ grid, date, cloudFraction }) =>
  Promise.resolve(renderScene({ ...grid, date }, { cloudFraction }));

function seedOf(url: string): DataManagerStandIn['seed'] {
  const [{ id: partyId, farms, fields }] = SEED;
  const [{ id: farmId } = { id: '' }] = farms;
  const fieldIds = fields.map(({ id }) => id);
  return { partyId, farmId, fieldIds, pointOnSurface: POINT_ON_SURFACE, tenants: seedTenants(url) };
}

function checkCall(exchange: Exchange, tokenIsValid: (token: string) => boolean): void {
  const token = bearerToken(exchange);
  if (token === undefined || !tokenIsValid(token)) {
    throw new WireError(401, 'Unauthorized', 'Send a bearer token for https://farmbeats.azure.net.');
  }
  const versions = exchange.url.searchParams.getAll('api-version');
  if (versions.length !== 1 || versions[0] !== DATA_MANAGER_API_VERSION) {
    throw new WireError(400, 'UnsupportedApiVersion', `Send api-version=${DATA_MANAGER_API_VERSION}.`);
  }
}

function withServiceHeaders(reply: Reply): Reply {
  const own = { 'x-ms-request-id': randomUUID(), 'api-supported-versions': DATA_MANAGER_API_VERSION };
  return { ...reply, headers: { ...reply.headers, ...own } };
}
