import { jsonReply, type Reply } from '../../http/exchange.js';
import { required, type RouteContext } from '../landRoutes.js';
import { refuseUnknownQuery } from '../paging.js';
import { type Call, idOf, invalid, jsonOf, type Route, unknown, WireError } from '../wire.js';
import { type IngestFailure, type IngestJob, IngestJobs, regionOf } from './ingestJobs.js';
import { type IngestCredentials, ingestRequestOf } from './ingestRules.js';
import { foundScenes } from './foundScenes.js';
import type { SceneLibrary } from './sceneLibrary.js';
import type { SceneOddity, SceneScript } from './sceneScript.js';

export interface SceneContext extends RouteContext {
  readonly library: SceneLibrary;
  readonly script: SceneScript;
  /** Whether the provider takes these credentials. */
  readonly licenceIsGood: (credentials: IngestCredentials) => boolean;
}

/** Ingests that run at the same time; the product's limit. */
const PARALLEL = 5;
const PATH = '/scenes/satellite/ingest-data/{jobId}';
/** Degrees; far more than any field, and as much as can be drawn in reasonable time. */
const WIDEST_REGION = 0.3;

/** Ingests of satellite scenes: they advance on the clock and are found by their id. */
export function ingestRoutes(context: SceneContext): readonly Route[] {
  const jobs = new IngestJobs(context.store, context.now);
  return [
    { method: 'PUT', path: PATH, answer: (call) => startIngest(call, jobs, context) },
    {
      method: 'GET',
      path: PATH,
      answer: async (call) => {
        refuseUnknownQuery(call);
        const job = jobs.find(idOf(call, 'jobId'));
        if (job === undefined) throw unknown(`The job ${idOf(call, 'jobId')}`);
        return jsonReply(200, jobs.shown(job, await messageOf(job, context)));
      },
    },
  ];
}

function startIngest(call: Call, jobs: IngestJobs, context: SceneContext): Reply {
  refuseUnknownQuery(call);
  const id = idOf(call, 'jobId');
  const request = ingestRequestOf(jsonOf(call));
  const field = required(context.store, `parties/${request.partyId}/fields/${request.fieldId}`);
  const region = regionOf(field);
  if (region === undefined) throw invalid('The field has no geometry to ingest scenes for.');
  if (region[2] - region[0] > WIDEST_REGION || region[3] - region[1] > WIDEST_REGION) {
    throw invalid('The stand-in ingests regions of up to 0.3 degrees.');
  }
  if (jobs.find(id) !== undefined) throw new WireError(409, 'Conflict', `The job ${id} exists already.`);
  refuseSixth(jobs);
  const oddity = context.script.take();
  const failure = failureOf(oddity, request.credentials, context);
  const job = jobs.add({ id, request, region, oddity, failure });
  const location = `${call.exchange.url.origin}${call.exchange.url.pathname}${call.exchange.url.search}`;
  return jsonReply(202, jobs.shown(job, ''), { location, 'operation-location': location });
}

function refuseSixth(jobs: IngestJobs): void {
  const running = jobs.list().filter((job) => ['Waiting', 'Running'].includes(jobs.statusOf(job)));
  if (running.length < PARALLEL) return;
  throw new WireError(429, 'TooManyRequests', `At most ${PARALLEL} ingests run at the same time.`, {
    'retry-after': '2',
  });
}

function failureOf(
  oddity: SceneOddity | undefined,
  credentials: IngestCredentials | undefined,
  { licenceIsGood }: SceneContext,
): IngestFailure | undefined {
  if (oddity === 'cancelled') return { status: 'Cancelled', errorCode: 'Cancelled', message: 'The job was cancelled.' };
  if (oddity === 'ingestFailed') return failed('ProviderUnavailable', 'The provider did not deliver.');
  if (credentials === undefined) return failed('NoConnector', 'No credentials were sent, and there is no connector.');
  const isGood = oddity !== 'licenceRefused' && licenceIsGood(credentials);
  return isGood ? undefined : failed('InvalidCredentials', 'The provider refuses the client id or its secret.');
}

const failed = (errorCode: string, message: string): IngestFailure => ({ status: 'Failed', errorCode, message });

async function messageOf(job: IngestJob, { library }: SceneContext): Promise<string> {
  const scenes = await foundScenes(job, library);
  return `Scenes were ingested for ${scenes.length} days.`;
}
